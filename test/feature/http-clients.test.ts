import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type HttpServing, Principal, type ServeHttpOptions, TokenAuth } from 'cartouche';
import { type HttpProcess, startHttpProcess, startRoundRobin } from '../support/http-process.js';
import { protocolLayer } from '../support/protocol-layer.js';

jest.setTimeout(60_000);

const INFO = { name: 'tests', version: '0' };

/** The official clients, by the era that they choose. */
const CLIENTS = {
  'client 2.x, as it comes': () => new Client(INFO),
  'client 2.x, auto': () => new Client(INFO, { versionNegotiation: { mode: 'auto' } }),
  'client 2.x, pinned': () => new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  'sdk 1.x': () => new ClientV1(INFO) as unknown as Client,
};
type Name = keyof typeof CLIENTS;
const NAMES = Object.keys(CLIENTS) as Name[];
const MODERN: readonly Name[] = ['client 2.x, auto', 'client 2.x, pinned'];

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function connect(name: Name, url: string, headers: Record<string, string> = {}): Promise<Client> {
  const Transport = (
    name === 'sdk 1.x' ? TransportV1 : StreamableHTTPClientTransport
  ) as typeof StreamableHTTPClientTransport;
  const client = CLIENTS[name]();
  await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
  open.push(client);
  return client;
}

async function serve(options: ServeHttpOptions = {}, layer = protocolLayer()): Promise<HttpServing> {
  const serving = await layer.serve('http', { port: 0, exit: false, graceMs: 100, ...options });
  open.push(serving);
  return serving;
}

const text = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? '';
};

/** A request may still go out on a connection that was closed a moment ago. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

describe.each(NAMES)('%s', (name) => {
  it('lists, calls, reads, gets and completes', async () => {
    const client = await connect(name, (await serve()).url);
    if (name !== 'sdk 1.x') expect(client.getProtocolEra()).toBe(MODERN.includes(name) ? 'modern' : 'legacy');
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
    expect(await text(client, 'echo', { text: 'hi' })).toBe('hi');
    expect((await client.readResource({ uri: 'docs://guide' })).contents).toMatchObject([{ text: 'Read me.' }]);
    expect((await client.getPrompt({ name: 'greet', arguments: { who: 'you' } })).messages[0]).toMatchObject({
      content: { text: 'Hello you' },
    });
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    expect((await client.complete({ ref, argument: { name: 'who', value: '' } })).completion).toMatchObject({
      total: 250,
    });
  });

  it('lists and calls in every response mode', async () => {
    for (const responseMode of ['json', 'sse'] as const) {
      const client = await connect(name, (await serve({ responseMode })).url);
      expect(await text(client, 'echo', { text: responseMode })).toBe(responseMode);
    }
  });

  it('hears of progress before the answer', async () => {
    const client = await connect(name, (await serve()).url);
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void steps.push(progress);
    const result =
      name === 'sdk 1.x'
        ? await (client as unknown as ClientV1).callTool({ name: 'progress', arguments: {} }, undefined, { onprogress })
        : await client.callTool({ name: 'progress', arguments: {} }, { onprogress });
    expect([steps, result.isError]).toEqual([[1, 3], false]);
  });

  it('calls with a token, and fails without one', async () => {
    const { url } = await serve({ auth: new TokenAuth({ secret: new Principal({ id: 'ana' }) }) });
    expect(await text(await connect(name, url, { authorization: 'Bearer secret' }), 'echo', { text: 'hi' })).toBe('hi');
    await expect(connect(name, url)).rejects.toThrow();
  });

  it('finds its way back after the server was started anew', async () => {
    const layer = protocolLayer();
    const first = await layer.serve('http', { port: 0, exit: false, graceMs: 0 });
    const client = await connect(name, first.url);
    expect(await text(client, 'echo', { text: '1' })).toBe('1');
    await first.close();
    const second = await serve({ port: first.port });
    if (MODERN.includes(name)) {
      expect(await patiently(() => text(client, 'echo', { text: '2' }))).toBe('2');
      return;
    }
    // A session is gone with its server, which the client is told with 404: it opens another.
    await expect(text(client, 'echo', { text: '2' })).rejects.toThrow();
    expect(await text(await patiently(() => connect(name, second.url)), 'echo', { text: '3' })).toBe('3');
  });

  it('does not mind which of two servers without sessions it reaches', async () => {
    const servers: HttpProcess[] = [
      await startHttpProcess({ sessions: false }),
      await startHttpProcess({ sessions: false }),
    ];
    const proxy = await startRoundRobin(servers.map(({ url }) => url));
    open.push(proxy);
    const client = await connect(name, proxy.url);
    const processes = new Set<string>();
    const lists = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      processes.add(await text(client, 'process_id'));
      lists.add(JSON.stringify((await client.listTools()).tools.map((tool) => tool.name)));
      expect((await client.readResource({ uri: 'docs://guide' })).contents).toHaveLength(1);
    }
    expect([processes.size, lists.size]).toEqual([2, 1]);
    for (const server of servers) expect(await server.end()).toBe(0);
  });
});

describe('a client of 2026-07-28', () => {
  it('does not mind which of two servers it reaches, whatever they do with sessions', async () => {
    const servers = [await startHttpProcess(), await startHttpProcess({ responseMode: 'sse' })];
    const proxy = await startRoundRobin(servers.map(({ url }) => url));
    open.push(proxy);
    const client = await connect('client 2.x, pinned', proxy.url);
    const processes = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      processes.add(await text(client, 'process_id'));
      await client.listTools();
      await client.listPrompts();
    }
    expect(processes.size).toBe(2);
    for (const server of servers) expect(await server.end('SIGINT')).toBe(0);
  });

  it('hears on its own stream that the tools changed', async () => {
    const { url } = await serve();
    const client = new Client(INFO, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => heard() } },
    });
    let heard!: () => void;
    const told = new Promise<void>((resolve) => (heard = resolve));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    open.push(client);
    await client.callTool({ name: 'change_tools', arguments: {} });
    await told;
  });
});

describe('a client of 2024-11-05', () => {
  it('lists and calls over the old transport, where it is served', async () => {
    const { url } = await serve({ legacySse: true });
    const client = new ClientV1(INFO);
    await client.connect(new SSEClientTransport(new URL('/sse', url)));
    open.push(client);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
    expect(await text(client as unknown as Client, 'echo', { text: 'hi' })).toBe('hi');
  });
});

describe('a server process', () => {
  it('ends with 0 when it is told to, after what runs was answered and its streams were ended', async () => {
    const server = await startHttpProcess();
    const client = await connect('client 2.x, as it comes', server.url);
    const waiting = text(client, 'wait', { ms: 300 });
    await text(client, 'echo', { text: 'it runs' });
    const ended = server.end();
    expect(await waiting).toBe('waited');
    expect(await ended).toBe(0);
    expect(server.errors()).toBe('');
  });

  it('ends at once when it is told twice', async () => {
    const server = await startHttpProcess();
    const client = await connect('client 2.x, as it comes', server.url);
    const waiting = text(client, 'wait', { ms: 60_000 }).catch(() => 'cut');
    await text(client, 'echo', { text: 'it runs' });
    server.child.kill('SIGTERM');
    while (
      (await fetch(server.url).then(
        () => 'open',
        () => 'closed',
      )) === 'open'
    );
    expect(await server.end('SIGTERM')).toBe(143);
    expect(await waiting).toBe('cut');
  });
});
