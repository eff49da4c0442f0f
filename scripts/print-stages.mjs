// Writes the picture of a call's life into README.md, from the list that the layer runs. --check only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureBuilt } from './ensure-built.mjs';

ensureBuilt();
const { STAGES } = await import('../dist/esm/src/index.js');
const rows = [
  ['look up', 'the name, among what this caller may see'],
  ['middleware', 'the onion, outermost first'],
  ...STAGES.map(({ name, summary }) => [name, summary]),
  ['middleware', 'back through the onion'],
];
const width = Math.max(...rows.map(([name]) => name.length));
const picture = ['```text', ...rows.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`), '```'].join('\n');
const readme = new URL('../README.md', import.meta.url);
const before = readFileSync(readme, 'utf8');
const after = before.replace(/(<!-- stages -->\n)[^]*?(<!-- \/stages -->)/, `$1\n${picture}\n\n$2`);
if (process.argv.includes('--check')) process.exit(before === after ? 0 : 1);
writeFileSync(readme, after);
