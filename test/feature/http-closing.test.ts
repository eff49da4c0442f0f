import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { layerOf } from '../support/layers.js';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} });
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
