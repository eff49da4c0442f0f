import { fetchTarget, FRONTS, META, modern, nodeTarget, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';
import { MissingCapabilityError } from '../../src/core/errors.js';

const HEADER_INPUT = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limit: { type: 'integer', 'x-mcp-header': 'Limit' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    where: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
  },
};

const makeLayer = () =>
  layerOf((registry) => {
    registry.tool({ name: 'echo', input: { type: 'object' } }, (args) => args);
    registry.tool({ name: 'sql', input: HEADER_INPUT }, () => 'done');
    registry.tool({ name: 'progress' }, (_args, ctx) => {
      for (const done of [1, 1, 3, 2]) ctx.reportProgress(done, 3);
      ctx.log('warning', 'careful');
      return 'done';
    });
    registry.tool({ name: 'samples' }, () => {
      throw new MissingCapabilityError('This tool samples.', { sampling: {} });
    });
    registry.resource({ uri: 'docs://a', name: 'a' }, () => 'text');
  });

describe.each(FRONTS)('2026-07-28 through the %s handler', (_front, makeTarget) => {
  let target: Target;

  beforeAll(async () => {
    target = await makeTarget(makeLayer());
  });

  afterAll(() => target.close());

  const call = (name: string, args: object = {}, headers: Record<string, string | undefined> = {}, more = {}) => {
    const sent = modern('tools/call', { name, arguments: args }, more);
    return target.send({ ...sent, headers: { ...sent.headers, ...headers } });
  };

  it('answers as JSON while there is nothing else to say, and mints no session', async () => {
    const answer = await call('echo', { a: 1 }, { 'mcp-session-id': 'abc' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(answer.json).toMatchObject({ id: 1, result: { resultType: 'complete', structuredContent: { a: 1 } } });
  });

  it('answers as events once there is, in order, with the token as it came', async () => {
    const answer = await call('progress', {}, {}, { progressToken: 0, 'io.modelcontextprotocol/logLevel': 'info' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-cache, no-transform',
    });
    expect(answer.messages.map(({ method, params }) => [method, params?.progressToken, params?.progress])).toEqual([
      ['notifications/progress', 0, 1],
      ['notifications/progress', 0, 3],
      ['notifications/message', undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(answer.text).not.toMatch(/^(id|retry|event):/m);
  });

  it('sends no progress and no log to a client that did not ask', async () => {
    expect((await call('progress')).headers['content-type']).toBe('application/json');
  });

  it('sends no events to a client that takes JSON only, and no JSON to one that takes events only', async () => {
    const asked = { progressToken: 't' };
    expect((await call('progress', {}, { accept: 'application/json' }, asked)).headers['content-type']).toBe(
      'application/json',
    );
    expect((await call('echo', {}, { accept: 'text/event-stream' })).headers['content-type']).toBe('text/event-stream');
    expect((await call('echo', {}, { accept: 'text/html' })).status).toBe(406);
    expect((await call('echo', {}, { accept: '*/*' })).status).toBe(200);
  });

  it('answers a capability that a handler finds missing with 400', async () => {
    const answer = await call('samples');
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      id: 1,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    });
  });

  it.each<[string, object, number, number]>([
    ['no _meta', {}, 400, -32602],
    ['no version', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }, 400, -32602],
    ['no capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, 400, -32602],
    [
      'capabilities that are a list',
      { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': [] } },
      400,
      -32602,
    ],
    ['a version that differs', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 'v999' } }, 400, -32020],
  ])('refuses an envelope with %s', async (_what, params, status, code) => {
    const sent = modern('tools/list');
    const answer = await target.send({ ...sent, body: { jsonrpc: '2.0', id: 'x', method: 'tools/list', params } });
    expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([status, code, 'x']);
  });

  it('says which versions it speaks to a client that names another', async () => {
    const answer = await target.send({
      headers: { 'mcp-protocol-version': 'v999.0.0', 'mcp-method': 'server/discover' },
      body: {
        jsonrpc: '2.0',
        id: 0,
        method: 'server/discover',
        params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' } },
      },
    });
    expect([answer.status, answer.json.id]).toEqual([400, 0]);
    expect(answer.json.error).toMatchObject({
      code: -32022,
      data: { requested: 'v999.0.0', supported: ['2026-07-28'] },
    });
  });

  it.each<[string, Record<string, string | undefined>, number]>([
    ['the right ones', {}, 200],
    ['spaces around them', { 'mcp-name': '  echo ', 'mcp-method': '\ttools/call' }, 200],
    ['a base64 name', { 'mcp-name': '=?base64?ZWNobw==?=' }, 200],
    ['base64 that is none', { 'mcp-name': '=?base64?ZWNobw=?=' }, 400],
    ['a name that differs', { 'mcp-name': 'sql' }, 400],
    ['a name in other letters', { 'mcp-name': 'ECHO' }, 400],
    ['no name', { 'mcp-name': undefined }, 400],
    ['a name that hides another header', { 'mcp-name': '=?base64?ZWNobw0KWC1BOiBi?=' }, 400],
    ['a method in other letters', { 'mcp-method': 'TOOLS/CALL' }, 400],
    ['no method', { 'mcp-method': undefined }, 400],
    ['no version', { 'mcp-protocol-version': undefined }, 400],
  ])('compares headers with the body: %s', async (_what, headers, status) => {
    const answer = await call('echo', {}, headers);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  it.each<[string, object, Record<string, string>, number]>([
    ['a match', { region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
    ['a base64 match', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8=?=' }, 200],
    ['a whole number written with a fraction', { limit: 42 }, { 'mcp-param-limit': '42.0' }, 200],
    ['a boolean', { dry: false }, { 'mcp-param-dry': 'false' }, 200],
    ['an argument further down', { where: { zone: 'b' } }, { 'mcp-param-zone': 'b' }, 200],
    ['neither', {}, {}, 200],
    ['null without a header', { region: null }, {}, 200],
    ['a header of no annotation', {}, { 'mcp-param-other': 'x' }, 200],
    ['a difference', { region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    ['no header', { region: 'eu' }, {}, 400],
    ['a header for nothing', {}, { 'mcp-param-region': 'eu' }, 400],
    ['another number', { limit: 42 }, { 'mcp-param-limit': '43' }, 400],
    ['a number in hexadecimal', { limit: 42 }, { 'mcp-param-limit': '0x2a' }, 400],
    ['bad base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 400],
  ])('compares annotated arguments with their headers: %s', async (_what, args, headers, status) => {
    const answer = await call('sql', args, headers);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.error.code).toBe(-32020);
    else if (!Object.values(args).includes(null)) expect(answer.json.result.isError).toBe(false);
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'unknown/method'])(
    'does not know %s: 404 with an error that tells a server of this era',
    async (method) => {
      const answer = await target.send(modern(method));
      expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([404, -32601, 1]);
    },
  );

  it('answers what is not there in band: a tool, a resource, a cursor', async () => {
    for (const [method, params] of [
      ['tools/call', { name: 'nope' }],
      ['resources/read', { uri: 'docs://nope' }],
      ['tools/list', { cursor: 'bogus' }],
    ] as const) {
      const answer = await target.send(modern(method, params));
      expect([method, answer.status, answer.json.error.code]).toEqual([method, 200, -32602]);
    }
  });

  it.each<[string, unknown, number]>([
    ['no JSON', '{"jsonrpc"', -32700],
    ['nothing', '', -32700],
    ['no UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), -32700],
    ['a batch', [modern('tools/list').body], -32600],
    ['an empty batch', [], -32600],
    ['text', '"hello"', -32600],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
    ['an id of null', { jsonrpc: '2.0', id: null, method: 'tools/list', params: { _meta: META } }, -32600],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'tools/list', params: { _meta: META } }, -32600],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'tools/list', params: { _meta: META } }, -32600],
    ['parameters in a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, -32600],
    ['another JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'tools/list' }, -32600],
  ])('refuses %s', async (_what, body, code) => {
    const answer = await target.send({ ...modern('tools/list'), body });
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
    expect(answer.json.id).not.toBeNull();
  });

  it('takes the id 0 and an empty one, and gives them back', async () => {
    for (const id of [0, '', '0', 'ü']) {
      const body = { ...(modern('tools/list').body as object), id };
      expect((await target.send({ ...modern('tools/list'), body })).json.id).toBe(id);
    }
  });

  it('takes notifications without an answer', async () => {
    const answer = await target.send({
      headers: { 'mcp-protocol-version': '2026-07-28' },
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('says how long lists may be kept, and nothing of the kind on calls', async () => {
    const list = await target.send(modern('tools/list'));
    expect(list.json.result).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
    expect((await call('echo')).json.result).not.toHaveProperty('ttlMs');
  });

  it('asks for an envelope where only the header names the version', async () => {
    const answer = await target.send({
      headers: { 'mcp-protocol-version': '2026-07-28' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32602]);
  });

  it.each<[string, string, Record<string, string>]>([
    ['GET', '/mcp', { accept: 'text/html' }],
    ['GET', '/mcp', { accept: 'text/event-stream', 'mcp-protocol-version': '2026-07-28' }],
    ['PUT', '/mcp', {}],
    ['PATCH', '/mcp', {}],
    ['OPTIONS', '/mcp', {}],
  ])('does not serve %s %s: 405 with what it does', async (method, path, headers) => {
    const answer = await target.send({ method, path, headers });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST, DELETE']);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['text', { 'content-type': 'text/plain' }],
    ['a form, which a page could send to anyone', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['anything compressed', { 'content-encoding': 'gzip' }],
  ])('does not take %s: 415', async (_what, headers) => {
    const answer = await call('echo', {}, headers);
    expect([answer.status, answer.json.error.code]).toEqual([415, -32600]);
  });
});

describe('the two handlers', () => {
  it('give the same bytes', async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    const make = () =>
      layerOf((registry) => void registry.tool({ name: 'echo', input: { type: 'object' } }, (args) => args), { clock });
    const targets = [await nodeTarget(make()), await fetchTarget(make())];
    for (const sent of [
      modern('tools/list'),
      modern('tools/call', { name: 'echo', arguments: { a: 'ü' } }),
      modern('nope'),
    ]) {
      const [node, web] = await Promise.all(targets.map((target) => target.send(sent)));
      expect(web?.text).toBe(node?.text);
      expect([web?.status, web?.headers['content-type']]).toEqual([node?.status, node?.headers['content-type']]);
    }
    for (const target of targets) await target.close();
  });
});
