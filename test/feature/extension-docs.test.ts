import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');
const page = readFileSync(resolve(root, 'docs/extensions.md'), 'utf8');

/** The fenced block of the page in one language. */
function block(language: string): string | undefined {
  return new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1];
}

const execute = (...args: string[]) =>
  run(process.execPath, ['--import', './test/support/ts-hook.mjs', ...args], { cwd: root });

describe('the page on extensions', () => {
  test('shows its program, and what it prints', async () => {
    expect(block('ts')).toBe(readFileSync(resolve(root, 'docs/extensions.ts'), 'utf8').trimEnd());
    const { stdout } = await execute('docs/extensions.ts');
    expect(stdout.trimEnd()).toBe(block('text'));
  }, 60_000);

  test('has the table of the methods that are answered', async () => {
    await expect(execute('scripts/print-methods.mjs', '--check')).resolves.toBeDefined();
  }, 60_000);
});
