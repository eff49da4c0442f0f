// Compiles the package twice, as ES modules and as CommonJS, into dist/.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
process.chdir(root);

function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tsc ${args.join(' ')} failed`))));
  });
}

rmSync('dist', { recursive: true, force: true });
await Promise.all([run('-p', 'tsconfig.esm.json'), run('-p', 'tsconfig.cjs.json')]);

for (const [format, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
]) {
  mkdirSync(`dist/${format}/src/platform`, { recursive: true });
  for (const file of readdirSync('src/platform')) cpSync(`src/platform/${file}`, `dist/${format}/src/platform/${file}`);
  const imports = {
    '#require': {
      import: { types: './src/platform/require.d.mts', default: './src/platform/require.mjs' },
      require: { types: './src/platform/require.d.cts', default: './src/platform/require.cjs' },
    },
  };
  writeFileSync(`dist/${format}/package.json`, `${JSON.stringify({ type, imports }, null, 2)}\n`);
}
