import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');

/** The fenced block of a page in one language. */
function block(page: string, language: string): string | undefined {
  return new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1];
}

test('the policy of the page on ports is the program that runs, and prints what the page says', async () => {
  const page = readFileSync(resolve(root, 'docs/ports.md'), 'utf8');
  const program = 'docs/ports/policy.ts';
  expect(block(page, 'ts')).toBe(readFileSync(resolve(root, program), 'utf8').trimEnd());
  const { stdout } = await run(process.execPath, ['--import', './test/support/ts-hook.mjs', program], { cwd: root });
  expect(stdout.trimEnd().replace(/ +$/gm, '')).toBe(block(page, 'text'));
}, 60_000);
