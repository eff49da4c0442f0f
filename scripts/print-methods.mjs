// Writes the table of the protocol's methods into docs/extensions.md, from the list that the engine answers by. --check
// only compares. Run it with --import ./test/support/ts-hook.mjs, which reads the sources.
import { readFileSync, writeFileSync } from 'node:fs';

const { METHODS } = await import('../src/native/methods/index.ts');
const HEAD = ['Method', 'Eras', 'Offered with', '`Mcp-Name`', 'May be kept', 'May ask'];
const rows = [...METHODS]
  .map((method) => [
    `\`${method.name}\``,
    method.eras.join(', '),
    method.feature ?? 'always',
    method.nameParam ?? '',
    { shared: 'for all', personal: 'per caller' }[method.cacheable] ?? '',
    method.mayAsk ? 'yes' : '',
  ])
  .sort(([a], [b]) => (a < b ? -1 : 1));
const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column].length)));
const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
const table = [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
const page = new URL('../docs/extensions.md', import.meta.url);
const before = readFileSync(page, 'utf8');
const after = before.replace(/(<!-- methods -->\n)[^]*?(<!-- \/methods -->)/, `$1\n${table}\n\n$2`);
if (process.argv.includes('--check')) process.exit(before === after ? 0 : 1);
writeFileSync(page, after);
