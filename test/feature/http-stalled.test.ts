import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HttpOptions, NodeHandler, ToolContext } from 'cartouche';
import { handshake, META, portTarget } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** More than the kernel's buffers of both ends take. */
const LONG = 5 * 1024 * 1024;
const STALL_MS = 300;

let kept: { context: ToolContext; result: WeakRef<object> } | undefined;
const layer = layerOf(
  (registry) => {
    registry.tool({ name: 'long' }, (_args, context) => {
      const result = { text: 'x'.repeat(LONG) };
      kept = { context, result: new WeakRef(result) };
      return result;
    });
    registry.tool({ name: 'quick' }, () => 'quick');
  },
  { maxOutputChars: 2 ** 30 },
);

let server: Server;
let handler: NodeHandler;
let accepted = 0;
const sockets: Socket[] = [];

async function serve(options: HttpOptions = {}): Promise<number> {
  handler = layer.nodeHandler({ stallMs: STALL_MS, ...options });
  server = createServer(handler).on('connection', () => accepted++);
  accepted = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await handler.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** Sends one request, and reads nothing of what comes back. */
function ask(port: number, body: unknown, headers: Record<string, string> = {}, method = 'POST'): Socket {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  sockets.push(socket);
  return socket;
}

const call = (name: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const modernCall = { ...call('long'), params: { name: 'long', _meta: META } };
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'long' };

/** Waits until `count` more clients came, and all are cut off. */
async function cutOff(count: number): Promise<void> {
  const until = Date.now() + 20_000;
  accepted -= count;
  while (accepted < 0 || (await connections()) > 0) {
    if (Date.now() > until) throw new Error(`${await connections()} connections are still open`);
    await sleep(20);
  }
}

describe('a client that never reads', () => {
  it('a JSON answer is cut off, and so are fifty of them: memory is back within a bound', async () => {
    const port = await serve();
    collect();
    const heapBefore = used();
    for (let i = 0; i < 50; i += 10) {
      for (let j = 0; j < 10; j++) ask(port, modernCall, MODERN);
      await cutOff(10);
    }
    kept = undefined;
    await sleep(50);
    collect();
    expect(used() - heapBefore).toBeLessThan(2 * LONG);
  }, 60_000);

  it('a stream that has ended is cut off', async () => {
    const port = await serve({ responseMode: 'sse' });
    ask(port, modernCall, MODERN);
    await cutOff(1);
  }, 30_000);

  it('a batch is cut off', async () => {
    const port = await serve();
    const { headers } = await handshake(portTarget(port, 'node'), '2025-03-26');
    accepted = 0;
    ask(port, [call('long', 1), call('quick', 2)], headers);
    await cutOff(1);
  }, 30_000);

  it('a stream that it resumed is cut off', async () => {
    const port = await serve({ responseMode: 'sse' });
    const { headers } = await handshake(portTarget(port, 'node'));
    const answer = await portTarget(port, 'node').send({ headers, body: call('long') });
    expect(answer.text).toMatch(/^id: 2-0\n/);
    accepted = 0;
    ask(port, undefined, { ...headers, accept: 'text/event-stream', 'last-event-id': '2-0' }, 'GET');
    await cutOff(1);
  }, 30_000);

  it('is cut off behind answers that it did read', async () => {
    const port = await serve();
    const socket = ask(
      port,
      { ...modernCall, params: { name: 'quick', _meta: META } },
      { ...MODERN, 'mcp-name': 'quick' },
    );
    socket.resume();
    await once(socket, 'data');
    socket.pause();
    const text = JSON.stringify(modernCall);
    const lines = Object.entries({
      ...MODERN,
      host: '127.0.0.1',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': String(text.length),
    });
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`);
    await cutOff(1);
  }, 30_000);
});

describe('a client that reads', () => {
  it('slowly gets everything, however long that takes', async () => {
    const port = await serve();
    const socket = ask(port, modernCall, { ...MODERN, connection: 'close' });
    let bytes = 0;
    const isOver = () => socket.readableEnded;
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.pause();
    for (let i = 0; i < 14 && !isOver(); i++) {
      await sleep(STALL_MS / 2);
      const mark = bytes;
      socket.resume();
      while (bytes < mark + 1024 * 1024 && !isOver()) await sleep(1);
      socket.pause();
    }
    socket.resume();
    if (!isOver()) await once(socket, 'end');
    expect(bytes).toBeGreaterThan(2 * LONG);
  }, 30_000);

  it('keeps its connection for the next request', async () => {
    const port = await serve();
    server.keepAliveTimeout = 0;
    const socket = ask(port, modernCall, MODERN);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text = (text + chunk).slice(-100)));
    socket.resume();
    while (!text.endsWith('}')) await sleep(5);
    await sleep(3 * STALL_MS);
    expect(await connections()).toBe(1);
  }, 30_000);
});

it('a context that somebody keeps does not keep the answer', async () => {
  const port = await serve();
  const answer = await portTarget(port, 'node').send({ body: modernCall, headers: MODERN });
  expect(answer.status).toBe(200);
  await sleep(20);
  collect();
  expect(kept?.context.requestId).toBe(1);
  expect(kept?.result.deref()).toBeUndefined();
});

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
