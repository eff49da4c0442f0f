import { request } from 'node:http';
import { McpLayer, Principal, Registry, TokenAuth, type ToolContext } from 'cartouche';

const registry = new Registry();
registry.tool({ name: 'who', capabilities: [] }, (_: unknown, { principal }: ToolContext) => principal.id);
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry });

const serving = await layer.serve('http', {
  port: 0,
  auth: new TokenAuth({ 't-ana': new Principal({ id: 'ana', roles: ['analyst'] }) }),
  guard: { allowedHosts: ['127.0.0.1', 'mcp.example'] },
  sessions: false,
  maxBodyBytes: 10_000,
  exit: false,
});

const VERSION = { 'mcp-protocol-version': '2025-11-25' };

/** Calls the tool and prints the answer. `fetch` would not let us choose the host. */
function call(more: Record<string, string>, name = 'who'): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...VERSION, ...more };
  return new Promise((resolve) => {
    const sent = request(serving.url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        const { error, result } = JSON.parse(text) as {
          error?: { message: string };
          result?: { structuredContent: unknown };
        };
        const { 'www-authenticate': challenge = '' } = response.headers;
        console.log(response.statusCode, error?.message ?? result?.structuredContent, challenge);
        resolve();
      });
    });
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }));
  });
}

const authorization = 'Bearer t-ana';
await call({ authorization });
await call({});
await call({ authorization: 'Bearer guessed' });
await call({ authorization, host: 'mcp.example' });
await call({ authorization, host: 'attacker.example' });
await call({ authorization, origin: 'https://attacker.example' });
await call({ authorization }, 'x'.repeat(10_000));
console.log(await (await fetch(new URL('/healthz', serving.url))).text());
await serving.close();
