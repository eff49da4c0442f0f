// Builds the package and the sample app when a source is newer than what was built. Says so on standard error only.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function build(stamp, sources, command) {
  const file = join(root, stamp);
  const since = existsSync(file) ? statSync(file).mtimeMs : 0;
  if (since >= Math.max(...sources.map((source) => newest(join(root, source))))) return;
  const started = new Date();
  process.stderr.write(`building ${stamp.split('/').slice(0, -1).join('/')} …\n`);
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(file, '');
  utimesSync(file, started, started);
}

export function ensureBuilt() {
  build('dist/.built', ['src', 'decorators', 'providers', 'tsconfig.json', 'scripts/build.mjs'], ['scripts/build.mjs']);
  build(
    'sample-app/dist/.built',
    ['sample-app/src', 'sample-app/tsconfig.build.json', 'dist/.built'],
    [tsc, '-p', 'sample-app/tsconfig.build.json'],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt();
