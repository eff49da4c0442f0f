import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventStore, McpLayer, Registry, type StoredEvent } from 'cartouche';

/** Keeps the events of each session in one file, a line for each. Delete files that are older than your sessions. */
class FileEvents implements EventStore {
  constructor(readonly folder: string) {}

  async append(session: string, stream: number, event: StoredEvent): Promise<void> {
    await appendFile(this.#path(session), `${JSON.stringify({ stream, ...event })}\n`, { mode: 0o600 });
  }

  async after(session: string, stream: number, sequence: number): Promise<readonly StoredEvent[] | undefined> {
    const text = await readFile(this.#path(session), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const lines = text.trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as StoredEvent & { readonly stream: number });
    return events.filter((event) => event.stream === stream && event.sequence > sequence);
  }

  async drop(session: string): Promise<void> {
    await rm(this.#path(session), { force: true });
  }

  #path(session: string): string {
    return join(this.folder, encodeURIComponent(session));
  }
}

const folder = await mkdtemp(join(tmpdir(), 'events-'));
const registry = new Registry();
registry.tool({ name: 'count', capabilities: ['read_state'] }, () => 7);
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry, stores: { events: new FileEvents(folder) } });
const handle = layer.fetchHandler({ responseMode: 'sse' });

const headers: Record<string, string> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  host: 'localhost',
};
async function send(method: string, body?: object): Promise<Response> {
  const text = body === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...body });
  const response = await handle(new Request('http://localhost/mcp', { method, headers, body: text }));
  headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
  return response;
}

const clientInfo = { name: 'docs', version: '1.0.0' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
await (await send('POST', { id: 1, method: 'initialize', params })).text();
await send('POST', { method: 'notifications/initialized' });
await (await send('POST', { id: 2, method: 'tools/call', params: { name: 'count', arguments: {} } })).text();
const names = await readdir(folder);
console.log('kept:', names.length, names[0]?.startsWith('stock%2F'));
await send('DELETE');
await new Promise((resolve) => setTimeout(resolve, 50));
console.log('after its end:', (await readdir(folder)).length);
await layer.close();
await rm(folder, { recursive: true });
