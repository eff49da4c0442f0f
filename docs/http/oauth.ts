import { type AccessToken, McpLayer, OAuthResource, Registry, type ToolContext } from 'cartouche';

/** Stands for a library that checks signatures, such as jose. */
const ISSUED: Readonly<Record<string, AccessToken>> = {
  good: {
    iss: 'https://login.example',
    sub: 'u-7',
    client_id: 'chat',
    scope: 'stock.read',
    aud: 'https://mcp.example/mcp',
  },
  partner: { iss: 'https://partner.example', sub: 'u-7', scope: 'stock.read', aud: 'https://mcp.example/mcp' },
  elsewhere: { iss: 'https://login.example', sub: 'u-7', scope: 'stock.read', aud: 'https://other.example' },
  late: { iss: 'https://login.example', sub: 'u-7', scope: 'stock.read', aud: 'https://mcp.example/mcp', exp: 1 },
  weak: { iss: 'https://login.example', sub: 'u-7', scope: '', aud: 'https://mcp.example/mcp' },
};

const auth = new OAuthResource({
  resource: 'https://mcp.example/mcp',
  authorizationServers: ['https://login.example', 'https://partner.example'],
  requiredScopes: ['stock.read'],
  scopesFor: (method, name) => (method === 'tools/call' && name === 'order' ? ['stock.write'] : undefined),
  verifyToken: async (token) => {
    if (token === 'outage') throw new TypeError('fetch failed');
    return Promise.resolve(ISSUED[token]);
  },
});

const registry = new Registry();
const who = (_: unknown, { principal }: ToolContext): string => `${principal.id} [${[...principal.roles].join()}]`;
registry.tool({ name: 'stock', capabilities: ['read_state'] }, who);
registry.tool({ name: 'order', capabilities: ['write_state'] }, who);
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry, logger });
await layer.start();
const handler = layer.fetchHandler({ auth, sessions: false, guard: { allowedHosts: ['mcp.example'] } });

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  'mcp-protocol-version': '2025-11-25',
};

async function call(token: string, name = 'stock'): Promise<void> {
  const response = await handler(
    new Request('https://mcp.example/mcp', {
      method: 'POST',
      headers: { ...HEADERS, authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }),
    }),
  );
  const { error, result } = (await response.json()) as {
    error?: { message: string };
    result?: { structuredContent: unknown };
  };
  console.log(`${token}, ${name}:`, response.status, error?.message ?? result?.structuredContent);
}

for (const token of [...Object.keys(ISSUED), 'forged', 'outage']) await call(token);
await call('good', 'order');
const metadata = await handler(new Request('https://mcp.example/.well-known/oauth-protected-resource/mcp'));
console.log(await metadata.json());
await handler.close();
await layer.close();
