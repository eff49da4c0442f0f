import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LOG_LEVELS } from '../../../src/core/context.js';
import { Principal } from '../../../src/core/principal.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { begin, Conversation, ENVELOPE } from '../../support/conversation.js';
import { protocolLayer, QUIET } from '../../support/protocol-layer.js';

/** Lets change notifications, which are told in a later microtask, arrive. */
const told = () => sleep(0);

describe('initialize', () => {
  test('answers with what there is: versions, capabilities, who the server is, how to use it', async () => {
    const result = await new Conversation(
      protocolLayer({ description: 'x', websiteUrl: 'https://example.com' }),
    ).initialize('2025-06-18');
    expect(result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: {
        logging: {},
        completions: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      },
      serverInfo: { name: 'protocol', version: '1.2.3', title: 'Protocol' },
      instructions: 'Ask.',
    });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('echoes %s', async (version) => {
    expect((await new Conversation(protocolLayer()).initialize(version)).protocolVersion).toBe(version);
  });

  test('offers only what the layer has, and the methods of the rest are unknown', async () => {
    const layer = new McpLayer({ name: 'small', version: '1', logger: QUIET });
    layer.registry.tool({ name: 'one' }, () => 1);
    const client = new Conversation(layer);
    expect((await client.initialize()).capabilities).toEqual({ logging: {}, tools: { listChanged: true } });
    expect(await client.error('prompts/list')).toMatchObject({ code: -32601 });
    expect(await client.error('resources/subscribe', { uri: 'docs://a' })).toMatchObject({ code: -32601 });
    expect(await client.error('completion/complete', {})).toMatchObject({ code: -32601 });
  });

  test('does not offer what the filters leave out', async () => {
    const client = new Conversation(protocolLayer({ includeCategories: ['nothing'] }));
    expect((await client.initialize()).capabilities).toEqual({ logging: {} });
  });

  test('keeps offering a list that became empty, and serves one that was not there', async () => {
    const layer = new McpLayer({ name: 'small', version: '1', logger: QUIET });
    const client = await begin(layer);
    layer.registry.tool({ name: 'one' }, () => 1);
    expect((await client.result('tools/list')).tools).toHaveLength(1);
    layer.registry.remove('tool', 'one');
    expect((await client.result('tools/list')).tools).toEqual([]);
  });

  test('offers what the options name before there is any', async () => {
    const layer = new McpLayer({ name: 'small', version: '1', logger: QUIET });
    const client = new Conversation(new NativeMcpServer(layer, { features: ['prompts'], listChanged: false }));
    expect((await client.initialize()).capabilities).toEqual({ logging: {}, prompts: {} });
  });

  test('is refused a second time, and the session lives on', async () => {
    const client = await begin(protocolLayer());
    expect(await client.error('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({ code: -32600 });
    expect((await client.result('tools/call', { name: 'no_arguments' })).content[0].text).toBe('nothing needed');
  });

  test.each([
    [{}],
    [{ protocolVersion: 5 }],
    [{ protocolVersion: '2025-11-25', capabilities: [] }],
    [{ protocolVersion: 'x', clientInfo: 'me' }],
  ])('with %j is refused, and can be sent again', async (params) => {
    const client = new Conversation(protocolLayer());
    expect(await client.error('initialize', params)).toMatchObject({ code: -32602 });
    await client.initialize();
  });

  test('takes null for parameters as none', async () => {
    const client = new Conversation(protocolLayer());
    expect(await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: null })).toMatchObject({
      error: { code: -32602 },
    });
  });

  test('comes first: before it only ping is answered', async () => {
    const client = new Conversation(protocolLayer());
    expect(await client.result('ping')).toEqual({});
    expect(await client.error('tools/list')).toMatchObject({ code: -32600 });
    expect(await client.error('nothing/like/it')).toMatchObject({ code: -32600 });
  });
});

describe('tools/call', () => {
  test('answers with the result, and an unknown tool with -32602', async () => {
    const client = await begin(protocolLayer());
    expect(await client.result('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      isError: false,
    });
    expect(await client.error('tools/call', { name: 'nope' })).toMatchObject({
      code: -32602,
      message: 'Unknown tool: nope',
    });
  });

  test('takes no arguments, or null, for an empty object, and refuses what is no object', async () => {
    const client = await begin(protocolLayer());
    for (const args of [{}, { arguments: null }, { arguments: {} }]) {
      expect((await client.result('tools/call', { name: 'no_arguments', ...args })).isError).toBe(false);
    }
    for (const args of [[], 'x', 3, true]) {
      expect(await client.error('tools/call', { name: 'echo', arguments: args })).toMatchObject({ code: -32602 });
    }
    expect(await client.error('tools/call', {})).toMatchObject({ code: -32602 });
    expect(await client.error('tools/call', { name: 5 })).toMatchObject({ code: -32602 });
  });

  test('tells a model of bad arguments and failures, and nobody of what broke', async () => {
    const client = await begin(protocolLayer());
    const bad = await client.result('tools/call', { name: 'echo', arguments: {} });
    expect(bad).toMatchObject({ isError: true, content: [{ text: 'Invalid arguments: text: is required' }] });
    const failed = await client.result('tools/call', { name: 'fails' });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'the disk is full' }] });
    const broken = await client.result('tools/call', { name: 'breaks' });
    expect(broken.isError).toBe(true);
    expect(JSON.stringify(broken)).not.toContain('secret');
  });

  test('a tool that needs a capability the client lacks tells the model so', async () => {
    const client = await begin(protocolLayer());
    expect(await client.result('tools/call', { name: 'needs_sampling' })).toEqual({
      content: [{ type: 'text', text: 'a MissingCapabilityError' }],
      isError: true,
    });
  });
});

describe('resources, prompts and completions', () => {
  test('a resource that is not there is -32002 with its URI, also when a handler says so', async () => {
    const client = await begin(protocolLayer());
    expect(await client.error('resources/read', { uri: 'docs://nope' })).toEqual({
      code: -32002,
      message: 'Resource not found: docs://nope',
      data: { uri: 'docs://nope' },
    });
    expect(await client.error('resources/read', { uri: 'docs://pages/none' })).toEqual({
      code: -32002,
      message: 'No such page.',
      data: { uri: 'docs://pages/none', nearest: ['one'] },
    });
    expect(await client.error('resources/read', { uri: 'docs://broken' })).toMatchObject({ code: -32603 });
    expect(await client.error('resources/read', {})).toMatchObject({ code: -32602 });
  });

  test('are read, got and completed', async () => {
    const client = await begin(protocolLayer());
    expect(await client.result('resources/read', { uri: 'docs://pages/one' })).toEqual({
      contents: [{ uri: 'docs://pages/one', mimeType: 'application/json', text: '{"page":"one"}' }],
    });
    expect((await client.result('prompts/get', { name: 'greet', arguments: { who: 'you' } })).messages[0]).toEqual({
      role: 'user',
      content: { type: 'text', text: 'Hello you' },
    });
    const complete = (ref: object, name: string, value = '') =>
      client.result('completion/complete', { ref, argument: { name, value }, context: { arguments: { other: 'x' } } });
    const { completion } = await complete({ type: 'ref/prompt', name: 'greet' }, 'who');
    expect(completion).toMatchObject({ total: 250, hasMore: true });
    expect(completion.values).toHaveLength(100);
    const pages = await complete({ type: 'ref/resource', uri: 'docs://pages/{page}' }, 'page', 't');
    expect(pages.completion.values).toEqual(['two', 'three']);
    expect((await complete({ type: 'ref/prompt', name: 'unknown' }, 'who')).completion.values).toEqual([]);
  });

  test.each([
    [{}],
    [{ ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'a', value: '' } }],
    [{ ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } }],
    [{ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'a' } }],
    [{ ref: { type: 'ref/prompt', name: 'greet' }, argument: 'who' }],
    [{ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: '' }, context: [] }],
  ])('completion of %j is -32602', async (params) => {
    expect(await (await begin(protocolLayer())).error('completion/complete', params)).toMatchObject({ code: -32602 });
  });
});

describe('logging', () => {
  const levels = (client: Conversation) =>
    client.messages.map(({ method, params }) => [method, params.level, params.data]);

  test('sends what is at or above the level, which the client sets for the session', async () => {
    const client = await begin(protocolLayer());
    await client.result('tools/call', { name: 'log' });
    expect(levels(client)).toEqual([['notifications/message', 'error', 'it broke']]);
    expect(await client.result('logging/setLevel', { level: 'debug' })).toEqual({});
    client.messages.length = 0;
    await client.result('tools/call', { name: 'log' });
    expect(client.messages[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'debug', logger: 'tests', data: { about: 'details' } },
    });
    expect(client.messages).toHaveLength(2);
    await client.result('logging/setLevel', { level: 'emergency' });
    client.messages.length = 0;
    await client.result('tools/call', { name: 'log' });
    expect(client.messages).toEqual([]);
  });

  test('a level that is none is -32602', async () => {
    const client = await begin(protocolLayer());
    for (const level of ['loud', 3, undefined])
      expect(await client.error('logging/setLevel', { level })).toMatchObject({ code: -32602 });
    expect(client.session.logLevel).toBe(LOG_LEVELS.indexOf('info'));
  });
});

describe('progress', () => {
  test.each([['text'], [0], [7]])('goes out under the token %j, rising, before the answer', async (token) => {
    const client = await begin(protocolLayer());
    await client.result('tools/call', { name: 'progress', _meta: { progressToken: token } });
    expect(client.messages).toEqual(
      [1, 3].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
      })),
    );
    await sleep(20);
    expect(client.messages).toHaveLength(2);
  });

  test('is not sent where it was not asked for', async () => {
    const client = await begin(protocolLayer());
    await client.result('tools/call', { name: 'progress' });
    await client.result('tools/call', { name: 'progress', _meta: { progressToken: {} } });
    expect(client.messages).toEqual([]);
  });
});

describe('cancellation', () => {
  test('ends a call without an answer; unknown and finished ids are ignored', async () => {
    const client = await begin(protocolLayer());
    const pending = client.request('tools/call', { name: 'wait' }, 'w');
    await client.notify('notifications/cancelled', { requestId: 'w', reason: 'enough' });
    expect(await pending).toBeUndefined();
    expect(client.session.runningCount).toBe(0);
    for (const requestId of ['w', 999, null, {}, undefined])
      await client.notify('notifications/cancelled', { requestId });
    expect(await client.result('ping')).toEqual({});
    expect(client.messages).toEqual([]);
  });

  test('ends a call whose handler never looks', async () => {
    const client = await begin(protocolLayer());
    const pending = client.request('tools/call', { name: 'deaf' }, 5);
    await client.notify('notifications/cancelled', { requestId: 5 });
    expect(await pending).toBeUndefined();
  });

  test('knows the number 1 from the text 1', async () => {
    const client = await begin(protocolLayer());
    const pending = client.request('tools/call', { name: 'wait', arguments: { ms: 5 } }, 1);
    await client.notify('notifications/cancelled', { requestId: '1' });
    expect(await pending).toMatchObject({ id: 1, result: { isError: false } });
  });

  test('an id that still runs is refused, and what runs goes on', async () => {
    const client = await begin(protocolLayer());
    const pending = client.request('tools/call', { name: 'wait', arguments: { ms: 5 } }, 1);
    expect(await client.request('ping', undefined, 1)).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await pending).toMatchObject({ id: 1, result: { isError: false } });
    expect(await client.request('ping', undefined, 1)).toMatchObject({ id: 1, result: {} });
  });

  test('where ids need not be unique, both run, and a cancellation ends both', async () => {
    const server = new NativeMcpServer(protocolLayer());
    const session = server.createSession({ transport: 'http', send: () => {} });
    await session.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    const call = (ms: number) =>
      session.handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { ms } } });
    expect(await Promise.all([call(10), call(1), call(5)])).toMatchObject([
      { result: {} },
      { result: {} },
      { result: {} },
    ]);
    expect(session.runningCount).toBe(0);
    const both = Promise.all([call(60_000), call(60_000)]);
    await session.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await both).toEqual([undefined, undefined]);
  });

  test('closing a session cancels what runs', async () => {
    const client = await begin(protocolLayer());
    const pending = client.request('tools/call', { name: 'wait' });
    client.close();
    expect(await pending).toBeUndefined();
    expect(await client.request('ping')).toBeUndefined();
  });
});

describe('changes', () => {
  test('reach sessions that are ready, one message a change', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const early = new Conversation(server);
    await early.result('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    const ready = await begin(server);
    layer.notifyChange('tools');
    layer.notifyChange('tools');
    layer.notifyChange('prompts');
    layer.registry.remove('resource', 'docs://broken');
    await told();
    expect(early.messages).toEqual([]);
    expect(ready.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed' },
    ]);
    await early.notify('notifications/initialized');
    layer.notifyChange('tools');
    await told();
    expect(early.messages).toHaveLength(1);
  });

  test('of one resource reach whoever subscribed to it, until they unsubscribe', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const [subscriber, other] = [await begin(server), await begin(server)];
    expect(await subscriber.result('resources/subscribe', { uri: 'docs://guide' })).toEqual({});
    expect(await subscriber.result('resources/subscribe', { uri: 'docs://pages/one' })).toEqual({});
    layer.notifyChange('resource', 'docs://guide');
    layer.notifyChange('resource', 'docs://pages/two');
    await told();
    expect(subscriber.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'docs://guide' } },
    ]);
    expect(other.messages).toEqual([]);
    expect(await subscriber.result('resources/unsubscribe', { uri: 'docs://guide' })).toEqual({});
    expect(await subscriber.result('resources/unsubscribe', { uri: 'docs://never' })).toEqual({});
    layer.notifyChange('resource', 'docs://guide');
    await told();
    expect(subscriber.messages).toHaveLength(1);
    expect(await subscriber.error('resources/subscribe', { uri: 'docs://nope' })).toMatchObject({ code: -32002 });
    expect(await subscriber.error('resources/subscribe', {})).toMatchObject({ code: -32602 });
  });

  test('are not told where the author says so', async () => {
    const layer = protocolLayer();
    const client = new Conversation(new NativeMcpServer(layer, { listChanged: false, subscribe: false }));
    expect((await client.initialize()).capabilities).toMatchObject({ tools: {}, resources: {} });
    layer.notifyChange('tools');
    await told();
    expect(client.messages).toEqual([]);
    expect(await client.error('resources/subscribe', { uri: 'docs://guide' })).toMatchObject({ code: -32601 });
  });

  test('stop with the session and with the server', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const [first, second] = [await begin(server), await begin(server)];
    first.close();
    expect(server.sessionCount).toBe(1);
    server.close();
    server.close();
    expect(server.sessionCount).toBe(0);
    layer.notifyChange('tools');
    await told();
    expect([...first.messages, ...second.messages]).toEqual([]);
  });

  test('a carrier that throws stops nobody else', async () => {
    const layer = protocolLayer();
    const server = new NativeMcpServer(layer);
    const session = server.createSession({
      transport: 'memory',
      send: () => {
        throw new Error('gone');
      },
    });
    await session.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    await session.handle({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const other = await begin(server);
    layer.notifyChange('tools');
    await told();
    expect(other.messages).toHaveLength(1);
  });
});

describe('requests to the client', () => {
  test('wait for its response; an error of it is thrown', async () => {
    const client = await begin(protocolLayer());
    const roots = client.session.request('roots/list');
    const sampled = client.session.request('sampling/createMessage', { maxTokens: 1 });
    expect(client.messages).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
      { jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: { maxTokens: 1 } },
    ]);
    await client.send({ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'declined', data: 'x' } });
    await client.send({ jsonrpc: '2.0', id: 77, result: {} });
    await client.send({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    expect(await roots).toEqual({ roots: [] });
    await expect(sampled).rejects.toMatchObject({
      name: 'ClientRequestError',
      code: -1,
      message: 'declined',
      data: 'x',
    });
  });

  test('are withdrawn when nobody waits any more or the time is up, and end with the session', async () => {
    const client = await begin(protocolLayer());
    const controller = new AbortController();
    const withdrawn = client.session.request('roots/list', {}, { signal: controller.signal });
    const late = client.session.request('roots/list', {}, { timeoutMs: 1 });
    controller.abort();
    await expect(withdrawn).rejects.toMatchObject({ name: 'CancelledError' });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(client.messages.slice(2)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { method: 'notifications/cancelled', params: { requestId: 2 } },
    ]);
    await expect(client.session.request('roots/list', {}, { signal: controller.signal })).rejects.toMatchObject({
      name: 'CancelledError',
    });
    const orphan = client.session.request('roots/list');
    client.close();
    await expect(orphan).rejects.toMatchObject({ name: 'CancelledError' });
  });
});

describe('batches', () => {
  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test('are answered in 2025-03-26: requests in order, notifications not at all', async () => {
    const client = await begin(protocolLayer(), '2025-03-26');
    const reply = await client.send([
      ping(1),
      { jsonrpc: '2.0', method: 'notifications/unheard/of' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      5,
      [],
      { jsonrpc: '2.0', id: 3, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
    ]);
    expect(reply.map(({ id, error }: any) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, -32601],
      [null, -32600],
      [null, -32600],
      [3, -32600],
    ]);
    expect(await client.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toBeUndefined();
  });

  test('with a call and its cancellation are answered without it', async () => {
    const client = await begin(protocolLayer(), '2025-03-26');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await client.send([call, cancel])).toBeUndefined();
    expect(await client.send([call, ping(2), cancel])).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  test.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
    'are refused in %s, and nothing of them is done',
    async (version) => {
      const client = await begin(protocolLayer(), version);
      expect(await client.send([ping(1)])).toMatchObject({ id: null, error: { code: -32600 } });
    },
  );

  test('are refused when they are empty, before initialize, or hold a modern request', async () => {
    expect(await new Conversation(protocolLayer()).send([ping(1)])).toMatchObject({
      id: null,
      error: { code: -32600 },
    });
    const client = await begin(protocolLayer(), '2025-03-26');
    expect(await client.send([])).toMatchObject({ id: null, error: { code: -32600 } });
    const modern = { ...ping(1), method: 'tools/list', params: { _meta: ENVELOPE } };
    expect(await client.send([ping(2), modern])).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('identity', () => {
  test('is asked of the resolver once a session, with what the client says of itself', async () => {
    const layer = protocolLayer();
    const seen: unknown[] = [];
    layer.registry.tool({ name: 'who' }, (_args, { principal, info, session }) => [
      principal.id,
      info?.clientInfo,
      session,
    ]);
    const server = new NativeMcpServer(layer, {
      principalResolver: (info) => {
        seen.push(info.clientInfo);
        return new Principal({ id: `resolved ${String(info.clientInfo?.['name'])}` });
      },
    });
    const client = await begin(server);
    const { structuredContent } = await client.result('tools/call', { name: 'who' });
    await client.result('tools/call', { name: 'who' });
    expect(structuredContent.result).toEqual(['resolved tests', { name: 'tests', version: '0' }, null]);
    expect(seen).toEqual([{ name: 'tests', version: '0' }]);
  });

  test('is the default when the resolver throws or does not say', async () => {
    const layer = protocolLayer();
    layer.registry.tool({ name: 'who' }, (_args, { principal }) => principal.id);
    for (const principalResolver of [
      () => undefined,
      () => {
        throw new Error('no directory');
      },
    ]) {
      const client = await begin(new NativeMcpServer(layer, { principalResolver }));
      expect((await client.result('tools/call', { name: 'who' })).structuredContent.result).toBe('local');
    }
  });

  test('a policy that throws is an internal error, not a lost request', async () => {
    const policy = {
      name: 'broken',
      scopeOf: () => '',
      decide: () => {
        throw new Error('no rules');
      },
    };
    const client = await begin(protocolLayer({ policy }));
    for (const [method, params] of [
      ['resources/subscribe', { uri: 'docs://guide' }],
      ['tools/list', {}],
      ['tools/call', { name: 'echo' }],
    ] as const) {
      expect(await client.error(method, params)).toMatchObject({ code: -32603 });
    }
  });
});

test('a session is small: two kilobytes at most, with what its client said of itself', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const server = new NativeMcpServer(protocolLayer());
  const open = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const session = server.createSession({ transport: 'http', id: `session ${i}`, send: () => {} });
      const params = JSON.parse(
        '{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"n","version":"1"}}',
      );
      await session.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      await session.handle({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'no_arguments' } });
    }
  };
  await open(100);
  const before = heap();
  await open(2000);
  expect((heap() - before) / 2000).toBeLessThan(2048);
  expect(server.sessionCount).toBe(2100);
  server.close();
});

test('the options are checked, all at once', () => {
  const layer = protocolLayer({ policy: { name: 'p', scopeOf: () => '', decide: () => ({ allowed: true }) } });
  const build = () =>
    new NativeMcpServer(layer, {
      pageSize: 0,
      maxListenStreams: 1.5,
      logLevel: 'loud' as never,
      cacheHints: { 'tools/call': {}, 'tools/list': { cacheScope: 'public' }, 'prompts/list': { ttlMs: -1 } } as never,
    });
  expect(build).toThrow(/^6 findings/);
});
