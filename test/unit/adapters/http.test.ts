import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { McpLayer, Principal, Registry, toAuthInfo } from 'cartouche';
import { MemoryLogger, RULES, sampleLayer } from '../../support/mount/layer.js';
import { HttpWire, type Message } from '../../support/mount/wire.js';

const INFO = { name: 'host', version: '1' };

function regional(policy?: typeof RULES): McpLayer {
  const registry = new Registry();
  registry.tool(
    {
      name: 'query',
      input: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, sql: { type: 'string' } },
      },
    },
    (args: Message) => `in ${args['region']}`,
  );
  return new McpLayer({ name: 'x', version: '1', registry, logger: new MemoryLogger(), ...(policy && { policy }) });
}

describe('Mcp-Param headers of our tools', () => {
  const call = { name: 'query', arguments: { region: 'eu', sql: '…' } };

  test.each([
    ['a McpServer, which checks them itself', () => new McpServer(INFO), undefined, 400],
    ['a McpServer, where a policy could hide the tool', () => new McpServer(INFO), RULES, 200],
    ['a low-level Server, which checks none', () => new Server(INFO, { capabilities: {} }), undefined, 200],
  ])('are compared with the arguments in %s', async (_what, make, policy, status) => {
    const layer = regional(policy);
    const handler = createMcpHandler(layer.factory(make as () => McpServer));
    const wire = new HttpWire('modern', (request) => handler.fetch(request));
    const right = await wire.request('tools/call', call, { headers: { 'mcp-param-region': 'eu' } });
    expect(right['result'].content[0].text).toBe('in eu');
    const wrong = await wire.request('tools/call', call, { headers: { 'mcp-param-region': 'us' } });
    expect(wrong['error'].code).toBe(-32020);
    expect(wire.lastStatus).toBe(status);
    const missing = await wire.request('tools/call', call);
    expect(missing['error'].code).toBe(-32020);
  });
});

describe('cache hints of a host', () => {
  const hints = { cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' as const } } };

  test('become private where the list depends on who asks', async () => {
    const { layer } = sampleLayer();
    const handler = createMcpHandler(layer.factory(() => new Server(INFO, { capabilities: { tools: {} }, ...hints })));
    const wire = new HttpWire('modern', (request) => handler.fetch(request));
    expect((await wire.request('tools/list'))['result']).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  test('stay where it does not', async () => {
    const layer = regional();
    const make = (): Server => {
      const server = new Server(INFO, { capabilities: { tools: {} }, ...hints });
      server.setRequestHandler('tools/list', () => ({ tools: [] }));
      return server;
    };
    const handler = createMcpHandler(layer.factory(make));
    const wire = new HttpWire('modern', (request) => handler.fetch(request));
    expect((await wire.request('tools/list'))['result']).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  });
});

describe('what a host’s authentication found', () => {
  async function caller(authInfo: object): Promise<Principal> {
    const { layer, probe } = sampleLayer();
    const handler = createMcpHandler(layer.factory(() => new McpServer(INFO)));
    const wire = new HttpWire('modern', (request) => handler.fetch(request, { authInfo: authInfo as never }));
    await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    return probe.principal!;
  }

  test('as an access token becomes a principal of its client and scopes', async () => {
    const principal = await caller({ token: 't', clientId: 'client-7', scopes: ['read'] });
    expect(principal.id).toBe('client-7');
    expect([...principal.roles]).toEqual(['default', 'read']);
    expect(principal.attributes).toEqual({ auth: 'oauth', clientId: 'client-7', scopes: ['read'] });
  });

  test('as a principal is that principal', async () => {
    const ana = new Principal({ id: 'ana', roles: ['analyst'] });
    await expect(caller(toAuthInfo(ana))).resolves.toBe(ana);
  });

  test('that only looks like a principal is an access token', async () => {
    const parsed = JSON.parse(
      '{"token":"t","clientId":"c","scopes":[],"cartouche.principal":{"id":"root","roles":["admin"]}}',
    ) as object;
    expect((await caller(parsed)).id).toBe('c');
  });
});

test('a host’s own check of request states does not see ours, nor ours the host’s', async () => {
  const { layer } = sampleLayer();
  const verify = jest.fn(() => {
    throw new Error('not ours');
  });
  const handler = createMcpHandler(layer.factory(() => new McpServer(INFO, { requestState: { verify } })));
  const wire = new HttpWire('modern', (request) => handler.fetch(request));
  const params = { name: 'asking', arguments: {} };
  const first = (await wire.request('tools/call', params))['result'];
  const inputResponses = { who: { action: 'accept', content: { name: 'wire' } } };
  const second = await wire.request('tools/call', { ...params, inputResponses, requestState: first.requestState });
  expect(second['result'].content[0].text).toBe('asked {"name":"wire"}');
  expect(verify).not.toHaveBeenCalled();
});
