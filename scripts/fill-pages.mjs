// Puts the programs of the docs, and what they print, into their pages after either has changed:
// `node scripts/fill-pages.mjs [docs/http.md …]`. test/feature/docs.test.ts holds that nothing is left to do.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
const given = process.argv.slice(2);
const pages = given.length > 0 ? given : files.filter((name) => name.endsWith('.md'));

/** Programs that a page may show: docs/http/*.ts or docs/http.ts for docs/http.md. */
function programsOf(page) {
  const home = page.replace(/\.md$/, '');
  return files
    .filter((name) => name === `${home}.ts` || (name.startsWith(`${home}/`) && name.endsWith('.ts')))
    .map((name) => ({ name, code: readFileSync(`${root}${name}`, 'utf8').trimEnd() }));
}

/** How many lines of a program stand in a block: a program that was edited is still the nearest to its own block. */
function likeness(block, { code }) {
  const lines = new Set(block.split('\n').filter((line) => line.length > 8));
  return code.split('\n').filter((line) => lines.has(line)).length;
}

function outputOf({ name }) {
  const program = ['--import', './test/support/ts-hook.mjs', name];
  const stdout = execFileSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
  return stdout.trimEnd().replace(/ +$/gm, '');
}

for (const page of pages) {
  const programs = programsOf(page);
  if (programs.length === 0) continue;
  const before = readFileSync(`${root}${page}`, 'utf8');
  const after = before.replace(
    /^(```ts\n)(.*?)(\n```\n[^`]*```text\n)(.*?)(\n```)$/gms,
    (_, start, block, between, _output, end) => {
      const [nearest] = [...programs].sort((a, b) => likeness(block, b) - likeness(block, a));
      return `${start}${nearest.code}${between}${outputOf(nearest)}${end}`;
    },
  );
  if (after !== before) writeFileSync(`${root}${page}`, after);
  console.log(`${page}: ${after === before ? 'as it was' : 'filled'}`);
}
