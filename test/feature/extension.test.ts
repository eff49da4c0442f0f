import { ConfigurationError, type Extension, McpLayer, McpLayerError, type McpLayerOptions } from 'cartouche';
import { Conversation } from '../support/conversation.js';
import { FRONTS, modern, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

const ID = 'io.example/ping';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const DECLARED = { [CAPABILITIES]: { extensions: { [ID]: { loud: true } } } };

/** An extension as somebody outside would write it. */
class PingExtension implements Extension {
  readonly id = ID;
  readonly calls: string[] = [];
  readonly methods: Extension['methods'] = [
    {
      name: 'example/ping',
      nameParam: 'target',
      run: ({ params, era, protocolVersion, principal, clientSettings }) => {
        if (params['target'] === 'broken')
          return { pong: Object.assign(new Error('secret'), { toJSON: () => 'secret' }) };
        if (params['target'] === 'nobody') throw new McpLayerError('Nobody is there.', undefined, { code: -32602 });
        return { pong: params['target'], era, protocolVersion, caller: principal.id, clientSettings };
      },
    },
    { name: 'example/old', eras: ['handshake'], run: () => ({ old: true }) },
  ];
  readonly around: Extension['around'] = {
    'tools/call': async (request, next) => {
      if (request.params['name'] !== 'slow') return next();
      const { content } = await next();
      return request.era === 'modern' ? { resultType: 'task', taskId: 't1', content } : { content, late: true };
    },
  };
  readonly listen: Extension['listen'] = {
    pingIds: (value, stream) => {
      this.tell = (id) => stream.notify('notifications/example/ping', { id });
      stream.notify('notifications/example/ping', { id: 'early' });
      stream.onEnd(() => this.calls.push('ended'));
      return (value as string[]).filter((id) => id !== 'foreign');
    },
  };
  tell: (id: string) => void = () => undefined;

  settings(): Record<string, unknown> {
    return { version: 1 };
  }

  start(): void {
    this.calls.push('start');
  }

  close(): void {
    this.calls.push('close');
  }
}

function makeLayer(...extensions: Extension[]): McpLayer {
  return layerOf(
    (registry) => {
      registry.tool({ name: 'slow' }, () => 'done');
      registry.tool({ name: 'quick' }, () => 'done');
    },
    { extensions },
  );
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function talk(layer: McpLayer): Conversation {
  const conversation = new Conversation(layer);
  open.push(conversation);
  return conversation;
}

describe('an extension, in both eras', () => {
  it('is told of among the capabilities, with its settings', async () => {
    const client = talk(makeLayer(new PingExtension()));
    const discovered = (await client.modern('server/discover')).result;
    expect(discovered.capabilities.extensions).toEqual({ [ID]: { version: 1 } });
    expect((await client.initialize()).capabilities.extensions).toEqual({ [ID]: { version: 1 } });
    expect((await talk(makeLayer()).initialize()).capabilities).not.toHaveProperty('extensions');
  });

  it('answers its method', async () => {
    const client = talk(makeLayer(new PingExtension()));
    const answer = await client.modern('example/ping', { target: 'a' }, DECLARED);
    const base = { pong: 'a', caller: 'local', clientSettings: { loud: true } };
    expect(answer.result).toMatchObject({ ...base, resultType: 'complete', era: 'modern' });
    await client.initialize('2025-06-18', { extensions: { [ID]: { loud: true } } });
    expect(await client.result('example/ping', { target: 'a' })).toEqual({
      ...base,
      era: 'handshake',
      protocolVersion: '2025-06-18',
    });
    expect(await client.error('example/ping', { target: 'nobody' })).toMatchObject({ code: -32602 });
  });

  it('says no more of an Error in its answer than its name', async () => {
    const client = talk(makeLayer(new PingExtension()));
    const answer = await client.modern('example/ping', { target: 'broken' }, DECLARED);
    expect(answer.result.pong).toEqual({ name: 'Error', error_id: expect.any(String) });
  });

  it('refuses clients that did not declare it, and leaves what it wraps as it is for them', async () => {
    const client = talk(makeLayer(new PingExtension()));
    expect((await client.modern('example/ping', { target: 'a' })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    });
    expect((await client.modern('tools/call', { name: 'slow' })).result.resultType).toBe('complete');
    await client.initialize();
    expect((await client.error('example/ping', { target: 'a' })).code).toBe(-32601);
  });

  it('is unknown where it is not installed, and a method where its era is another', async () => {
    expect((await talk(makeLayer()).modern('example/ping', {}, DECLARED)).error.code).toBe(-32601);
    const client = talk(makeLayer(new PingExtension()));
    expect((await client.modern('example/old', {}, DECLARED)).error.code).toBe(-32601);
    await client.initialize('2025-11-25', { extensions: { [ID]: {} } });
    expect(await client.result('example/old')).toEqual({ old: true });
  });

  it('answers a tool call with another type of result', async () => {
    const client = talk(makeLayer(new PingExtension()));
    const slow = (await client.modern('tools/call', { name: 'slow' }, DECLARED)).result;
    expect(slow).toMatchObject({ resultType: 'task', taskId: 't1', content: [{ type: 'text', text: 'done' }] });
    const quick = (await client.modern('tools/call', { name: 'quick' }, DECLARED)).result;
    expect(quick.resultType).toBe('complete');
    await client.initialize('2025-11-25', { extensions: { [ID]: {} } });
    expect(await client.result('tools/call', { name: 'slow' })).toMatchObject({ late: true });
  });

  it('hides what it breaks behind an error id', async () => {
    const around: Extension['around'] = { 'tools/call': () => 'no object' as never };
    const client = talk(makeLayer({ id: ID, around }));
    const { error } = await client.modern('tools/call', { name: 'quick' }, DECLARED);
    expect(error).toMatchObject({ code: -32603, data: { error_id: 'id-1' } });
  });

  it('starts and stops with the layer, once', async () => {
    const extension = new PingExtension();
    const layer = makeLayer(extension);
    await layer.start();
    await layer.start();
    await layer.close();
    expect(extension.calls).toEqual(['start', 'close']);
  });
});

describe('a listen filter of an extension', () => {
  it('is honoured, acknowledged first, and tagged', async () => {
    const extension = new PingExtension();
    const client = talk(makeLayer(extension));
    const notifications = { pingIds: ['a', 'foreign'], unknownKey: true };
    void client.modern('subscriptions/listen', { notifications }, DECLARED, 7);
    await new Promise(setImmediate);
    extension.tell('late');
    const tag = { 'io.modelcontextprotocol/subscriptionId': 7 };
    expect(client.messages.map(({ method, params }) => [method, params])).toEqual([
      ['notifications/subscriptions/acknowledged', { notifications: { pingIds: ['a'] }, _meta: tag }],
      ['notifications/example/ping', { id: 'early', _meta: tag }],
      ['notifications/example/ping', { id: 'late', _meta: tag }],
    ]);
    await client.notify('notifications/cancelled', { requestId: 7 });
    await new Promise(setImmediate);
    extension.tell('too late');
    expect(client.messages).toHaveLength(3);
    expect(extension.calls).toEqual(['ended']);
  });

  it('is refused to a client that did not declare the extension', async () => {
    const client = talk(makeLayer(new PingExtension()));
    const { error } = await client.modern('subscriptions/listen', { notifications: { pingIds: [] } });
    expect(error.code).toBe(-32021);
  });
});

describe.each(FRONTS)('an extension over HTTP, through the %s handler', (_front, makeTarget) => {
  const ping = (name: string | undefined) => {
    const sent = modern('example/ping', { target: 'a' }, DECLARED);
    return { ...sent, headers: { ...sent.headers, ...(name === undefined ? {} : { 'mcp-name': name }) } };
  };
  let target: Target;
  beforeEach(async () => {
    target = await makeTarget(makeLayer(new PingExtension()));
    open.push(target);
  });

  it('has the header of its method checked', async () => {
    expect((await target.send(ping('a'))).json.result.pong).toBe('a');
    for (const name of [undefined, 'b']) {
      const { status, json } = await target.send(ping(name));
      expect([status, json.error.code]).toEqual([400, -32020]);
    }
  });

  it('answers with the statuses of the protocol', async () => {
    const undeclared = await target.send(modern('example/old', {}));
    expect([undeclared.status, undeclared.json.error.code]).toEqual([404, -32601]);
    const sent = modern('example/ping', { target: 'a' });
    const refused = await target.send({ ...sent, headers: { ...sent.headers, 'mcp-name': 'a' } });
    expect([refused.status, refused.json.error.code]).toEqual([400, -32021]);
  });
});

test.each([
  ['a bad id', [{ id: 'ping' }], "extensions[0]: id 'ping' is not a valid id"],
  ['no object', [7], 'extensions[0] must be an object'],
  ['one id twice', [{ id: ID }, { id: ID }], `the id '${ID}' is taken by '${ID}'`],
  ['a wrong member', [{ id: ID, start: 1 }], 'start must be a function'],
  ['a method without run', [{ id: ID, methods: [{ name: 'a/b' }] }], 'methods[0]: no run'],
  ['an era of none', [{ id: ID, eras: ['new'] }], 'eras must be a list of eras'],
  [
    'a method twice',
    ['a.b/c', 'a.b/d'].map((id) => ({ id, methods: [{ name: 'a/b', run: () => ({}) }] })),
    "the method 'a/b' is taken by 'a.b/c'",
  ],
  [
    "a method of the protocol's",
    [{ id: ID, methods: [{ name: 'tools/call', run: () => ({}) }] }],
    "the method 'tools/call' is the protocol's",
  ],
  ['a wrapped method that is none', [{ id: ID, around: { ping: () => ({}) } }], "'ping' cannot be wrapped"],
  ['a key of the protocol', [{ id: ID, listen: { toolsListChanged: () => true } }], 'toolsListChanged'],
])('%s is a finding', (_what, extensions, finding) => {
  const options = { name: 'x', version: '1', extensions } as unknown as McpLayerOptions;
  expect(() => new McpLayer(options)).toThrow(ConfigurationError);
  expect(() => new McpLayer(options)).toThrow(finding);
});
