import { setTimeout as sleep } from 'node:timers/promises';
import { Principal, RequestInfo } from '../../../src/core/principal.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import type { Exchange } from '../../../src/native/request.js';
import { begin, Conversation, ENVELOPE } from '../../support/conversation.js';
import { protocolLayer, QUIET } from '../../support/protocol-layer.js';

const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'protocol', version: '1.2.3', title: 'Protocol' } };
const KEEP_NOTHING = { ttlMs: 0, cacheScope: 'private' };

const told = () => sleep(0);

/** A carrier's side of one request. */
function exchange(init: Partial<Exchange> = {}): Exchange & { messages: any[] } {
  const messages: any[] = [];
  return {
    info: new RequestInfo({ transport: 'http' }),
    principal: Principal.anonymous(),
    notify: (message) => void messages.push(message),
    messages,
    ...init,
  };
}

test('server/discover says what is served, without a handshake', async () => {
  const client = new Conversation(protocolLayer());
  expect((await client.modern('server/discover')).result).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {
      logging: {},
      completions: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
    },
    instructions: 'Ask.',
    ...KEEP_NOTHING,
    _meta: SERVER,
  });
});

test.each([
  ['tools/list', {}, KEEP_NOTHING],
  ['prompts/list', {}, KEEP_NOTHING],
  ['resources/list', {}, KEEP_NOTHING],
  ['resources/templates/list', {}, KEEP_NOTHING],
  ['resources/read', { uri: 'docs://guide' }, KEEP_NOTHING],
  ['tools/call', { name: 'no_arguments' }, {}],
  ['prompts/get', { name: 'greet', arguments: { who: 'x' } }, {}],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: '' } }, {}],
])(
  '%s says that it is complete, whose it is, and for how long it may be kept where that is defined',
  async (method, params, cache) => {
    const { result } = await new Conversation(protocolLayer()).modern(method, params);
    const { resultType, ttlMs, cacheScope, _meta } = result;
    expect({ resultType, ttlMs, cacheScope }).toEqual({
      resultType: 'complete',
      ttlMs: undefined,
      cacheScope: undefined,
      ...cache,
    });
    expect(_meta).toMatchObject(SERVER);
  },
);

test('none of that reaches a handshake client', async () => {
  const client = await begin(protocolLayer());
  for (const [method, params] of [
    ['tools/list'],
    ['resources/read', { uri: 'docs://guide' }],
    ['tools/call', { name: 'no_arguments' }],
  ] as const) {
    const result = await client.result(method, params);
    for (const key of ['resultType', 'ttlMs', 'cacheScope']) expect(result).not.toHaveProperty(key);
    expect(result._meta ?? {}).not.toHaveProperty(Object.keys(SERVER)[0]!);
  }
});

test('cache hints are the author’s to give, and all pages of a list share them', async () => {
  const layer = protocolLayer();
  const cacheHints = { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' as const }, 'resources/read': { ttlMs: 5 } };
  const client = new Conversation(new NativeMcpServer(layer, { cacheHints, pageSize: 10, identify: false }));
  const { result } = await client.modern('tools/list');
  expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  expect(result).not.toHaveProperty('_meta');
  expect((await client.modern('tools/list', { cursor: result.nextCursor })).result).toMatchObject({
    ttlMs: 60_000,
    cacheScope: 'public',
  });
  expect((await client.modern('resources/read', { uri: 'docs://guide' })).result).toMatchObject({
    ttlMs: 5,
    cacheScope: 'private',
  });
});

describe('the envelope', () => {
  const [version, capabilities] = Object.keys(ENVELOPE) as [string, string];

  test.each([
    ['no version', { [capabilities]: {} }, -32602],
    ['no capabilities', { [version]: '2026-07-28' }, -32602],
    ['capabilities that are a list', { [version]: '2026-07-28', [capabilities]: [] }, -32602],
    ['a version that is a number', { [version]: 2026, [capabilities]: {} }, -32602],
    ['a version of nobody', { [version]: 'v999.0.0', [capabilities]: {} }, -32022],
    ['a handshake version', { [version]: '2025-11-25', [capabilities]: {} }, -32022],
    ['a log level that is none', { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'loud' }, -32602],
  ])('with %s is refused', async (_name, _meta, code) => {
    const client = new Conversation(protocolLayer());
    for (const method of ['tools/list', 'server/discover', 'tools/call']) {
      expect(await client.request(method, { _meta }, 0)).toMatchObject({ id: 0, error: { code } });
    }
  });

  test('is missed where the method is the era’s own', async () => {
    const client = new Conversation(protocolLayer());
    expect(await client.error('server/discover')).toMatchObject({ code: -32602 });
    expect(await client.error('subscriptions/listen', { notifications: {} })).toMatchObject({ code: -32602 });
  });

  test('names the versions that are served when it names another', async () => {
    const { error } = await new Conversation(protocolLayer()).request('server/discover', {
      _meta: { ...ENVELOPE, [version]: 'v9' },
    });
    expect(error.data).toEqual({ supported: ['2026-07-28'], requested: 'v9' });
  });

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'unknown/method',
    'tasks/list',
  ])('makes %s an unknown method', async (method) => {
    const params = { protocolVersion: '2025-11-25', uri: 'docs://guide', level: 'info' };
    expect((await new Conversation(protocolLayer()).modern(method, params)).error).toMatchObject({ code: -32601 });
  });
});

test('methods of what the layer has nothing of are unknown', async () => {
  const client = new Conversation(new McpLayer({ name: 'empty', version: '1', logger: QUIET }));
  for (const method of ['tools/list', 'tools/call', 'prompts/list', 'resources/list', 'completion/complete']) {
    expect((await client.modern(method)).error).toMatchObject({ code: -32601 });
  }
});

test('a resource that is not there is -32602 with its URI, never -32002', async () => {
  const client = new Conversation(protocolLayer());
  expect((await client.modern('resources/read', { uri: 'docs://nope' })).error).toEqual({
    code: -32602,
    message: 'Resource not found: docs://nope',
    data: { uri: 'docs://nope' },
  });
  expect((await client.modern('tools/call', { name: 'nope' })).error).toMatchObject({ code: -32602 });
  expect((await client.modern('prompts/get', { name: 'nope' })).error).toMatchObject({ code: -32602 });
});

test('structured content may be any value', async () => {
  const { result } = await new Conversation(protocolLayer()).modern('tools/call', { name: 'list' });
  expect(result.structuredContent).toEqual(['a', 'b']);
});

test('a handler that needs input gets it asked for, where the protocol lets it', async () => {
  const layer = protocolLayer();
  layer.registry.resource({ uri: 'docs://asks' }, () => layer.callTool('needs_input'));
  const client = new Conversation(layer);
  const asked = {
    resultType: 'input_required',
    inputRequests: { name: { method: 'elicitation/create', params: {} } },
    requestState: 's',
    _meta: SERVER,
  };
  expect((await client.modern('tools/call', { name: 'needs_input' })).result).toEqual(asked);
  expect((await client.modern('resources/read', { uri: 'docs://asks' })).result).toEqual(asked);
  const handshake = await begin(layer);
  expect(await handshake.error('tools/call', { name: 'needs_input' })).toMatchObject({ code: -32603 });
});

test('a capability that the client did not declare is named', async () => {
  expect(
    (await new Conversation(protocolLayer()).modern('tools/call', { name: 'needs_sampling' })).error,
  ).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { sampling: {} } },
  });
});

describe('notifications of a request', () => {
  test('log messages only at the level that the request asks for', async () => {
    const client = new Conversation(protocolLayer());
    await client.modern('tools/call', { name: 'log' });
    expect(client.messages).toEqual([]);
    await client.modern('tools/call', { name: 'log' }, { 'io.modelcontextprotocol/logLevel': 'warning' });
    expect(client.messages.map(({ params }) => params.level)).toEqual(['error']);
    await client.modern('tools/call', { name: 'log' }, { 'io.modelcontextprotocol/logLevel': 'debug' });
    expect(client.messages.map(({ params }) => params.level)).toEqual(['error', 'debug', 'error']);
  });

  test('go to the exchange of the request, before its answer', async () => {
    const server = new NativeMcpServer(protocolLayer());
    const own = exchange();
    const params = { name: 'progress', _meta: { ...ENVELOPE, progressToken: 0 } };
    const response = await server.handleModern({ jsonrpc: '2.0', id: 'p', method: 'tools/call', params }, own);
    expect(own.messages.map(({ params: { progressToken, progress } }) => [progressToken, progress])).toEqual([
      [0, 1],
      [0, 3],
    ]);
    expect(response).toMatchObject({ id: 'p', result: { resultType: 'complete' } });
  });
});

test('a carrier cancels what runs, and nothing is answered', async () => {
  const server = new NativeMcpServer(protocolLayer());
  const own = exchange();
  const pending = server.handleModern(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', _meta: ENVELOPE } },
    own,
  );
  own.running?.cancel('gone');
  expect(await pending).toBeUndefined();
  own.running?.cancel();
});

test('on a pipe a modern request is cancelled by a notification without an envelope', async () => {
  const client = new Conversation(protocolLayer());
  const pending = client.modern('tools/call', { name: 'wait' }, {}, 'w');
  expect(await client.modern('tools/list', {}, {}, 'w')).toMatchObject({ id: 'w', error: { code: -32600 } });
  await client.notify('notifications/cancelled', { requestId: 'w' });
  expect(await pending).toBeUndefined();
});

test('both eras are served on one pipe, each by its own rules', async () => {
  const client = await begin(protocolLayer(), '2024-11-05');
  const [modern, handshake] = await Promise.all([client.modern('tools/list'), client.request('tools/list')]);
  expect(modern.result.tools[0]).toHaveProperty('_meta');
  expect(handshake.result.tools[0]).not.toHaveProperty('_meta');
  expect((await client.modern('resources/read', { uri: 'docs://nope' })).error.code).toBe(-32602);
  expect((await client.error('resources/read', { uri: 'docs://nope' })).code).toBe(-32002);
});

test('handlers see what the request says of its client, and who it comes from', async () => {
  const layer = protocolLayer();
  layer.registry.tool({ name: 'who' }, (_args, { principal, info, meta, requestId }) => ({
    principal: principal.id,
    client: info?.clientInfo?.['name'],
    transport: info?.transport,
    trace: meta['traceparent'],
    requestId,
  }));
  const server = new NativeMcpServer(layer);
  const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' }, traceparent: '00-x' };
  const response: any = await server.handleModern(
    { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'who', _meta } },
    exchange(),
  );
  expect(response.result.structuredContent).toEqual({
    principal: 'anonymous',
    client: 'c',
    transport: 'http',
    trace: '00-x',
    requestId: 9,
  });
});

describe('subscriptions/listen', () => {
  const tag = (id: unknown) => ({ 'io.modelcontextprotocol/subscriptionId': id });

  test('acknowledges first, then tells what was asked for, tagged with its id, and ends with a result', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const client = new Conversation(server);
    const notifications = {
      toolsListChanged: true,
      resourceSubscriptions: ['docs://guide', 'docs://nope'],
      unheardOf: true,
    };
    const ended = client.modern('subscriptions/listen', { notifications }, {}, 0);
    expect(client.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['docs://guide'] }, _meta: tag(0) },
      },
    ]);
    await client.modern('tools/call', { name: 'change_tools' });
    layer.notifyChange('prompts');
    layer.notifyChange('resources');
    layer.notifyChange('resource', 'docs://guide');
    layer.notifyChange('resource', 'docs://pages/one');
    await told();
    expect(client.messages.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: tag(0) } },
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'docs://guide', _meta: tag(0) } },
    ]);
    server.endStreams();
    expect(await ended).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: { resultType: 'complete', _meta: { ...tag(0), ...SERVER } },
    });
    layer.notifyChange('tools');
    await told();
    expect(client.messages).toHaveLength(3);
    expect(server.listenCount).toBe(0);
  });

  test('streams are independent: each has its own kinds, tag and end', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const client = new Conversation(server);
    const one = client.modern('subscriptions/listen', { notifications: { promptsListChanged: true } }, {}, 'one');
    const two = client.modern(
      'subscriptions/listen',
      { notifications: { promptsListChanged: true, toolsListChanged: true } },
      {},
      'two',
    );
    client.messages.length = 0;
    layer.notifyChange('tools');
    layer.notifyChange('prompts');
    await told();
    expect(client.messages.map(({ method, params }) => [method, Object.values(params._meta)[0]])).toEqual([
      ['notifications/tools/list_changed', 'two'],
      ['notifications/prompts/list_changed', 'one'],
      ['notifications/prompts/list_changed', 'two'],
    ]);
    await client.notify('notifications/cancelled', { requestId: 'one' });
    expect(await one).toBeUndefined();
    expect(server.listenCount).toBe(1);
    client.close();
    expect(await two).toBeUndefined();
    expect(server.listenCount).toBe(0);
  });

  test('an empty filter is acknowledged as such and stays open', async () => {
    const server = new NativeMcpServer(protocolLayer(), { listChanged: false, subscribe: false });
    const client = new Conversation(server);
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['docs://guide'] };
    void client.modern('subscriptions/listen', { notifications });
    expect(client.messages[0].params.notifications).toEqual({});
    expect(server.listenCount).toBe(1);
    server.close();
  });

  test.each([
    [{}],
    [{ notifications: [] }],
    [{ notifications: { toolsListChanged: 'yes' } }],
    [{ notifications: { resourceSubscriptions: 'docs://guide' } }],
    [{ notifications: { resourceSubscriptions: [1] } }],
    [{ notifications: { resourceSubscriptions: Array(1001).fill('docs://guide') } }],
  ])('of %j is -32602, and nothing is acknowledged', async (params) => {
    const client = new Conversation(protocolLayer());
    expect((await client.modern('subscriptions/listen', params)).error).toMatchObject({ code: -32602 });
    expect(client.messages).toEqual([]);
  });

  test('too many streams are refused', async () => {
    const client = new Conversation(new NativeMcpServer(protocolLayer(), { maxListenStreams: 1 }));
    void client.modern('subscriptions/listen', { notifications: {} });
    expect((await client.modern('subscriptions/listen', { notifications: {} })).error).toMatchObject({ code: -32603 });
    client.close();
  });
});
