// Writes into docs/mounting/README.md who a layer takes a caller for, by what was left at the request, as it is measured in
// every host now. --check only compares.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { putIntoPage, table } from './put-into-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = ['--import', './test/support/ts-hook.mjs', 'test/support/mount/told.ts'];
const output = execFileSync(process.execPath, program, {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const { heads, rows } = JSON.parse(output.split('\n').findLast((line) => line.startsWith('{"heads"')));
const hosts = Object.keys(rows);
const cells = heads.map((head, index) => [head, ...hosts.map((host) => rows[host][index])]);
putIntoPage('docs/mounting/README.md', { callers: table(['left at the request', ...hosts], cells) });
