// Writes docs/errors.md from the table of codes in src/core/finding-codes.ts. --check only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const table = readFileSync(new URL('../src/core/finding-codes.ts', import.meta.url), 'utf8');
const { code } = transformSync(table, { loader: 'ts', format: 'esm' });
const { CODE_GROUPS, FINDING_CODES } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const intro = `# Configuration findings

<!-- Made by scripts/print-errors.mjs from src/core/finding-codes.ts. -->

What cannot work is found when a layer, a spec or a server is built, and reported in one \`ConfigurationError\`. Each of its
\`findings\` reads "site: problem. remedy." and ends with a code in brackets; \`error.codes\` has the codes in the same
order. The wording may change from version to version, the codes do not: test for them.

\`\`\`ts
try {
  new McpLayer({ name: 'reports', version: '1.0.0', services: [Reports] });
} catch (error) {
  if (error instanceof ConfigurationError) console.error(error.codes); // ['CT205']
}
\`\`\`
`;
const sections = Object.entries(CODE_GROUPS).map(([digit, group]) => {
  const rows = Object.entries(FINDING_CODES)
    .filter(([name]) => name.startsWith(`CT${digit}`))
    .map(([name, { title, remedy }]) => `### ${name}\n\n${title}. ${remedy}${/[.?]$/.test(remedy) ? '' : '.'}\n`);
  return `## ${group}\n\n${rows.join('\n')}`;
});
const page = new URL('../docs/errors.md', import.meta.url);
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const after = [intro, ...sections].join('\n');
if (process.argv.includes('--check')) process.exit(before === after ? 0 : 1);
writeFileSync(page, after);
