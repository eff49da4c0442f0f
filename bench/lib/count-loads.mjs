// Preloaded: prints files and bytes by package that the process has loaded, ES modules and CommonJS, on SIGUSR2.
import { statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

const { port1, port2 } = new MessageChannel();
const hooks = `let port;
export const initialize = (given) => (port = given);
export async function load(url, context, next) { port.postMessage(url); return next(url, context); }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: port2, transferList: [port2] });
const loaded = new Set();
port1.on('message', (url) => loaded.add(url));
port1.unref();

process.once('SIGUSR2', () => {
  const files = [...loaded].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const packages = new Map();
  for (const file of new Set([...files, ...Object.keys(createRequire(import.meta.url).cache)])) {
    const name =
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? (file.includes('/dist/') ? 'cartouche' : 'bench');
    const { files: n = 0, bytes = 0 } = packages.get(name) ?? {};
    packages.set(name, { name, files: n + 1, bytes: bytes + statSync(file).size });
  }
  process.stdout.write(`@@loads ${JSON.stringify([...packages.values()].sort((a, b) => b.bytes - a.bytes))}\n`);
});
