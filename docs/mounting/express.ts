import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Principal, type RequestInfo, toAuthInfo, TokenAuth } from 'cartouche';
import express from 'express';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const auth = new TokenAuth({ 't-analyst': new Principal({ id: 'ana', roles: ['analyst'] }) });

const layer = await createEstateLayer();
layer.use({
  name: 'who',
  tool: async (call, next) => {
    const { attributes, id, roles } = call.principal;
    console.log(`  (${id} [${[...roles].join()}] of ${String(attributes['tenant'])} calls ${call.name})`);
    return next();
  },
});

/** The middleware below said who it is; the tenant's header adds to that, for policies and audits. */
function withTenant(info: RequestInfo): Principal | undefined {
  const { principal } = info;
  if (principal === undefined) return undefined;
  const tenant = info.header('x-tenant') ?? 'unknown';
  const { attributes, id, roles } = principal;
  return new Principal({ id, roles, attributes: { ...attributes, tenant } });
}

const factory = layer.factory(() => new McpServer({ name: 'estate', version: '1.0.0' }), {
  principalResolver: withTenant,
});
const mcp = toNodeHandler(createMcpHandler(factory));

const app = express();
app.get('/health', (_request, response) => void response.json({ ok: true }));
app.post('/mcp', (request, response) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const principal = token === undefined ? undefined : auth.principalFor(token);
  if (principal === undefined) {
    const error = { code: -32600, message: 'Unauthorized' };
    response.status(401).set('WWW-Authenticate', 'Bearer realm="estate"').json({ jsonrpc: '2.0', id: null, error });
    return;
  }
  void mcp(Object.assign(request, { auth: toAuthInfo(principal, token) }), response);
});

const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

console.log('GET /health:', await (await fetch(`${url}/health`)).text());

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const params = { name: 'count_assets', arguments: { groupBy: 'provider' }, _meta };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'count_assets',
};

const refused = await fetch(`${url}/mcp`, { method: 'POST', headers, body });
console.log('without a token:', refused.status, refused.headers.get('www-authenticate'), await refused.text());

const trusted = { ...headers, Authorization: 'Bearer t-analyst', 'X-Tenant': 'acme' };
const answered = await fetch(`${url}/mcp`, { method: 'POST', headers: trusted, body });
const { result } = (await answered.json()) as { result: { structuredContent: { groups: unknown } } };
console.log('with a token:', answered.status, result.structuredContent.groups);

server.closeAllConnections();
server.close();
await layer.close();
