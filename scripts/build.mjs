// Compiles the package twice, as ES modules and as CommonJS, into dist/.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
process.chdir(root);

function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tsc ${args.join(' ')} failed`))));
  });
}

// Sources that change while this runs are newer than the stamp. Built aside and put in place whole: who loads dist/ meanwhile finds the old one or the new one.
const started = new Date();
const target = `.build-${process.pid}`;
process.on('exit', () => rmSync(target, { recursive: true, force: true }));
await Promise.all(
  ['esm', 'cjs'].map((format) => run('-p', `tsconfig.${format}.json`, '--outDir', `${target}/${format}`)),
);

// `#require` is the one module that each format has its own of; nothing resolves the name at run time.
function rewrite(folder, platform) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) rewrite(path, platform);
    else if (path.endsWith('.js')) {
      const code = readFileSync(path, 'utf8');
      if (!code.includes('#require')) continue;
      const specifier = relative(folder, platform).replaceAll('\\', '/');
      writeFileSync(
        path,
        code.replace(/(['"])#require\1/g, `'${specifier.startsWith('.') ? specifier : `./${specifier}`}'`),
      );
    }
  }
}

for (const [format, extension] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
]) {
  const platform = `${target}/${format}/src/platform/require.${extension}`;
  mkdirSync(dirname(platform), { recursive: true });
  cpSync(`src/platform/require.${extension}`, platform);
  rewrite(`${target}/${format}`, platform);
}
// As 250 small files, ES modules take twice as long to load as the rest of a server's start: one file for each subpath,
// and what they share. CommonJS loads small files fast, and stays as it is.
const doors = ['index', 'testing', 'fastmcp', 'nest'];
await build({
  entryPoints: doors.map((door) => `${target}/esm/src/${door}.js`),
  outdir: `${target}/bundled`,
  outbase: `${target}/esm`,
  chunkNames: 'src/chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
removeCode(`${target}/esm`);
cpSync(`${target}/bundled`, `${target}/esm`, { recursive: true });
rmSync(`${target}/bundled`, { recursive: true });

/** Leaves the declarations. */
function removeCode(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeCode(path);
    else if (/\.m?js$/.test(path)) rmSync(path);
  }
}

writeFileSync(`${target}/cjs/package.json`, '{ "type": "commonjs" }\n');
writeFileSync(`${target}/.built`, '');
utimesSync(`${target}/.built`, started, started);
rmSync('dist', { recursive: true, force: true });
renameSync(target, 'dist');
