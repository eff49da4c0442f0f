// Lets Node run this repository's TypeScript as ES modules, for tests of packages that jest's CommonJS cannot load.
import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const root = new URL('../../', import.meta.url);

const SWC = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    preserveAllComments: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export async function resolve(specifier, context, next) {
  if (['#reflect', '#require', '#require-nest', '#decorators'].includes(specifier)) {
    return { url: new URL(`src/platform/${specifier.slice(1)}.cjs`, root).href, shortCircuit: true };
  }
  if (specifier === '#load-optional') {
    return { url: new URL('src/platform/load-optional.mjs', root).href, shortCircuit: true };
  }
  const own = /^cartouche(?:\/([a-z-]+))?$/.exec(specifier);
  if (own !== null) return { url: new URL(`src/${own[1] ?? 'index'}.ts`, root).href, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const typescript = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(typescript)) return { url: typescript.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { transform } = await import('@swc/core');
  const filename = fileURLToPath(url);
  const { code } = await transform(readFileSync(filename, 'utf8'), { ...SWC, filename, sourceFileName: filename });
  return { format: 'module', source: code, shortCircuit: true };
}

if (isMainThread) register(import.meta.url, pathToFileURL('./'));
