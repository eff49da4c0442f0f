// Writes what each decorator becomes into docs/dtos.md: every one of class-validator's is put on a property, and the
// schema that clients see is read off. --check only compares. Run it with --import ./test/support/ts-hook.mjs.
import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { putIntoPage, table } from './put-into-page.mjs';

const require = createRequire(import.meta.url);
const validators = require('class-validator');
const { inputSchemaFor } = await import('../src/index.ts');

const FOLDERS = {
  typechecker: 'Types',
  common: 'Presence and values',
  number: 'Numbers',
  string: 'Texts',
  date: 'Dates',
  array: 'Lists',
  object: 'Objects',
};

/** A value, and how it is written. */
const written = (value, code) => ({ value, code });
class Point {}
validators.IsInt()(Point.prototype, 'x');
const onlyWithA = written(({ kind }) => kind === 'a', "({ kind }) => kind === 'a'");
const epoch = written(new Date(0), 'new Date(0)');
const point = written(Point, 'Point');

/** What those are given that need something. */
const GIVEN = {
  ArrayContains: [['a']],
  ArrayMaxSize: [9],
  ArrayMinSize: [1],
  ArrayNotContains: [['a']],
  Contains: ['a.b'],
  Equals: ['a'],
  IsDivisibleBy: [5],
  IsEnum: [{ Low: 'low', High: 'high' }],
  IsHash: ['sha256'],
  IsIn: [['a', 'b']],
  IsInstance: [point],
  IsNotIn: [['a', 'b']],
  Length: [1, 9],
  Matches: [/^[a-z]+$/i],
  Max: [9],
  MaxDate: [epoch],
  MaxLength: [9],
  Min: [1],
  MinDate: [epoch],
  MinLength: [1],
  NotContains: ['a.b'],
  NotEquals: ['a'],
  ValidateIf: [onlyWithA],
};

/** Those that make something of another decorator beside them, or of the type. */
const BESIDE = {
  IsNotEmpty: ['IsString'],
  IsOptional: ['IsString'],
  ValidateIf: ['IsString'],
};

/** They stand on a class, or hold a validator of one's own. */
const OTHERS = new Set(['Validate', 'ValidateBy', 'ValidatorConstraint']);

function schemaOf(name) {
  class Dto {}
  const given = (GIVEN[name] ?? []).map((argument) => argument?.value ?? argument);
  for (const each of [name, ...(BESIDE[name] ?? [])]) {
    validators[each](...(each === name ? given : []))(Dto.prototype, 'value');
  }
  Reflect.defineMetadata(
    'design:type',
    ['ValidateNested', 'IsInstance'].includes(name) ? Point : Object,
    Dto.prototype,
    'value',
  );
  const { properties, required } = inputSchemaFor(Dto);
  return { schema: properties.value, optional: required === undefined };
}

function codeOf(value) {
  if (value?.code !== undefined) return value.code;
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${codeOf(item)}`)
    .join(', ')} }`;
}

const cell = (text) => `\`${text.replaceAll('|', '\\|')}\``;
const isPlain = (schema) => JSON.stringify(schema) === '{"type":"string"}';
const home = join(dirname(require.resolve('class-validator')), 'decorator');
const parts = Object.entries(FOLDERS).map(([folder, title]) => {
  const names = readdirSync(join(home, folder))
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => Object.keys(require(join(home, folder, file))))
    .filter((name) => /^[A-Z]/.test(name) && typeof validators[name] === 'function' && !OTHERS.has(name))
    .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const found = names.map((name) => ({ name, ...schemaOf(name) }));
  const plain = folder === 'string' ? found.filter(({ name, schema }) => isPlain(schema)) : [];
  const rows = found
    .filter((entry) => !plain.includes(entry))
    .map(({ name, schema, optional }) => {
      const given = (GIVEN[name] ?? []).map(codeOf).join(', ');
      const beside = (BESIDE[name] ?? []).map((other) => ` @${other}()`).join('');
      return [
        cell(`@${name}(${given})${beside}`),
        `${cell(JSON.stringify(schema))}${optional ? ', not required' : ''}`,
      ];
    });
  const rest =
    plain.length === 0
      ? ''
      : `\n\nChecked, but no keyword says it, so models see \`{"type":"string"}\`: ${plain.map(({ name }) => `\`@${name}\``).join(', ')}.`;
  return `### ${title}\n\n${table(['Decorator', 'Schema'], rows)}${rest}`;
});
putIntoPage('docs/dtos.md', { decorators: parts.join('\n\n') });
