import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpLayer, Principal, Registry, toAuthInfo } from 'cartouche';
import { FastMCP } from 'fastmcp';
import { freePort } from './fastmcp.js';
import { nestApplication } from './nest.js';
import { type Fetch, HttpWire, type Message } from './wire.js';

/** What stands in front of a server leaves at a request, by the names that are in use. */
export type Slots = Readonly<Record<'principal' | 'auth' | 'user', unknown>>;

/** What tests leave there, by what it is. Each says another name, so that it is seen which one counted. */
export const LEFT: Readonly<Record<string, () => Partial<Slots>>> = {
  '`principal`: a `Principal`': () => ({ principal: new Principal({ id: 'p', roles: ['x'] }) }),
  '`auth`: `toAuthInfo(principal)`': () => ({ auth: toAuthInfo(new Principal({ id: 'p', roles: ['x'] })) }),
  '`auth`: an SDK’s `AuthInfo`': () => ({
    auth: { token: 't', clientId: 'app', scopes: ['x'], extra: { sub: 'p', iss: 'https://as.example' } },
  }),
  '`auth`: decoded claims': () => ({ auth: { sub: 'p', client_id: 'app', scope: 'x' } }),
  '`user`: an id and roles': () => ({ user: { id: 'p', roles: ['x'] } }),
};

/** A server with a layer in it, whose requests carry what a header names. */
interface Told {
  readonly era: 'handshake' | 'modern';
  readonly url: string;
  readonly fetch: Fetch;
  close(): Promise<void>;
}

const HEADER = 'x-left';

function leftBy(name: string | null | undefined): Partial<Slots> {
  return LEFT[decodeURIComponent(name ?? '')]?.() ?? {};
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function onPort(answer: Answer, era: Told['era'] = 'modern'): Promise<Told> {
  const server = createServer((request, response) => {
    void answer(Object.assign(request, leftBy(request.headers[HEADER] as string | undefined)), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    era,
    fetch,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const INFO = { name: 'host', version: '1.0.0' };

const OPENERS: Readonly<Record<string, (layer: McpLayer) => Promise<Told>>> = {
  '`nodeHandler`': async (layer) => {
    const handler = layer.nodeHandler();
    const told = await onPort((request, response) => handler(request, response));
    return { ...told, close: () => Promise.all([handler.close(), told.close()]).then(() => undefined) };
  },
  '`fetchHandler`': (layer) => {
    const handler = layer.fetchHandler();
    const answer: Fetch = (request) => {
      const { auth, ...slots } = leftBy(request.headers.get(HEADER));
      return handler(request, { ...slots, accessToken: auth } as object);
    };
    return Promise.resolve({ era: 'modern', fetch: answer, url: 'http://127.0.0.1/mcp', close: () => handler.close() });
  },
  'SDK 1.x': (layer) =>
    onPort(async (request, response) => {
      const server = new McpServerV1(INFO);
      layer.registerInto(server);
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
      await server.connect(transport);
      await transport.handleRequest(request, response);
    }, 'handshake'),
  'SDK 2.x': (layer) => {
    const factory = layer.factory(() => new McpServerV2(INFO));
    return onPort(toNodeHandler(createMcpHandler(factory)));
  },
  '`fastmcp`': async (layer) => {
    await import('cartouche/fastmcp');
    const port = await freePort();
    const server = new FastMCP({
      name: 'host',
      version: '1.0.0',
      ping: { enabled: false },
      authenticate: (request) => {
        const { auth, principal, user } = leftBy(request.headers[HEADER] as string | undefined);
        return Promise.resolve((principal ?? auth ?? user ?? {}) as Record<string, unknown>);
      },
    });
    layer.registerInto(server);
    const httpStream = { port, host: '127.0.0.1', endpoint: '/mcp', stateless: true } as const;
    await server.start({ transportType: 'httpStream', httpStream });
    return { era: 'handshake', fetch, url: `http://127.0.0.1:${port}/mcp`, close: () => server.stop() };
  },
  '`@rekog/mcp-nest`': async (layer) => {
    const require = createRequire(import.meta.url);
    const { app, url } = await nestApplication((specifier) => Promise.resolve(require(specifier)), {
      stateful: false,
      strategy: (strategy) => void layer.registerInto(strategy),
      middleware: (request) => void Object.assign(request, leftBy(request.headers[HEADER])),
    });
    return {
      era: 'modern',
      fetch,
      url,
      close: async () => {
        app.getHttpServer().closeAllConnections();
        await app.close();
      },
    };
  },
};

/** Who a tool says is calling. */
async function callerAt({ era, fetch, url }: Told, left: string): Promise<string> {
  const wire = new HttpWire(era, fetch, url, { [HEADER]: encodeURIComponent(left) });
  const answer: Message = await wire.request('tools/call', { name: 'who', arguments: {} });
  return String(answer['result']?.content?.[0]?.text ?? JSON.stringify(answer));
}

/** What came of whatever was left, by host: who the layer took the caller for, of which roles. */
export async function measured(): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = {};
  for (const [host, open] of Object.entries(OPENERS)) {
    const registry = new Registry();
    registry.tool({ name: 'who', capabilities: [] }, (_args, { principal }) => {
      return `${principal.id} [${[...principal.roles].join()}]`;
    });
    const layer = new McpLayer({ name: 'who', version: '1.0.0', registry, logger: QUIET });
    await layer.start();
    const told = await open(layer);
    const row: string[] = [];
    for (const left of Object.keys(LEFT)) row.push(await callerAt(told, left));
    rows[host] = row;
    await told.close();
    await layer.close();
  }
  return rows;
}

const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };
function nothing(): void {
  return undefined;
}

// Run as a program, it prints what it found.
if (process.argv[1]?.endsWith('told.ts') === true) {
  const heads = Object.keys(LEFT);
  const rows = await measured();
  process.stdout.write(`\n${JSON.stringify({ heads, rows })}\n`, () => process.exit(0));
}
