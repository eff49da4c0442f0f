import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(__dirname, '../../../shared/data');

/** A file of the outside data that some tests compare with; `undefined`, with a notice, where it is not at hand. */
export function sharedData(path: string): string | undefined {
  const file = resolve(folder, path);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  console.info(`shared data ${path} is not here: the tests that compare with it are skipped`);
  return undefined;
}

/** `test` where the data is at hand. Skipped where it is not: others wrote it, so that it cannot be in this repository. */
export function testWith(data: unknown): jest.It {
  return data === undefined ? test.skip : test;
}
