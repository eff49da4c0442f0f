import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { handshake, modern, portTarget, type Sent, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

/** How many calls run that talk without end. */
let talking = 0;
/** What the runtime in front says of its own accord. */
const said = (['error', 'warn', 'log', 'info'] as const).map((level) => jest.spyOn(console, level));
const layer = layerOf((registry) => {
  registry.tool(
    { name: 'slow' },
    (_args, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  );
  registry.tool({ name: 'talks' }, async (_args, context) => {
    talking++;
    context.signal.addEventListener('abort', () => talking--);
    for (let i = 1; !context.signal.aborted; i++) {
      context.reportProgress(i, undefined, 'x'.repeat(100_000));
      await sleep(5);
    }
  });
});
const handler = layer.fetchHandler({ keepAliveMs: 50 });
let server: ReturnType<typeof serve>;
let target: Target;

beforeEach(async () => {
  said.forEach((spy) => spy.mockImplementation(() => undefined).mockClear());
  server = serve({ fetch: (request) => handler(request), port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  target = portTarget((server.address() as AddressInfo).port, 'hono');
});

afterEach(() => new Promise((done) => server.close(done)));
afterAll(() => handler.close());

const output = (): unknown[] => said.flatMap((spy) => spy.mock.calls.flat());
const MODERN_STREAMS: readonly [string, Sent][] = [
  ['a listen stream', modern('subscriptions/listen', { notifications: { toolsListChanged: true } })],
  ['a call that sends progress', modern('tools/call', { name: 'talks' }, { progressToken: 1 })],
  ['a call that takes long, answered as events', modern('tools/call', { name: 'slow' })],
];

it.each(MODERN_STREAMS)('behind Hono, a client that leaves %s leaves no error', async (_what, sent) => {
  const stream = await target.open(sent);
  await stream.block();
  stream.close();
  await sleep(100);
  expect(output()).toEqual([]);
});

it('behind Hono, a client that leaves the stream of its session leaves no error', async () => {
  const { headers } = await handshake(target);
  const stream = await target.open({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
  await stream.block();
  stream.close();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'talks', _meta: { progressToken: 2 } } };
  const answer = await target.open({ headers, body: call });
  await answer.block();
  answer.close();
  await target.send({ method: 'DELETE', headers });
  await sleep(100);
  expect(output()).toEqual([]);
});

it('behind Hono, a reader that stands still is cut off, its call with it, and no stack is printed', async () => {
  const stream = await target.open(modern('tools/call', { name: 'talks' }, { progressToken: 1 }));
  const until = Date.now() + 10_000;
  await stream.block();
  expect(talking).toBe(1);
  while (output().length === 0 && Date.now() < until) await sleep(20);
  expect(talking).toBe(0);
  expect(output()).toEqual(['The user aborted a request.']);
  stream.close();
}, 15_000);
