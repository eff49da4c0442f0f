import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startHttpProcess } from '../support/http-process.js';
import { layerOf } from '../support/layers.js';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} });
const HEADERS = { accept: 'application/json', 'content-type': 'application/json', 'content-length': PING.length };
const REQUEST = [
  'POST /mcp HTTP/1.1',
  'host: 127.0.0.1',
  'accept: application/json',
  'content-type: application/json',
  `content-length: ${PING.length}`,
  '',
  PING,
].join('\r\n');

async function ask(socket: Socket): Promise<string> {
  socket.write(REQUEST);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

it('a server that closes says so on connections that wait for their next request, before it closes them', async () => {
  const serving = await layerOf(() => undefined).serve('http', { port: 0, exit: false, sessions: false });
  const [busy, quiet] = [connect(serving.port, '127.0.0.1'), connect(serving.port, '127.0.0.1')];
  const errors: unknown[] = [];
  for (const socket of [busy, quiet]) socket.on('error', (error) => errors.push(error));
  expect(await ask(busy)).toMatch(/^HTTP\/1\.1 200 .*keep-alive/s);
  await ask(quiet);
  quiet.resume();
  const closed = serving.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answer = await ask(busy);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  await closed;
  expect(errors).toEqual([]);
});

it('an answer that is under way while the server closes says it, too', async () => {
  const layer = layerOf((registry) =>
    registry.tool({ name: 'slow' }, () => new Promise((resolve) => setTimeout(() => resolve('done'), 200))),
  );
  const serving = await layer.serve('http', { port: 0, exit: false, sessions: false });
  const answer = fetch(serving.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } }),
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = serving.close();
  expect((await answer).headers.get('connection')).toBe('close');
  await closed;
});

it('of 200 requests on connections that are kept, none is lost around SIGTERM', async () => {
  const server = await startHttpProcess({ sessions: false });
  const agent = new Agent({ keepAlive: true, maxSockets: 200, maxFreeSockets: 200 });
  const ping = (afterMs: number): Promise<{ status: number; closes: boolean }> =>
    new Promise((resolve, reject) => {
      const send = (): void => {
        const sent = request(server.url, { agent, method: 'POST', headers: HEADERS }, (answer) => {
          answer
            .resume()
            .on('end', () =>
              resolve({ status: answer.statusCode ?? 0, closes: answer.headers.connection === 'close' }),
            );
        });
        sent.on('error', reject);
        sent.end(PING);
      };
      setTimeout(send, afterMs);
    });
  const all = (spreadMs: number) => Promise.all(Array.from({ length: 200 }, (_, i) => ping((i * spreadMs) / 200)));
  expect(new Set((await all(0)).map(({ status }) => status))).toEqual(new Set([200]));
  const later = all(240);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await server.end('SIGTERM')).toBe(0);
  const answers = await later;
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"status":503,"closes":true}']));
  agent.destroy();
}, 30_000);
