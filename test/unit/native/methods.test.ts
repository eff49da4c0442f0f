import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { METHODS } from '../../../src/native/methods/index.js';

const source = resolve(__dirname, '../../../src');
const methods = resolve(source, 'native/methods');
const ALL: readonly { readonly name: string }[] = METHODS;

test('every method stands in a file of its own', () => {
  const fileOf = (name: string): string =>
    `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('/', '-')}.ts`;
  const shared = ['index.ts', 'list-method.ts', 'params.ts'];
  expect(readdirSync(methods).sort()).toEqual([...ALL.map(({ name }) => fileOf(name)), ...shared].sort());
});

test('no other file of the engine or the adapters names a method', () => {
  const literals = ALL.map(({ name }) => `'${name}'`);
  const naming = ['native', 'adapters'].flatMap((room) =>
    readdirSync(resolve(source, room), { recursive: true, encoding: 'utf8' })
      .map((file) => resolve(source, room, file))
      .filter((file) => file.endsWith('.ts') && !file.startsWith(methods))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        return literals.filter((literal) => text.includes(literal)).map((literal) => `${basename(file)} ${literal}`);
      }),
  );
  expect(naming).toEqual([]);
});
