import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { OAuthResource, type FetchHandler, type HttpOptions, type McpLayer } from 'cartouche';
import type { HostCase, HostSetup, OpenHost } from './host-case.js';
import { type Fetch, HttpWire, type RequestOptions, tokenOf } from './wire.js';

/** Tokens are their claims, so that a test can say who calls. */
const OPTIONS: HttpOptions = {
  guard: { allowedHosts: ['127.0.0.1'] },
  auth: new OAuthResource({
    resource: 'https://h.example/mcp',
    authorizationServers: ['https://as.example'],
    verifyToken: (token) => JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>,
  }),
};

function as(subject: string): RequestOptions & { readonly headers: Record<string, string> } {
  const { clientId, extra, scopes } = tokenOf(subject);
  const claims = { clientId, scopes, aud: 'https://h.example/mcp', ...extra };
  return { headers: { authorization: `Bearer ${Buffer.from(JSON.stringify(claims)).toString('base64url')}` } };
}

interface Front {
  readonly fetch: Fetch;
  readonly url: string;
  close(): Promise<void>;
}

function inProcess(layer: McpLayer): Promise<Front> {
  const handler: FetchHandler = layer.fetchHandler(OPTIONS);
  return Promise.resolve({ fetch: handler, url: 'http://127.0.0.1/mcp', close: () => handler.close() });
}

async function onPort(layer: McpLayer): Promise<Front> {
  const handler = layer.nodeHandler(OPTIONS);
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    fetch,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Era = HostCase['era'];

function opener(start: (layer: McpLayer) => Promise<Front>, era: Era): HostCase['open'] {
  return async ({ layer }: HostSetup): Promise<OpenHost> => {
    await layer.start();
    const front = await start(layer);
    const wires: HttpWire[] = [];
    const connect = async (subject?: string): Promise<HttpWire> => {
      const wire = new HttpWire(era, front.fetch, front.url, subject === undefined ? {} : as(subject).headers);
      wires.push(wire);
      if (era === 'handshake') await wire.initialize();
      return wire;
    };
    return {
      // The first session is one of the two people's own.
      wire: await connect('ana'),
      binding: undefined as never,
      server: undefined,
      capabilities: () => Promise.resolve({}),
      as,
      wireOf: connect,
      close: async () => {
        await Promise.all(wires.map((wire) => wire.close()));
        await front.close();
      },
    };
  };
}

/** The layer's own fronts, for what holds there as in every host. */
export function nativeCases(): readonly HostCase[] {
  const common = { stateful: true, major: undefined, unknownTool: -32602, identity: 'host' } as const;
  const cases: HostCase[] = [];
  for (const [front, start] of [
    ['fetch', inProcess],
    ['node', onPort],
  ] as const) {
    for (const [revision, era] of [
      ['2026', 'modern'],
      ['2025', 'handshake'],
    ] as const) {
      cases.push({
        ...common,
        name: `native ${front} ${revision}`,
        era,
        missingResource: era === 'modern' ? [-32602, -32602] : [-32002, -32002],
        sessions: era === 'handshake' ? 'carrier' : 'none',
        open: opener(start, era),
      });
    }
  }
  return cases;
}
