import { TokenAuth, Principal } from 'cartouche';
import { FRONTS, handshake, initialize, modern, type Target } from '../support/http-target.js';
import { deferred, layerOf } from '../support/layers.js';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe.each(FRONTS)('handshake sessions through the %s handler', (_front, makeTarget) => {
  let target: Target;
  const release: Record<string, ReturnType<typeof deferred<void>>> = {};
  const cancelled: unknown[] = [];

  const layer = layerOf((registry) => {
    registry.tool({ name: 'echo', input: { type: 'object' } }, (args) => args);
    registry.tool<{ key: string }>(
      { name: 'wait', input: { type: 'object', properties: { key: { type: 'string' } } } },
      async ({ key }, ctx) => {
        ctx.signal.addEventListener('abort', () => cancelled.push(key));
        await (release[key] ??= deferred()).promise;
        return key;
      },
    );
    registry.tool({ name: 'who' }, (_args, ctx) => ({
      session: ctx.session ?? null,
      client: ctx.info?.clientInfo ?? null,
    }));
    registry.resource({ uri: 'docs://a', name: 'a' }, () => 'text');
  });

  beforeAll(async () => {
    target = await makeTarget(layer);
  });

  afterAll(() => target.close());

  const rpc = (headers: Record<string, string>, method: string, params?: object, id: unknown = 1) =>
    target.send({ headers, body: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) } });

  it.each(VERSIONS)('opens in %s, under an id of visible characters', async (version) => {
    const answer = await target.send({ body: initialize(version) });
    expect(answer.status).toBe(200);
    expect(answer.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]{16,}$/);
    expect(answer.json.result.protocolVersion).toBe(version);
    expect(answer.json.result).not.toHaveProperty('resultType');
  });

  it('answers a version that it does not know with the newest it does, whatever the header says', async () => {
    const answer = await target.send({
      headers: { 'mcp-protocol-version': '2025-03-26' },
      body: initialize('1999-01-01'),
    });
    expect([answer.status, answer.json.result.protocolVersion]).toEqual([200, '2025-11-25']);
  });

  it('serves its client, and tells handlers which session and client it is', async () => {
    const { id, headers } = await handshake(target);
    const answer = await rpc(headers, 'tools/call', { name: 'who' });
    expect(answer.json.result.structuredContent).toEqual({ session: id, client: { name: 'test', version: '1' } });
    expect((await rpc(headers, 'ping')).json.result).toEqual({});
  });

  it('takes the session id under any spelling of its header, and no version header', async () => {
    const { id } = await handshake(target);
    expect((await rpc({ 'MCP-SESSION-ID': id }, 'tools/list')).status).toBe(200);
  });

  it('wants a session id: 400; and a live one: 404', async () => {
    const missing = await rpc({}, 'tools/list', undefined, 'a');
    expect([missing.status, missing.json.id, missing.json.error.code]).toEqual([400, 'a', -32600]);
    const unknown = await rpc({ 'mcp-session-id': 'nope' }, 'tools/list', undefined, 'a');
    expect([unknown.status, unknown.json.id]).toEqual([404, 'a']);
    expect((await target.send({ headers: { 'mcp-session-id': 'nope' }, body: initialize() })).status).toBe(404);
  });

  it('refuses a version that nobody speaks: 400', async () => {
    const { headers } = await handshake(target);
    const answer = await rpc({ ...headers, 'mcp-protocol-version': '1999-01-01' }, 'tools/list');
    expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([400, -32600, 1]);
  });

  it('opens another session for a second initialize without an id, and refuses one with it', async () => {
    const { id, headers } = await handshake(target);
    expect((await handshake(target)).id).not.toBe(id);
    const again = await target.send({ headers, body: initialize('2025-11-25', 'again') });
    expect([again.status, again.json.id, again.json.error.code]).toEqual([400, 'again', -32600]);
    expect((await rpc(headers, 'tools/list')).status).toBe(200);
  });

  it('mints no session for an initialize that fails', async () => {
    const before = target.sessionCount;
    const answer = await target.send({
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 5 } },
    });
    expect(answer.json.error.code).toBe(-32602);
    expect(target.sessionCount).toBe(before);
  });

  it('ends with DELETE, and is 404 from then on', async () => {
    const { headers } = await handshake(target);
    const ended = await target.send({ method: 'DELETE', headers });
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect((await rpc(headers, 'tools/list')).status).toBe(404);
    expect((await target.send({ method: 'DELETE', headers })).status).toBe(404);
    expect((await target.send({ method: 'DELETE' })).status).toBe(400);
  });

  it('serves modern requests beside, whatever session they carry', async () => {
    const { headers } = await handshake(target);
    const sent = modern('tools/list');
    expect((await target.send({ ...sent, headers: { ...headers, ...sent.headers } })).json.result.resultType).toBe(
      'complete',
    );
  });

  it('answers errors in band, in the codes of its era', async () => {
    const { headers } = await handshake(target);
    const answers = [
      await rpc(headers, 'nope/method'),
      await rpc(headers, 'resources/read', { uri: 'docs://nope' }),
      await rpc(headers, 'tools/call', { name: 'nope' }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [200, -32601],
      [200, -32002],
      [200, -32602],
    ]);
  });

  it('takes an id of null for no request: 400, and nothing runs', async () => {
    const { headers } = await handshake(target);
    const answer = await rpc(headers, 'tools/list', undefined, null);
    expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([400, null, -32600]);
  });

  it('tells answers of two sessions apart that ask under one id', async () => {
    const [first, second] = [await handshake(target), await handshake(target)];
    const waiting = [
      rpc(first.headers, 'tools/call', { name: 'wait', arguments: { key: 'a' } }),
      rpc(second.headers, 'tools/call', { name: 'wait', arguments: { key: 'b' } }),
    ];
    (release['b'] ??= deferred()).resolve();
    (release['a'] ??= deferred()).resolve();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ json }) => json.result.structuredContent)).toEqual([{ result: 'a' }, { result: 'b' }]);
  });

  it('withdraws a request when its session says so, in a POST of its own, and leaves it unanswered', async () => {
    const { headers } = await handshake(target);
    const other = await handshake(target);
    const waiting = rpc(headers, 'tools/call', { name: 'wait', arguments: { key: 'c' } }, 5);
    while (release['c'] === undefined) await new Promise((resolve) => setImmediate(resolve));
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    expect((await target.send({ headers: other.headers, body: cancel })).status).toBe(202);
    expect(cancelled).not.toContain('c');
    expect((await target.send({ headers, body: cancel })).status).toBe(202);
    const answer = await waiting;
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(cancelled).toContain('c');
    expect((await target.send({ headers, body: cancel })).status).toBe(202);
  });

  it('ends what runs when its session is deleted', async () => {
    const { headers } = await handshake(target);
    const waiting = rpc(headers, 'tools/call', { name: 'wait', arguments: { key: 'd' } });
    while (release['d'] === undefined) await new Promise((resolve) => setImmediate(resolve));
    await target.send({ method: 'DELETE', headers });
    expect((await waiting).json.error.message).toBe('This was cancelled: its session has ended.');
    expect(cancelled).toContain('d');
  });

  describe('batches', () => {
    const batch = (headers: Record<string, string>, body: unknown[]) => target.send({ headers, body });
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

    it('are answered in 2025-03-26, as one list', async () => {
      const { headers } = await handshake(target, '2025-03-26');
      const answer = await batch(headers, [
        ping(1),
        { jsonrpc: '2.0', method: 'notifications/x' },
        ping(2),
        { jsonrpc: '2.0', id: 3, method: 'nope' },
        5,
      ]);
      expect(answer.status).toBe(200);
      expect(answer.json.map(({ id, error }: any) => [id, error?.code])).toEqual([
        [1, undefined],
        [2, undefined],
        [3, -32601],
        [null, -32600],
      ]);
    });

    it('of notifications only are accepted without an answer, and so are those that withdraw themselves', async () => {
      const { headers } = await handshake(target, '2025-03-26');
      expect((await batch(headers, [{ jsonrpc: '2.0', method: 'notifications/x' }])).status).toBe(202);
      const answer = await batch(headers, [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { key: 'e' } } },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ]);
      expect([answer.status, answer.text]).toEqual([202, '']);
    });

    it.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
      'are refused in %s, and nothing of them runs',
      async (version) => {
        const { headers } = await handshake(target, version);
        const answer = await batch(headers, [ping(1)]);
        expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([400, -32600, null]);
      },
    );

    it('that are empty, hold initialize or a modern request are refused', async () => {
      const { headers } = await handshake(target, '2025-03-26');
      expect((await batch(headers, [])).status).toBe(400);
      expect((await batch(headers, [ping(1), modern('tools/list').body])).status).toBe(400);
      expect((await batch(headers, [initialize()])).json[0].error.code).toBe(-32600);
      expect((await target.send({ body: [initialize()] })).status).toBe(400);
    });
  });
});

describe.each(FRONTS)('sessions of several callers through the %s handler', (_front, makeTarget) => {
  it('belong to the principal that opened them; every request is authenticated', async () => {
    const auth = new TokenAuth({ a: new Principal({ id: 'ana' }), b: new Principal({ id: 'bob' }) });
    const target = await makeTarget(
      layerOf((registry) => void registry.tool({ name: 'who' }, (_args, ctx) => ctx.principal.id)),
      { auth },
    );
    const ana = await handshake(target, '2025-11-25', { authorization: 'Bearer a' });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } };
    const as = (token?: string) =>
      ({ ...ana.headers, authorization: token === undefined ? undefined : `Bearer ${token}` }) as Record<
        string,
        string
      >;
    expect((await target.send({ headers: as('a'), body: list })).json.result.content[0].text).toBe('ana');
    expect((await target.send({ headers: as('b'), body: list })).status).toBe(404);
    expect((await target.send({ headers: as(), body: list })).status).toBe(401);
    expect((await target.send({ headers: { ...as('b'), accept: 'text/event-stream' }, method: 'GET' })).status).toBe(
      404,
    );
    expect((await target.send({ headers: as('b'), method: 'DELETE' })).status).toBe(404);
    expect((await target.send({ headers: as('a'), method: 'DELETE' })).status).toBe(204);
    await target.close();
  });

  it('are none for a caller that was refused', async () => {
    const auth = new TokenAuth({ a: new Principal({ id: 'ana' }) });
    const target = await makeTarget(
      layerOf(() => undefined),
      { auth },
    );
    const answer = await target.send({ body: initialize() });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="mcp"']);
    expect(target.sessionCount).toBe(0);
    await target.close();
  });
});

describe.each(FRONTS)('a sessionless server through the %s handler', (_front, makeTarget) => {
  let target: Target;
  beforeAll(async () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 'echo', input: { type: 'object' } }, (args) => args);
      registry.tool({ name: 'progress' }, (_args, ctx) => {
        ctx.reportProgress(1);
        return 'done';
      });
      registry.resource({ uri: 'docs://a', name: 'a' }, () => 'text');
    });
    target = await makeTarget(layer, { sessions: false });
  });
  afterAll(() => target.close());

  it('mints no id, echoes none, and offers nothing that would have to be sent later', async () => {
    const answer = await target.send({ headers: { 'mcp-session-id': 'abc' }, body: initialize() });
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect(answer.json.result.capabilities).toEqual({ logging: {}, resources: {}, tools: {} });
  });

  it.each(VERSIONS)('answers any request in %s without a handshake', async (version) => {
    const body = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } };
    const answer = await target.send({ headers: { 'mcp-protocol-version': version, 'mcp-session-id': 'stale' }, body });
    expect([answer.status, answer.json.id]).toEqual([200, 0]);
    expect(answer.json.result.structuredContent).toEqual(version < '2025-06-18' ? undefined : { a: 1 });
  });

  it('takes a request without a version for 2025-03-26, batches included', async () => {
    const answer = await target.send({ body: [{ jsonrpc: '2.0', id: 1, method: 'ping' }] });
    expect(answer.json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const refused = await target.send({
      headers: { 'mcp-protocol-version': '2025-11-25' },
      body: [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
    });
    expect(refused.status).toBe(400);
  });

  it('sends progress with the answer', async () => {
    const params = { name: 'progress', _meta: { progressToken: 'p' } };
    const answer = await target.send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    expect(answer.messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
  });

  it('has no streams and no sessions to end: 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await target.send({ method, headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' } });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  it('takes notifications, answers setLevel, and knows no subscriptions', async () => {
    const send = (method: string, id?: number) =>
      target.send({ body: { jsonrpc: '2.0', id, method, params: { level: 'info', uri: 'docs://a' } } });
    expect((await send('notifications/initialized')).status).toBe(202);
    expect((await send('logging/setLevel', 1)).json.result).toEqual({});
    expect((await send('resources/subscribe', 1)).json.error.code).toBe(-32601);
  });
});
