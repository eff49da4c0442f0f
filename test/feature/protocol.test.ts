import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type RequestOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { clientTransport } from '../../src/native/memory.js';
import { NativeMcpServer } from '../../src/native/native-server.js';
import { serialise } from '../../src/native/prepared.js';
import { protocolLayer } from '../support/protocol-layer.js';
import { serverCommand } from '../support/raw-client.js';
import { cursors } from '../support/pages.js';

jest.setTimeout(60_000);

const INFO = { name: 'tests', version: '0' };

/** The official clients, by the era that they choose. */
const CLIENTS = {
  'client 2.x, as it comes': () => new Client(INFO),
  'client 2.x, auto': () => new Client(INFO, { versionNegotiation: { mode: 'auto' } }),
  'client 2.x, pinned': () => new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  'sdk 1.x': () => new ClientV1(INFO) as unknown as Client,
};

const MODERN: readonly string[] = ['client 2.x, auto', 'client 2.x, pinned'];

const NAMES = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];

let client: Client | undefined;

afterEach(async () => {
  await client?.close();
  client = undefined;
});

async function overStdio(name: keyof typeof CLIENTS): Promise<Client> {
  const Transport = (name === 'sdk 1.x' ? StdioClientTransportV1 : StdioClientTransport) as typeof StdioClientTransport;
  client = CLIENTS[name]();
  await client.connect(new Transport({ ...serverCommand(), stderr: 'ignore' }));
  return client;
}

async function inMemory(
  name: keyof typeof CLIENTS,
  target: NativeMcpServer | ReturnType<typeof protocolLayer>,
): Promise<Client> {
  client = CLIENTS[name]();
  await client.connect(clientTransport(target) as never);
  return client;
}

test.each(NAMES)('%s lists, calls, reads, gets and completes over stdio', async (name) => {
  const official = await overStdio(name);
  if (name !== 'sdk 1.x') expect(official.getProtocolEra()).toBe(MODERN.includes(name) ? 'modern' : 'legacy');
  expect(official.getServerVersion()).toMatchObject({ name: 'protocol', version: '1.2.3' });
  expect((await official.listTools()).tools.map((tool) => tool.name)).toContain('process_id');
  expect((await official.callTool({ name: 'echo', arguments: { text: 'hi' } })).content).toEqual([
    { type: 'text', text: 'hi' },
  ]);
  expect((await official.readResource({ uri: 'docs://guide' })).contents).toMatchObject([{ text: 'Read me.' }]);
  const { messages } = await official.getPrompt({ name: 'greet', arguments: { who: 'you' } });
  expect(messages[0]).toMatchObject({ content: { text: 'Hello you' } });
  const { completion } = await official.complete({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: '' },
  });
  expect(completion).toMatchObject({ total: 250, hasMore: true });
});

test.each(NAMES)('%s walks every list in pages, and meets the errors that it knows', async (name) => {
  const official = await inMemory(name, new NativeMcpServer(protocolLayer(), { pageSize: 4 }));
  const tools: string[] = [];
  const next = cursors();
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<Client['listTools']>> = await official.listTools(
      cursor === undefined ? {} : { cursor },
    );
    tools.push(...page.tools.map((tool) => tool.name));
    cursor = next(name === 'sdk 1.x' ? page.nextCursor : undefined);
  } while (cursor !== undefined);
  expect(new Set(tools).size).toBe(protocolLayer().registry.tools.size);
  await expect(official.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
  await expect(official.readResource({ uri: 'docs://nope' })).rejects.toMatchObject({
    // Client 2.x tells its user the newer code in both eras.
    code: name === 'sdk 1.x' ? -32002 : -32602,
  });
  expect(await official.callTool({ name: 'fails' })).toMatchObject({ isError: true });
});

test.each(NAMES)('%s sees progress, and cancels', async (name) => {
  const official = await inMemory(name, protocolLayer());
  const steps: number[] = [];
  const call = (params: { name: string }, options: RequestOptions): Promise<unknown> =>
    name === 'sdk 1.x'
      ? (official as unknown as ClientV1).callTool(params, undefined, options)
      : official.callTool(params, options);
  await call({ name: 'progress' }, { onprogress: ({ progress }) => steps.push(progress) });
  expect(steps).toEqual([1, 3]);
  const controller = new AbortController();
  const waiting = call({ name: 'wait' }, { signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toThrow();
  expect((await official.callTool({ name: 'no_arguments' })).isError).not.toBe(true);
});

test.each(NAMES)('%s hears of changes in the way of its era', async (name) => {
  const layer = protocolLayer();
  const official = await inMemory(name, layer);
  const heard: string[] = [];
  const hear = (what: string) => () => void heard.push(what);
  if (name === 'sdk 1.x') {
    const { ToolListChangedNotificationSchema, ResourceUpdatedNotificationSchema } =
      await import('@modelcontextprotocol/sdk/types.js');
    official.setNotificationHandler(ToolListChangedNotificationSchema as never, hear('tools') as never);
    official.setNotificationHandler(ResourceUpdatedNotificationSchema as never, hear('guide') as never);
  } else {
    official.setNotificationHandler('notifications/tools/list_changed', hear('tools'));
    official.setNotificationHandler('notifications/resources/updated', hear('guide'));
  }
  if (MODERN.includes(name)) {
    const subscription = await official.listen({ toolsListChanged: true, resourceSubscriptions: ['docs://guide'] });
    layer.notifyChange('tools');
    layer.notifyChange('prompts');
    layer.notifyChange('resource', 'docs://guide');
    await sleep(10);
    await subscription.close();
  } else {
    await official.subscribeResource({ uri: 'docs://guide' });
    layer.notifyChange('tools');
    layer.notifyChange('resource', 'docs://guide');
    await sleep(10);
    await official.unsubscribeResource({ uri: 'docs://guide' });
  }
  layer.notifyChange('resource', 'docs://guide');
  await sleep(10);
  expect(heard).toEqual(['tools', 'guide']);
});

/** A transport of one's own, in less than thirty lines: JSON lines over TCP, a session for each connection. */
function serveTcp(server: NativeMcpServer) {
  const tcp = createServer((socket: Socket) => {
    const write = (message: Parameters<typeof serialise>[0]) => void socket.write(`${serialise(message)}\n`);
    const session = server.createSession({ transport: 'unknown', send: write });
    createInterface({ input: socket }).on('line', (line) => {
      void session.handle(JSON.parse(line)).then((reply) => reply && write(reply));
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => session.close());
  });
  return new Promise<typeof tcp>((resolve) => tcp.listen(0, '127.0.0.1', () => resolve(tcp)));
}

test('a transport of one’s own needs a session and its handle', async () => {
  const layer = protocolLayer();
  layer.registry.tool({ name: 'who' }, (_args, { principal }) => principal.id);
  const server = new NativeMcpServer(layer);
  const tcp = await serveTcp(server);
  const socket = createConnection((tcp.address() as AddressInfo).port, '127.0.0.1');
  const official = new Client(INFO);
  client = official;
  const transport: any = {
    start: async () =>
      void createInterface({ input: socket }).on('line', (line) => transport.onmessage(JSON.parse(line))),
    send: async (message: unknown) => void socket.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      socket.destroy();
      transport.onclose?.();
    },
  };
  await official.connect(transport);
  // Nobody vouches for who is on the other end of a transport that the engine does not know.
  expect((await official.callTool({ name: 'who' })).structuredContent).toEqual({ result: 'anonymous' });
  expect(server.sessionCount).toBe(1);
  await official.close();
  await new Promise((resolve) => tcp.close(resolve));
  while (server.sessionCount > 0) await sleep(1);
});
