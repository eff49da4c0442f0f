import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = resolve(__dirname, '../../docs/mounting');
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replace('.ts', ''));

/** The fenced block of a page in one language. */
function block(page: string, language: string): string | undefined {
  return new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1];
}

describe('each guide to mounting', () => {
  test.each(pages)(
    '%s shows its program, and what it prints',
    async (name) => {
      const page = readFileSync(resolve(folder, `${name}.md`), 'utf8');
      expect(block(page, 'ts')).toBe(readFileSync(resolve(folder, `${name}.ts`), 'utf8').trimEnd());
      const program = ['--import', './test/support/ts-hook.mjs', `docs/mounting/${name}.ts`];
      const { stdout } = await run(process.execPath, program, { cwd: resolve(folder, '../..') });
      expect(stdout.trimEnd()).toBe(block(page, 'text'));
    },
    60_000,
  );

  test('is linked from the overview', () => {
    const overview = readFileSync(resolve(folder, 'README.md'), 'utf8');
    for (const name of pages) expect(overview).toContain(`(${name}.md)`);
  });
});
