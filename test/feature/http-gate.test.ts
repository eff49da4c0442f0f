import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpOptions, OAuthResource } from 'cartouche';
import type { Passed } from '../../src/native/http/routes/gate.js';
import { FRONTS, handshake, initialize, modern, serverTarget, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

const GOOD = { authorization: 'Bearer good' };
const WEAK = { authorization: 'Bearer weak' };
/** Of somebody else, who may do as much. */
const OTHER = { authorization: 'Bearer other' };
/** A request of each kind that reaches a handler, the scope it needs, and what runs for it. */
const REQUESTS = [
  ['tools/call', { name: 'drop', arguments: {} }],
  ['resources/read', { uri: 'test://secret' }],
  ['prompts/get', { name: 'secret', arguments: {} }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'word', value: '' } }],
] as const;

type Params = Record<string, unknown>;

/** How a route is spoken to: sends a request alone or in a batch, and gives the status and the answers. */
interface Client {
  send(body: unknown): Promise<{ status: number; answers: any[] }>;
  close(): void;
}

const rpc = (method: string, params: Params, id = 7) => ({ jsonrpc: '2.0', id, method, params });

const ROUTES: Record<
  string,
  { options: HttpOptions; batches: boolean; connect(target: Target, headers: Record<string, string>): Promise<Client> }
> = {
  modern: {
    options: {},
    batches: false,
    connect: async (target, headers) => ({
      send: async (body) => {
        const { method, params, id } = body as ReturnType<typeof rpc>;
        const sent = modern(method, params);
        const own = { ...sent.headers, ...headers };
        const answer = await target.send({ headers: own, body: { ...(sent.body as object), id } });
        return { status: answer.status, answers: answer.messages };
      },
      close: () => undefined,
    }),
  },
  session: {
    options: {},
    batches: true,
    connect: async (target, headers) => {
      const { id } = await handshake(target, '2025-03-26', GOOD);
      return {
        send: async (body) => {
          const answer = await target.send({ headers: { ...headers, 'mcp-session-id': id }, body });
          return { status: answer.status, answers: [answer.json].flat() };
        },
        close: () => undefined,
      };
    },
  },
  sessionless: {
    options: { sessions: false },
    batches: true,
    connect: async (target, headers) => ({
      send: async (body) => {
        const answer = await target.send({ headers, body });
        return { status: answer.status, answers: [answer.json].flat() };
      },
      close: () => undefined,
    }),
  },
  'the transport of 2024-11-05': {
    options: { legacySse: true },
    batches: true,
    connect: async (target, headers) => {
      const stream = await target.open({
        method: 'GET',
        path: '/sse',
        headers: { ...GOOD, accept: 'text/event-stream' },
      });
      const path = String((await stream.next())?.data);
      await target.send({ path, headers: GOOD, body: initialize('2025-03-26') });
      await stream.message();
      return {
        send: async (body) => {
          const { status, json } = await target.send({ path, headers, body });
          return { status, answers: status === 202 ? [await stream.message()].flat() : [json] };
        },
        close: () => stream.close(),
      };
    },
  },
};

function makeLayer() {
  const ran: string[] = [];
  const layer = layerOf((registry) => {
    const handler = (name: string) => () => {
      ran.push(name);
      return name === 'completion/complete' ? ['a'] : 'done';
    };
    registry.tool({ name: 'drop' }, handler('tools/call'));
    registry.tool({ name: 'slow' }, async () => {
      ran.push('slow');
      await sleep(150);
      return 'waited';
    });
    registry.resource({ name: 'secret', uri: 'test://secret' }, handler('resources/read'));
    registry.prompt(
      { name: 'secret', arguments: [{ name: 'word' }], completions: { word: handler('completion/complete') } },
      handler('prompts/get'),
    );
  });
  return { layer, ran };
}

/** Everybody may begin; whatever reaches a handler needs `write`. */
const auth = () =>
  new OAuthResource({
    resource: 'https://h.example/mcp',
    authorizationServers: ['https://as.example'],
    verifyToken: (token) => ({
      sub: token === 'other' ? 'bob' : 'ana',
      aud: 'https://h.example/mcp',
      scopes: token === 'weak' ? [] : ['write', 'listen'],
    }),
    scopesFor: (method) =>
      method === 'notifications/cancelled' ? ['listen'] : REQUESTS.some(([name]) => name === method) ? ['write'] : [],
  });

describe.each(FRONTS)('through the %s handler', (_front, makeTarget) => {
  describe.each(Object.keys(ROUTES))('by the route %s', (route) => {
    const { options, batches, connect } = ROUTES[route] as (typeof ROUTES)[string];
    const within = async <T>(
      headers: Record<string, string>,
      more: HttpOptions,
      act: (client: Client, target: Target, ran: string[]) => Promise<T>,
    ) => {
      const { layer, ran } = makeLayer();
      const target = await makeTarget(layer, { ...options, ...more });
      const client = await connect(target, headers);
      try {
        return await act(client, target, ran);
      } finally {
        client.close();
        await target.close();
        await layer.close();
      }
    };
    const forms = batches ? (['alone', 'in a batch'] as const) : (['alone'] as const);

    describe.each(forms)('%s', (form) => {
      const wrap = (message: object): unknown => (form === 'alone' ? message : [rpc('ping', {}, 1), message]);

      it.each(REQUESTS)('%s without its scope is refused, and nothing runs', async (method, params) => {
        await within(WEAK, { auth: auth() }, async (client, _target, ran) => {
          const { status, answers } = await client.send(wrap(rpc(method, { ...params })));
          expect([status, answers]).toEqual([403, [expect.objectContaining({ error: expect.anything() })]]);
          expect(ran).toEqual([]);
        });
      });

      it.each(REQUESTS)('%s with its scope runs', async (method, params) => {
        await within(GOOD, { auth: auth() }, async (client, _target, ran) => {
          const { status, answers } = await client.send(wrap(rpc(method, { ...params })));
          expect(status).toBeLessThan(300);
          expect(answers.find(({ id }) => id === 7)).toMatchObject({ result: expect.anything() });
          expect(ran).toEqual([method]);
        });
      });

      it.each(REQUESTS)('%s of somebody else does not reach a session that is not theirs', async (method, params) => {
        await within(OTHER, { auth: auth() }, async (client, _target, ran) => {
          const hasSession = route === 'session' || route === 'the transport of 2024-11-05';
          const { status } = await client.send(wrap(rpc(method, { ...params })));
          expect([hasSession, status, ran]).toEqual(hasSession ? [true, 404, []] : [false, 200, [method]]);
        });
      });

      it('what runs is answered when the server closes, and nothing more is let in', async () => {
        await within({}, {}, async (client, target, ran) => {
          const answer = client.send(wrap(rpc('tools/call', { name: 'slow', arguments: {} })));
          while (ran.length === 0) await sleep(5);
          const closed = target.drain?.(5000);
          expect((await target.send(modern('ping'))).status).toBe(503);
          expect((await answer).answers.find(({ id }) => id === 7)).toMatchObject({
            result: { content: [{ text: 'waited' }] },
          });
          await closed;
        });
      });
    });

    it('asks who calls once for each HTTP request', async () => {
      let asked = 0;
      const principalResolver = () => {
        asked++;
        return undefined;
      };
      await within({}, { principalResolver }, async (client) => {
        asked = 0;
        await client.send(rpc('tools/call', { name: 'drop', arguments: {} }));
        expect(asked).toBe(1);
        if (!batches) return;
        await client.send([rpc('tools/call', { name: 'drop', arguments: {} }, 1), rpc('ping', {}, 2)]);
        expect(asked).toBe(2);
      });
    });
  });

  it('what a route takes cannot be made but by the gate', () => {
    type Known = Pick<Passed, 'request' | 'reply' | 'info' | 'principal' | 'message' | 'kind'>;
    // @ts-expect-error -- all that can be known of a message does not make it one that passed
    const forge = (known: Known): Passed => known;
    expect(forge).toBeDefined();
  });

  it('a notification needs its scope too', async () => {
    const { layer } = makeLayer();
    const target = await makeTarget(layer, { auth: auth() });
    const { id } = await handshake(target, '2025-03-26', GOOD);
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const statusFor = async (own: Record<string, string>): Promise<number> =>
      (await target.send({ headers: { ...own, 'mcp-session-id': id }, body })).status;
    expect([await statusFor(WEAK), await statusFor(GOOD)]).toEqual([403, 202]);
    await target.close();
  });

  it('no batch is longer than a batch may be', async () => {
    const { layer } = makeLayer();
    const target = await makeTarget(layer, { sessions: false });
    const batch = (count: number) => ({ body: Array.from({ length: count }, (_, id) => rpc('ping', {}, id)) });
    expect((await target.send(batch(1000))).json).toHaveLength(1000);
    const refused = await target.send(batch(1001));
    expect([refused.status, refused.json.error.message]).toEqual([400, 'A batch may have 1000 messages.']);
    await target.close();
    const small = await makeTarget(layer, { sessions: false, maxBatchMessages: 2 });
    expect((await small.send(batch(2))).json).toHaveLength(2);
    expect((await small.send(batch(3))).status).toBe(400);
    await small.close();
  });

  it.each([
    ['/sse', '/messages'],
    ['/mcp/sse', '/mcp/messages'],
    ['//evil.example/sse', '/evil.example/messages'],
    ['/\\evil.example/sse', '/evil.example/messages'],
  ])('where a host was asked for %s, a client is sent to %s of the same host', async (originalUrl, path) => {
    const { layer } = makeLayer();
    const handler = layer.nodeHandler({ legacySse: true });
    const server = createServer((request, response) => handler(Object.assign(request, { originalUrl }), response));
    const target = await serverTarget(server, 'mounted');
    const stream = await target.open({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } });
    expect(String((await stream.next())?.data).split('?')[0]).toBe(path);
    stream.close();
    await handler.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('the paths of 2024-11-05 are these, and no others that end so', async () => {
    const { layer } = makeLayer();
    const target = await makeTarget(layer, { path: '/mcp', legacySse: true });
    const statusOf = async (path: string): Promise<number> =>
      (await target.send({ method: 'GET', path, headers: { accept: 'text/event-stream' } })).status;
    for (const path of ['/other/sse', '//evil.example/sse', '/mcp/sse', '/xsse', '/a/messages'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    await target.close();
  });
});
