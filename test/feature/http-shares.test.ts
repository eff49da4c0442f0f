import { type HttpOptions, Principal, type StoredEvent } from 'cartouche';
import { FRONTS, handshake, initialize, modern, type OpenAnswer, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

const principalResolver: HttpOptions['principalResolver'] = (info) => {
  const id = info.header('x-user');
  return id === undefined ? undefined : new Principal({ id });
};
const as = (user: string) => ({ 'x-user': user });

describe.each(FRONTS)('one caller cannot take what all need, through the %s handler', (_front, makeTarget) => {
  let target: Target;
  const serve = async (options: HttpOptions): Promise<void> => {
    target = await makeTarget(
      layerOf((registry) => void registry.tool({ name: 'a' }, () => 'a')),
      { principalResolver, ...options },
    );
  };
  const opened: OpenAnswer[] = [];
  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.close();
    await target.close();
  });
  const open = async (...sent: Parameters<Target['open']>): Promise<OpenAnswer> => {
    const stream = await target.open(...sent);
    opened.push(stream);
    return stream;
  };

  it('sessions', async () => {
    await serve({ maxSessions: 4 });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await target.send({ headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status;
    const bob = await handshake(target, '2025-11-25', as('bob'));
    const ana = [];
    for (let i = 0; i < 3; i++) {
      const { headers } = await handshake(target, '2025-11-25', as('ana'));
      ana.push(headers);
      // Listening, they are in use.
      await open({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    }
    expect((await target.send({ headers: as('ana'), body: initialize() })).status).toBe(503);
    const cy = await handshake(target, '2025-11-25', as('cy'));
    expect(await Promise.all([bob.headers, cy.headers, ...ana].map(statusOf))).toEqual([200, 200, 404, 200, 200]);
  });

  it('sessions, with a limit for each caller', async () => {
    await serve({ maxSessionsPerCaller: 1 });
    const { headers } = await handshake(target, '2025-11-25', as('ana'));
    await open({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    expect((await target.send({ headers: as('ana'), body: initialize() })).status).toBe(503);
    expect((await target.send({ headers: as('bob'), body: initialize() })).status).toBe(200);
  });

  it('sessions that begin at the same time', async () => {
    await serve({ maxSessions: 2 });
    await Promise.all(Array.from({ length: 5 }, (_, id) => target.send({ body: initialize('2025-11-25', id) })));
    expect(target.sessionCount).toBe(2);
  });

  it('connections of 2024-11-05', async () => {
    await serve({ maxSessions: 2, legacySse: true });
    const connect = (user: string): Promise<OpenAnswer> =>
      open({ method: 'GET', path: '/sse', headers: { ...as(user), accept: 'text/event-stream' } });
    const [first, second] = [await connect('ana'), await connect('ana')];
    expect((await connect('ana')).status).toBe(503);
    expect((await connect('bob')).status).toBe(200);
    for (const event of ['endpoint', undefined]) expect((await first.next())?.event).toBe(event);
    expect((await second.next())?.event).toBe('endpoint');
  });

  it('resumable events, which the store is told the owner of', async () => {
    const owners: (string | undefined)[] = [];
    const append = (_session: string, _stream: number, _event: StoredEvent, owner?: string): void =>
      void owners.push(owner);
    await serve({ responseMode: 'sse', eventStore: { append, after: () => [], drop: () => undefined } });
    for (const headers of [as('ana'), {}]) {
      const { id, headers: own } = await handshake(target, '2025-11-25', headers);
      owners.length = 0;
      await target.send({ headers: own, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
      expect(owners).toEqual(['x-user' in headers ? new Principal({ id: 'ana' }).key : id]);
    }
  });

  it.each([{ maxListenStreams: 2 }, { maxListenStreamsPerCaller: 2 }])('streams, with %j', async (options) => {
    await serve(options);
    const sent = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const listen = (user: string): Promise<OpenAnswer> => open({ ...sent, headers: { ...sent.headers, ...as(user) } });
    const first = await listen('ana');
    const second = await listen('ana');
    for (const stream of [first, second])
      expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    expect(await (await listen('ana')).message()).toMatchObject({
      error: { message: expect.stringContaining('Too many open streams') },
    });
    expect(await (await listen('bob')).message()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    if (!('maxListenStreams' in options)) return;
    expect(await first.message()).toMatchObject({ id: 1, result: {} });
    expect(await first.next()).toBeUndefined();
  });
});
