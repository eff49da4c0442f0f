import { EventEmitter } from 'node:events';
import { Server } from '@modelcontextprotocol/server';
import { type HttpOptions, MemoryEventStore, Principal, RequestInfo } from 'cartouche';
import type { CARRIER_BOUNDS } from '../../../src/core/bounds/carriers.js';
import { Memo } from '../../../src/native/http/access/memo.js';
import { cutWhenStalled } from '../../../src/native/http/fronts/stalled-reader.js';
import { HttpSession } from '../../../src/native/http/sessions/http-session.js';
import { SessionTable } from '../../../src/native/http/sessions/session-table.js';
import { EventStream } from '../../../src/native/http/streams/event-stream.js';
import { Heartbeat } from '../../../src/native/http/streams/heartbeat.js';
import { kindOf } from '../../../src/native/messages.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { LineReader } from '../../../src/native/stdio/line-reader.js';
import { LineWriter } from '../../../src/native/stdio/line-writer.js';
import { fixedClock } from '../../../src/testing/deterministic.js';
import { createTestClient } from '../../../src/testing/test-client.js';
import { fetchTarget, handshake, META, modern, type Target } from '../http-target.js';
import { layerOf } from '../layers.js';
import { MemoryWire } from '../mount/wire.js';
import { type Probe, TEXT, works } from './probe.js';

const layer = layerOf((registry) => {
  registry.tool({ name: 'one' }, () => 1);
  registry.resource({ uri: 'r://one', name: 'one' }, () => 'one');
  registry.resourceTemplate({ uriTemplate: 'r://many/{id}', name: 'many' }, () => 'many');
});

async function through<T>(options: HttpOptions, use: (target: Target) => Promise<T>): Promise<T> {
  const target = await fetchTarget(layer, options);
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

/** Whether as many sessions live as were opened. */
const sessions =
  (name: 'maxSessions' | 'maxSessionsPerCaller') =>
  (count: number, limit: number): Promise<boolean> =>
    through({ [name]: limit }, async (target) => {
      for (let i = 0; i < count; i++) await handshake(target);
      return target.sessionCount === count;
    });

/** Whether as many streams are open as were opened. */
const listens =
  (name: 'maxListenStreams' | 'maxListenStreamsPerCaller') =>
  async (count: number, limit: number): Promise<boolean> => {
    const server = new NativeMcpServer(layer, { [name]: limit });
    for (let id = 0; id < count; id++) void listen(server, id, {});
    await new Promise(setImmediate);
    const open = server.listenCount;
    server.close();
    return open === count;
  };

function listen(server: NativeMcpServer, id: number, notifications: object) {
  const params = { _meta: META, notifications };
  return server.handleModern({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params }, {
    info: new RequestInfo({ transport: 'http' }),
    principal: Principal.local(),
    streams: true,
    notify() {},
  } as never);
}

/** On one stream of a modern client. */
async function listensTo(uris: readonly string[]): Promise<boolean> {
  const server = new NativeMcpServer(layer);
  const answer = listen(server, 1, { resourceSubscriptions: uris });
  await new Promise(setImmediate);
  const open = server.listenCount === 1;
  server.close();
  await answer;
  return open;
}

/** In one session of a handshake client. */
function subscribesTo(uris: readonly string[]): Promise<boolean> {
  const client = createTestClient(layer);
  return works(async () => {
    for (const uri of uris) await client.raw('resources/subscribe', { uri });
  });
}

/** The same behind a host that the layer is mounted into. */
async function subscribesThroughHost(uris: readonly string[]): Promise<boolean> {
  const server = new Server({ name: 'host', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  layer.registerInto(server);
  const wire = new MemoryWire();
  await server.connect(wire.transport);
  await wire.initialize();
  for (const uri of uris) if ((await wire.request('resources/subscribe', { uri }))['error'] !== undefined) return false;
  return true;
}

/** What a served layer's server is told. */
const served =
  (option: string, property: string) =>
  async (count: number, limit: number): Promise<boolean> => {
    const serving = await layer.serve('http', { port: 0, exit: false, graceMs: 0, [option]: limit });
    const told = (serving.server as unknown as Record<string, number>)[property] ?? 0;
    await new Promise((done) => serving.server.close(done));
    return count <= told;
  };

const events =
  (option: object, size: number) =>
  (count: number): boolean => {
    const store = new MemoryEventStore(option);
    for (let sequence = 1; sequence <= count; sequence++) store.append('s', 1, { sequence, data: TEXT(size) }, 'owner');
    return store.size === count;
  };

/** A stream of bytes for which so many bytes wait. */
function waiting(pending: number) {
  const bytes = { pending, closed: false, write() {}, end() {}, destroy: () => void (bytes.closed = true) };
  return { bytes, stream: new EventStream(bytes, new Heartbeat(0)) };
}

function writer(count: number): LineWriter {
  const own = new LineWriter(new EventEmitter() as never, () => false, () => undefined); // prettier-ignore
  own.line(TEXT(count));
  return own;
}

function computed(keys: readonly string[]): number {
  let times = 0;
  const memo = new Memo(() => ++times);
  for (const key of keys) memo.get(key);
  return times;
}

export const CARRIER_PROBES: Readonly<Record<keyof typeof CARRIER_BOUNDS, Probe>> = {
  maxBodyBytes: {
    limit: 500,
    fits: (count, limit) =>
      through({ maxBodyBytes: limit }, async (target) => {
        const { headers, body } = modern('tools/list');
        const answer = await target.send({ headers: headers!, body: JSON.stringify(body).padEnd(count) });
        return answer.status === 200;
      }),
  },
  stallMs: {
    limit: 50,
    fits: (count, limit) => {
      const carrier = Object.assign(new EventEmitter(), { timeout: 0, cut: false, setTimeout(ms: number) { this.timeout = ms; }, destroy() { this.cut = true; } }); // prettier-ignore
      const response = Object.assign(new EventEmitter(), { writableLength: 1, destroyed: false, socket: carrier });
      cutWhenStalled(response as never, limit);
      if (count > carrier.timeout) carrier.emit('timeout');
      return !carrier.cut;
    },
  },
  sessionIdleMs: {
    limit: 1000,
    fits: (count, limit) => {
      const clock = fixedClock(0);
      const table = new SessionTable({ idleMs: limit, max: 5, maxPerOwner: 5 } as never, clock);
      const session = new HttpSession('s', 'ann', undefined);
      session.native = { close() {} } as never;
      table.add(session);
      clock.advance(count);
      const used = table.use('s', 'ann') !== undefined;
      table.close();
      return used;
    },
  },
  maxSessions: { limit: 3, fits: sessions('maxSessions') },
  maxSessionsPerCaller: { limit: 3, fits: sessions('maxSessionsPerCaller') },
  headersTimeoutMs: { limit: 1234, fits: served('headersTimeoutMs', 'headersTimeout') },
  requestTimeoutMs: { limit: 12_345, fits: served('requestTimeoutMs', 'requestTimeout') },
  keepAliveTimeoutMs: { limit: 1234, fits: served('keepAliveTimeoutMs', 'keepAliveTimeout') },
  maxHeaderBytes: { limit: 4321, fits: served('maxHeaderBytes', 'maxHeaderSize') },
  maxConnections: { limit: 7, fits: served('maxConnections', 'maxConnections') },
  maxLineBytes: {
    limit: 10,
    fits: (count, limit) => {
      let read = 0;
      const reader = new LineReader(limit, (line) => (read = line.length), () => undefined); // prettier-ignore
      reader.push(Buffer.from(`${TEXT(count)}\n`));
      return read === count;
    },
  },
  pageSize: {
    limit: 3,
    fits: async (count, limit) => {
      const many = layerOf((registry) => {
        for (let i = 0; i < count; i++) registry.tool({ name: `t${i}` }, () => i);
      });
      const target = await fetchTarget(many, { pageSize: limit });
      const { json } = await target.send(modern('tools/list'));
      return json.result.tools.length === count && json.result.nextCursor === undefined;
    },
  },
  maxBatchMessages: {
    limit: 3,
    fits: (count, limit) =>
      through({ maxBatchMessages: limit }, async (target) => {
        const { headers } = await handshake(target, '2025-03-26');
        const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
        return (
          (await target.send({ headers, body: Array.from({ length: count }, (_, id) => ping(id)) })).status === 200
        );
      }),
  },
  maxListenStreams: { limit: 3, fits: listens('maxListenStreams') },
  maxListenStreamsPerCaller: { limit: 3, fits: listens('maxListenStreamsPerCaller') },
  maxEvents: { limit: 4, fits: (count, limit) => events({ maxEvents: limit }, 1)(count) },
  maxChars: { limit: 4, fits: (count, limit) => events({ maxChars: limit }, 1)(count) },
  maxEventsPerCaller: { limit: 4, fits: (count, limit) => events({ maxEventsPerCaller: limit }, 1)(count) },
  subscriptions: {
    fits: async (count) => {
      const uris = Array.from({ length: count }, (_, i) => `r://many/${i}`);
      const outcomes = [await listensTo(uris), await subscribesTo(uris), await subscribesThroughHost(uris)];
      expect(new Set(outcomes).size).toBe(1);
      return outcomes[0] === true;
    },
  },
  getStreams: {
    fits: (count) => {
      const session = new HttpSession('s', 'ann', undefined);
      const opened = Array.from({ length: count }, () => {
        const channel = session.openGet();
        channel?.connect(waiting(0).stream);
        return channel;
      });
      return !opened.includes(undefined);
    },
  },
  idChars: { fits: (count) => kindOf({ jsonrpc: '2.0', id: TEXT(count), method: 'ping' }) === 'request' },
  headerValueChars: {
    fits: (count) =>
      through({}, async (target) => {
        const { json } = await target.send(modern('tools/call', { name: TEXT(count) }));
        return json.error.code === -32602;
      }),
  },
  shedBytes: { fits: (count) => !waiting(count).stream.sheds('notifications/progress') },
  cutBytes: {
    fits: (count) => {
      const { bytes, stream } = waiting(count);
      stream.event('{}');
      return !bytes.closed;
    },
  },
  stalledBeats: {
    fits: (count) => {
      const { bytes, stream } = waiting(1);
      for (let i = 0; i < count; i++) stream.beat();
      return !bytes.closed;
    },
  },
  memoEntries: {
    fits: (count) => {
      const keys = Array.from({ length: count }, (_, i) => String(i));
      return computed([...keys, '0']) === count;
    },
  },
  memoKeyChars: { fits: (count) => computed([TEXT(count), TEXT(count)]) === 1 },
  crowdedLineChars: { fits: (count) => !writer(count).crowded },
  fullLineChars: { fits: (count) => !writer(count).full },
};
