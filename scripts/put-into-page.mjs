// Puts what a script printed into a page, between two comments of its name; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';

/** A table of Markdown, its columns as wide as prettier makes them. */
export function table(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Writes `parts`, by the names of their comments, into a page of the repository. */
export function putIntoPage(path, parts) {
  const page = new URL(`../${path}`, import.meta.url);
  const before = readFileSync(page, 'utf8');
  let after = before;
  for (const [name, part] of Object.entries(parts)) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
    if (!place.test(after))
      throw new Error(`${path}: no place for ${name}. Add <!-- ${name} --> and <!-- /${name} -->.`);
    after = after.replace(place, (_, start, end) => `${start}\n${part}\n\n${end}`);
  }
  if (!process.argv.includes('--check')) writeFileSync(page, after);
  else process.exitCode = before === after ? 0 : 1;
}
