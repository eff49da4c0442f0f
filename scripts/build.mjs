// Compiles the package twice, as ES modules and as CommonJS, into dist/.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
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

// `#reflect`, `#require`, `#require-nest` and `#decorators` are CommonJS in both formats, and each format has its own `#load-optional`; nothing
// resolves the names at run time.
function rewrite(folder, platform, extensions) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) rewrite(path, platform, extensions);
    else if (path.endsWith('.js')) {
      const code = readFileSync(path, 'utf8');
      if (!code.includes('#')) continue;
      const up = relative(folder, platform).replaceAll('\\', '/');
      writeFileSync(
        path,
        code.replace(
          /(['"])#(reflect|require-nest|require|decorators|load-optional)\1/g,
          (_, quote, name) => `${quote}${up.startsWith('.') ? up : `./${up}`}/${name}.${extensions[name]}${quote}`,
        ),
      );
    }
  }
}

for (const [format, extension] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
]) {
  const platform = `${target}/${format}/src/platform`;
  const extensions = {
    reflect: 'cjs',
    require: 'cjs',
    'require-nest': 'cjs',
    decorators: 'cjs',
    'load-optional': extension,
  };
  mkdirSync(platform, { recursive: true });
  for (const [name, end] of Object.entries(extensions))
    cpSync(`src/platform/${name}.${end}`, `${platform}/${name}.${end}`);
  rewrite(`${target}/${format}`, platform, extensions);
}
// As 250 small files, ES modules take twice as long to load as the rest of a server's start: one file for each subpath,
// and what they share, all in one folder beside `platform`, which stays apart: its calls must reach a user's bundler as they
// are written. CommonJS loads small files fast, and stays as it is.
const doors = ['index', 'native', 'testing', 'dto', 'stdio', 'fastmcp', 'nest'];
await build({
  entryPoints: doors.map((door) => `${target}/esm/src/${door}.js`),
  outdir: `${target}/bundled`,
  outbase: `${target}/esm`,
  chunkNames: 'src/shared-[hash]',
  plugins: [
    {
      name: 'require stays apart',
      setup({ onResolve }) {
        onResolve({ filter: /\/platform\/(reflect|require.*|decorators)\.cjs$/ }, ({ path }) => ({
          path: `./platform/${basename(path)}`,
          external: true,
        }));
        // As it lies among the sources, for the maps.
        onResolve({ filter: /\/platform\/load-optional\.mjs$/ }, ({ path }) => ({
          path: join(root, 'src/platform', basename(path)),
        }));
      },
    },
  ],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
});
removeCode(`${target}/esm`);
cpSync(`${target}/bundled`, `${target}/esm`, { recursive: true });
rmSync(`${target}/bundled`, { recursive: true });

/** Leaves the declarations, and the files of CommonJS. What was bundled has maps of its own, to the same sources. */
function removeCode(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeCode(path);
    else if (/\.m?js(\.map)?$/.test(path)) rmSync(path);
  }
}

writeFileSync(`${target}/cjs/package.json`, '{ "type": "commonjs" }\n');
writeFileSync(`${target}/.built`, '');
utimesSync(`${target}/.built`, started, started);
rmSync('dist', { recursive: true, force: true });
renameSync(target, 'dist');
