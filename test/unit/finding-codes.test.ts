import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FINDING_CODES } from '../../src/core/finding-codes.js';
import { ConfigurationError, McpLayer } from '../../src/index.js';
import { PlainContainer } from '../../providers/plain.js';

const root = resolve(__dirname, '../..');
const TABLE = join('src', 'core', 'finding-codes.ts');

const sources = ['src', 'decorators', 'providers']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => path.endsWith('.ts') && path !== TABLE)
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Where a finding is begun with a text of its own instead of `finding('CT…', …)`. */
function uncoded(text: string): string[] {
  const begins = /(?:new ConfigurationError|[fF]indings\.push|[pP]roblems\.push|\breport)\(\s*['"`][^\n]*/g;
  return [...text.matchAll(begins)].map(([line]) => line).filter((line) => !isRelay(line));
}

/** A prefix before a finding that has its code: "`${site}: ${problem}`" and the like. */
function isRelay(line: string): boolean {
  return /\$\{problem\}`\)/.test(line);
}

test('every code of the table is used, and every code that is used is in the table', () => {
  const used = new Set(sources.flatMap(({ text }) => [...text.matchAll(/'(CT\d{3})'/g)].map(([, code]) => code)));
  expect([...used].sort()).toEqual(Object.keys(FINDING_CODES).sort());
});

test('no finding is made without a code', () => {
  expect(sources.flatMap(({ path, text }) => uncoded(text).map((line) => `${path}: ${line}`))).toEqual([]);
});

test.each(["throw new ConfigurationError('site: no. Do.');", 'throw new ConfigurationError(\n    `site: no. Do.`);'])(
  'one without a code is noticed: %j',
  (text) => {
    expect(uncoded(text)).toHaveLength(1);
  },
);

test('the page is the one that the script prints', () => {
  expect(() => execFileSync(process.execPath, ['scripts/print-errors.mjs', '--check'], { cwd: root })).not.toThrow();
});

test('an error has the codes of its findings, in their order', () => {
  class Nothing {}
  const container = new PlainContainer();
  container.check = () => ['Nothing: a finding of a container. Look there.'];
  expect.assertions(3);
  try {
    new McpLayer({ name: 'a', version: '1', services: [Nothing], container });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).codes).toEqual(['CT000', 'CT205']);
    expect((error as ConfigurationError).findings[1]).toMatch(/^Nothing: no member carries .* \[CT205\]$/);
  }
});

test('a finding that stands within another one has one code', () => {
  const options = { name: 'a', version: '1', services: [], requestState: { keys: [] }, strange: 1 };
  expect.assertions(2);
  try {
    new McpLayer(options);
  } catch (error) {
    const { codes, message } = error as ConfigurationError;
    expect(codes).toEqual(['CT103', 'CT102']);
    expect(message.match(/CT\d{3}/g)).toEqual(['CT103', 'CT102']);
  }
});
