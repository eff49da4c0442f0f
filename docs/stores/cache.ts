import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cache, type CacheEntry, type CacheStore, McpLayer, Registry } from 'cartouche';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keeps answers as files, a folder for each namespace. What is too old is not asked for: clean up by age. */
class FileCache implements CacheStore {
  constructor(readonly folder: string) {}

  async get(namespace: string, key: string): Promise<CacheEntry | undefined> {
    const text = await readFile(this.#path(namespace, key), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as CacheEntry);
  }

  async set(namespace: string, key: string, entry: CacheEntry): Promise<void> {
    const path = this.#path(namespace, key);
    await mkdir(dirname(path), { recursive: true });
    // Nobody reads half a file.
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, JSON.stringify(entry), { mode: 0o600 });
    await rename(draft, path);
  }

  async clear(namespace: string): Promise<void> {
    await rm(join(this.folder, hash(namespace)), { recursive: true, force: true });
  }

  #path(namespace: string, key: string): string {
    return join(this.folder, hash(namespace), hash(key));
  }
}

const folder = await mkdtemp(join(tmpdir(), 'answers-'));
const store = new FileCache(folder);
let runs = 0;
function server(name: string): McpLayer {
  const registry = new Registry();
  registry.tool({ name: 'count', capabilities: ['read_state'] }, () => ++runs);
  registry.tool({ name: 'refill', capabilities: ['write_state'] }, () => 'done');
  return new McpLayer({ name, version: '1.0.0', registry, middleware: [cache()], stores: { cache: store } });
}

// Two processes of one server, and another server.
const [one, two, other] = [server('stock'), server('stock'), server('orders')];
const ask = async (layer: McpLayer): Promise<unknown> => (await layer.callTool('count')).structuredContent;
console.log('once:', await ask(one), await ask(two), 'another server:', await ask(other));
await one.callTool('refill');
console.log('after a change:', await ask(two), 'another server:', await ask(other));
for (const layer of [one, two, other]) await layer.close();
await rm(folder, { recursive: true });
