import type { McpLayer } from 'cartouche';
import { FRONTS, handshake, initialize, modern, type OpenAnswer, type Target } from '../support/http-target.js';
import { deferred, layerOf } from '../support/layers.js';

const SSE = { accept: 'text/event-stream' };
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await soon();
}

interface Gate {
  started: ReturnType<typeof deferred<void>>;
  release: ReturnType<typeof deferred<void>>;
  aborted: boolean;
}

/** A tool that reports that it began, and ends when it is told to. */
function gated(): { layer: McpLayer; gate: (key: string) => Gate } {
  const gates = new Map<string, Gate>();
  const gate = (key: string): Gate => {
    const known = gates.get(key) ?? { started: deferred(), release: deferred(), aborted: false };
    gates.set(key, known);
    return known;
  };
  const input = { type: 'object', properties: { key: { type: 'string' } } };
  const layer = layerOf((registry) => {
    registry.tool<{ key: string }>({ name: 'gate', input: input }, async ({ key }, ctx) => {
      const own = gate(key);
      ctx.signal.addEventListener('abort', () => (own.aborted = true));
      ctx.reportProgress(1);
      own.started.resolve();
      await own.release.promise;
      ctx.reportProgress(2);
      return key;
    });
    registry.tool({ name: 'quick' }, () => 'quick');
    registry.resource({ uri: 'docs://a', name: 'a' }, () => 'text');
    registry.prompt({ name: 'p' }, () => 'p');
  });
  return { layer, gate };
}

const callGate = (key: string, meta?: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'gate', arguments: { key }, ...(meta === undefined ? {} : { _meta: meta }) },
});

describe.each(FRONTS)('streams of sessions through the %s handler', (_front, makeTarget) => {
  let target: Target;
  const { layer, gate } = gated();
  const open: OpenAnswer[] = [];

  const keep = async (answer: Promise<OpenAnswer>): Promise<OpenAnswer> => {
    open.push(await answer);
    return answer;
  };

  beforeAll(async () => {
    target = await makeTarget(layer, { retryMs: 50 });
  });
  afterEach(() => {
    for (const answer of open.splice(0)) answer.close();
  });
  afterAll(() => target.close());

  it('opened by GET tell of changes, each message on exactly one of them, and of nothing before the client is ready', async () => {
    const { headers } = await handshake(target);
    const other = await handshake(target);
    const raw = await target.send({ body: initialize() });
    const streams = [
      await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } })),
      await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } })),
      await keep(target.open({ method: 'GET', headers: { ...SSE, ...other.headers } })),
      await keep(
        target.open({ method: 'GET', headers: { ...SSE, 'mcp-session-id': String(raw.headers['mcp-session-id']) } }),
      ),
    ];
    expect(streams.map(({ status, headers: { 'content-type': type } }) => [status, type])).toEqual(
      Array(4).fill([200, 'text/event-stream']),
    );
    const seen: string[][] = [[], [], [], []];
    streams.forEach((stream, index) => {
      void (async () => {
        for (let message = await stream.message(); message !== undefined; message = await stream.message())
          seen[index]?.push(message.method);
      })();
    });
    layer.notifyChange('tools');
    await until(() => (seen[1]?.length ?? 0) + (seen[0]?.length ?? 0) > 0 && (seen[2]?.length ?? 0) > 0);
    await soon();
    expect([...(seen[0] ?? []), ...(seen[1] ?? [])]).toEqual(['notifications/tools/list_changed']);
    expect(seen[2]).toEqual(['notifications/tools/list_changed']);
    expect(seen[3]).toEqual([]);
  });

  it('opened by GET tell of a resource only those who subscribed to it', async () => {
    const { headers } = await handshake(target);
    const stream = await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }));
    layer.notifyChange('resource', 'docs://a');
    await soon();
    await target.send({
      headers,
      body: { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'docs://a' } },
    });
    layer.notifyChange('resource', 'docs://b');
    layer.notifyChange('resource', 'docs://a');
    expect(await stream.message()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'docs://a' },
    });
  });

  it('opened by GET are eight at most: 409', async () => {
    const { headers } = await handshake(target);
    for (let count = 0; count < 8; count++) await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }));
    expect((await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }))).status).toBe(409);
  });

  it('begin with an event without data and a time to wait, in 2025-11-25 only', async () => {
    const first = async (version: string) => {
      const { headers } = await handshake(target, version);
      const stream = await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }));
      layer.notifyChange('tools');
      return { event: await stream.next(), stream };
    };
    const primed = await first('2025-11-25');
    expect(primed.event).toMatchObject({ data: '', id: expect.any(String) });
    expect(await primed.stream.next()).toEqual({ retry: 50 });
    const plain = await first('2025-06-18');
    expect(JSON.parse(String(plain.event?.data)).method).toBe('notifications/tools/list_changed');
  });

  it('of a POST carry what belongs to it, and end with its answer', async () => {
    const { headers } = await handshake(target);
    gate('a').release.resolve();
    const answer = await target.send({ headers, body: callGate('a', { progressToken: 0 }) });
    expect(answer.messages.map(({ method, id, params }) => method ?? [id, params])).toEqual([
      'notifications/progress',
      'notifications/progress',
      [1, undefined],
    ]);
    const ids = [...answer.text.matchAll(/^id: (\d+)-(\d+)$/gm)].map(([, stream, sequence]) => [stream, sequence]);
    expect(new Set(ids.map(([stream]) => stream)).size).toBe(1);
    expect(ids.map(([, sequence]) => sequence)).toEqual(['0', '1', '2', '3']);
  });

  it('that break withdraw nothing: the call goes on, and the client gets the rest elsewhere', async () => {
    const { headers } = await handshake(target);
    const stream = await keep(target.open({ headers, body: callGate('b', { progressToken: 1 }) }));
    let last = '';
    for (let event = await stream.next(); event?.data === '' || event?.data === undefined; event = await stream.next())
      last = event?.id ?? last;
    stream.close();
    await soon();
    expect(gate('b').aborted).toBe(false);
    const resumed = await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers, 'last-event-id': last } }));
    gate('b').release.resolve();
    const messages = [await resumed.message(), await resumed.message(), await resumed.message()];
    expect(messages.map(({ method, result }) => method ?? result.structuredContent)).toEqual([
      'notifications/progress',
      'notifications/progress',
      { result: 'b' },
    ]);
    expect(await resumed.message()).toBeUndefined();
  });

  it('that are over are read again from where the client was', async () => {
    const { headers } = await handshake(target);
    gate('c').release.resolve();
    const answer = await target.send({ headers, body: callGate('c', { progressToken: 1 }) });
    const [, , second] = [...answer.text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id);
    const resumed = await target.send({
      method: 'GET',
      headers: { ...SSE, ...headers, 'last-event-id': String(second) },
    });
    expect(resumed.messages.map(({ result }) => result.structuredContent)).toEqual([{ result: 'c' }]);
  });

  it.each(['bogus', '99-1', '1-99'])('are not resumed from %s: 400', async (last) => {
    const { headers } = await handshake(target);
    const answer = await target.send({ method: 'GET', headers: { ...SSE, ...headers, 'last-event-id': last } });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32600]);
  });

  it('are not read by another session', async () => {
    const { headers } = await handshake(target);
    gate('d').release.resolve();
    const answer = await target.send({ headers, body: callGate('d', { progressToken: 1 }) });
    const id = String(/^id: (\S+)$/m.exec(answer.text)?.[1]);
    const other = await handshake(target);
    const stolen = await target.send({ method: 'GET', headers: { ...SSE, ...other.headers, 'last-event-id': id } });
    expect(stolen.status).toBe(400);
  });

  it('that fail end neither their session nor its other requests', async () => {
    const { headers } = await handshake(target);
    const stream = await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }));
    const waiting = target.send({ headers, body: callGate('e') });
    await gate('e').started.promise;
    stream.close();
    layer.notifyChange('tools');
    await soon();
    gate('e').release.resolve();
    expect((await waiting).json.result.structuredContent).toEqual({ result: 'e' });
  });

  it('end with their session', async () => {
    const { headers } = await handshake(target);
    const stream = await keep(target.open({ method: 'GET', headers: { ...SSE, ...headers } }));
    await target.send({ method: 'DELETE', headers });
    expect(await stream.message()).toBeUndefined();
  });

  it('carry no answer in JSON mode, and always one in event mode', async () => {
    for (const [responseMode, type] of [
      ['json', 'application/json'],
      ['sse', 'text/event-stream'],
    ] as const) {
      const own = await makeTarget(gated().layer, { responseMode });
      const { headers } = await handshake(own);
      const params = { name: 'quick', _meta: { progressToken: 1 } };
      const answer = await own.send({ headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.json.result.structuredContent).toEqual({ result: 'quick' });
      const onlyJson = await own.send({
        headers: { ...headers, accept: 'application/json' },
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      });
      expect(onlyJson.headers['content-type']).toBe('application/json');
      await own.close();
    }
  });

  it('have no ids where nothing is kept', async () => {
    const own = gated();
    const plain = await makeTarget(own.layer, { eventStore: false });
    const { headers } = await handshake(plain);
    own.gate('x').release.resolve();
    const answer = await plain.send({ headers, body: callGate('x', { progressToken: 1 }) });
    expect(answer.messages).toHaveLength(3);
    expect(answer.text).not.toMatch(/^(id|retry):/m);
    await plain.close();
  });

  it('of long requests are closed for the client to come back, where the server is told so', async () => {
    const own = gated();
    const polled = await makeTarget(own.layer, { reconnectAfterMs: 20, retryMs: 7 });
    const { headers } = await handshake(polled);
    const answer = await polled.send({ headers, body: callGate('y') });
    expect(answer.messages).toEqual([]);
    expect(answer.text).toContain('retry: 7');
    const last = String(/^id: (\S+)$/m.exec(answer.text)?.[1]);
    own.gate('y').release.resolve();
    const resumed = await polled.send({ method: 'GET', headers: { ...SSE, ...headers, 'last-event-id': last } });
    expect(resumed.json.result.structuredContent).toEqual({ result: 'y' });
    await polled.close();
  });

  it('that are quiet carry comments, and so do answers that take long', async () => {
    const own = gated();
    const lively = await makeTarget(own.layer, { keepAliveMs: 10 });
    const { headers } = await handshake(lively, '2025-06-18');
    const stream = await keep(lively.open({ method: 'GET', headers: { ...SSE, ...headers } }));
    expect(await stream.block()).toEqual({ comment: '' });
    expect(await stream.block()).toEqual({ comment: '' });
    stream.close();
    const waiting = await keep(lively.open({ headers, body: callGate('z') }));
    expect(await waiting.block()).toEqual({ comment: '' });
    own.gate('z').release.resolve();
    expect((await waiting.message()).result.structuredContent).toEqual({ result: 'z' });
    await lively.close();
  });
});

describe.each(FRONTS)('questions to the client through the %s handler', (_front, makeTarget) => {
  const capabilities = { sampling: {} };
  const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } };
  const reply = (id: unknown) => ({
    jsonrpc: '2.0',
    id,
    result: { role: 'assistant', model: 'm', content: { type: 'text', text: 'blue' } },
  });
  let target: Target;
  let headers: Record<string, string>;

  beforeEach(async () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 'ask' }, async (_args, ctx) => {
        const answer = await ctx.sample('color', { messages: 'Which?', maxTokens: 5 });
        return JSON.stringify(answer);
      });
    });
    target = await makeTarget(layer);
    const body = initialize();
    const opened = await target.send({ body: { ...body, params: { ...(body['params'] as object), capabilities } } });
    headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
    await target.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  });
  afterEach(() => target.close());

  it('go out on the stream of the request they belong to, and are answered by a POST', async () => {
    const stream = await target.open({ headers, body: ask });
    const question = await stream.message();
    expect(question.method).toBe('sampling/createMessage');
    expect((await target.send({ headers, body: reply(question.id) })).status).toBe(202);
    expect(JSON.stringify(await stream.message())).toContain('blue');
  });

  it('go out on a stream of the session where the request has none', async () => {
    const stream = await target.open({ method: 'GET', headers: { ...SSE, ...headers } });
    const answer = target.send({ headers: { ...headers, accept: 'application/json' }, body: ask });
    const question = await stream.message();
    await target.send({ headers, body: reply(question.id) });
    expect((await answer).text).toContain('blue');
    stream.close();
  });

  it('fail at once where there is no stream at all', async () => {
    const answer = await target.send({ headers: { ...headers, accept: 'application/json' }, body: ask });
    expect(answer.json.result).toMatchObject({ isError: true });
  });
});

describe.each(FRONTS)('streams without sessions through the %s handler', (_front, makeTarget) => {
  let target: Target;
  const { layer, gate } = gated();

  beforeAll(async () => {
    target = await makeTarget(layer);
  });
  afterAll(() => target.close());

  const listen = (notifications: object, id: unknown = 'l') => {
    const sent = modern('subscriptions/listen', { notifications });
    return target.open({ ...sent, body: { ...(sent.body as object), id } });
  };
  const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

  it('acknowledge what they will tell of, and tell of nothing else, under the id of the request', async () => {
    const tools = await listen({ toolsListChanged: true, resourceSubscriptions: ['docs://a', 'docs://nope'] }, 0);
    const prompts = await listen({ promptsListChanged: true }, '');
    expect(await tools.message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['docs://a'] },
        _meta: { [SUBSCRIPTION]: 0 },
      },
    });
    expect((await prompts.message()).params._meta).toEqual({ [SUBSCRIPTION]: '' });
    layer.notifyChange('tools');
    layer.notifyChange('prompts');
    layer.notifyChange('resource', 'docs://a');
    expect(
      [await tools.message(), await tools.message()].map(({ method, params }) => [method, params._meta[SUBSCRIPTION]]),
    ).toEqual([
      ['notifications/tools/list_changed', 0],
      ['notifications/resources/updated', 0],
    ]);
    expect(await prompts.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    tools.close();
    prompts.close();
  });

  it('need a client that takes events, in every response mode: 406', async () => {
    const sent = modern('subscriptions/listen', { notifications: {} });
    const answer = await target.send({ ...sent, headers: { ...sent.headers, accept: 'application/json' } });
    expect([answer.status, answer.json.id]).toEqual([406, 1]);
    const json = await makeTarget(gated().layer, { responseMode: 'json' });
    const stream = await json.open(modern('subscriptions/listen', { notifications: {} }));
    expect((await stream.message()).method).toBe('notifications/subscriptions/acknowledged');
    stream.close();
    await json.close();
  });

  it('withdraw their request when they break: its signal fires, and nothing more is written', async () => {
    const sent = modern('tools/call', { name: 'gate', arguments: { key: 'm' } }, { progressToken: 1 });
    const stream = await target.open(sent);
    await stream.message();
    stream.close();
    await until(() => gate('m').aborted);
  });

  it('end with a result when the server closes', async () => {
    const own = gated();
    const closing = await makeTarget(own.layer);
    const stream = await closing.open(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }));
    await stream.message();
    const end = stream.message();
    void closing.close();
    expect(await end).toMatchObject({ id: 1, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 1 } } });
    expect(await stream.message()).toBeUndefined();
  });
});

describe('a request that waits for its answer', () => {
  it.each(FRONTS)(
    'is withdrawn in the modern era when its client goes, and not in a session: %s',
    async (_front, makeTarget) => {
      const { layer, gate } = gated();
      const target = await makeTarget(layer);
      const { headers } = await handshake(target);
      const aborter = (sent: Parameters<Target['open']>[0]) => target.open(sent).catch(() => undefined);
      const inModern = modern('tools/call', { name: 'gate', arguments: { key: 's' } }, { progressToken: 1 });
      const [first, second] = await Promise.all([
        aborter(inModern),
        aborter({ headers, body: callGate('h', { progressToken: 1 }) }),
      ]);
      await Promise.all([gate('s').started.promise, gate('h').started.promise]);
      first?.close();
      second?.close();
      await until(() => gate('s').aborted);
      await soon();
      expect(gate('h').aborted).toBe(false);
      gate('h').release.resolve();
      await target.close();
    },
  );
});
