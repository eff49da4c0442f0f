import type { AddressInfo } from 'node:net';
import { McpLayer, Principal, Registry, type ToolContext } from 'cartouche';
import express from 'express';

const registry = new Registry();
registry.tool({ name: 'who', capabilities: [] }, (_: unknown, { principal }: ToolContext) => {
  return `${principal.id} [${[...principal.roles].join()}]`;
});
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry });
await layer.start();

/** A call of revision 2025-11-25 without a session. */
const init = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json', 'mcp-protocol-version': '2025-11-25' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } }),
};
const resultOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { result: { structuredContent: unknown } }).result.structuredContent;

// Express, and whatever else has the requests of node:http: `user` is where Passport and its like leave who it is.
const app = express();
app.use((incoming, _response, next) => {
  Object.assign(incoming, { user: { id: 'ana', roles: ['analyst'] } });
  next();
});
const inExpress = layer.nodeHandler({ sessions: false });
app.use('/mcp', inExpress);
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
console.log(await resultOf(await fetch(`http://127.0.0.1:${port}/mcp`, init)));

// Hono, Next, Deno, Bun, workers: a function from Request to Response.
const handler = layer.fetchHandler({ sessions: false, guard: { allowedHosts: ['stock.example'] } });
const principal = new Principal({ id: 'bo' });
console.log(await resultOf(await handler(new Request('https://stock.example/mcp', init))));
console.log(await resultOf(await handler(new Request('https://stock.example/mcp', init), { principal })));

await handler.close();
await inExpress.close();
server.close();
await layer.close();
