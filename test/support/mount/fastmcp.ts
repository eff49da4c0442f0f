import { createServer } from 'node:net';
import type { HostCase, HostSetup, Load, OpenHost } from './host-case.js';
import { CarrierPigeon, HttpWire, INITIALIZE, MemoryWire, type Wire } from './wire.js';

const QUIET = {
  debug: () => undefined,
  error: () => undefined,
  info: () => undefined,
  log: () => undefined,
  warn: () => undefined,
};

function equip(server: any, z: any): void {
  server.addTool({
    name: 'host_echo',
    description: 'The host.',
    parameters: z.object({ text: z.string() }),
    execute: ({ text }: any) => Promise.resolve(`host:${text}`),
  });
  server.addTool({ name: 'shared', description: '', execute: () => Promise.resolve('from the host') });
  server.addResource({
    uri: 'host://info',
    name: 'info',
    mimeType: 'text/plain',
    load: () => Promise.resolve({ text: 'host' }),
  });
  server.addPrompt({ name: 'host_prompt', description: '', load: () => Promise.resolve('hi') });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What tests say who is calling with. */
export function authenticate(request: { headers: Record<string, string | undefined> }): Promise<unknown> {
  const user = request.headers['x-user'];
  return Promise.resolve(user === undefined ? { id: 'guest' } : { id: user, roles: ['member'] });
}

type Way = 'memory' | 'http' | 'stateless';

function opener(modules: { FastMCP: any; z: any }, way: Way): HostCase['open'] {
  return async (setup: HostSetup): Promise<OpenHost> => {
    const server = new modules.FastMCP({
      name: 'host',
      version: '1.0.0',
      logger: QUIET,
      authenticate,
      ping: { enabled: false },
    });
    if (setup.order !== 'late') equip(server, modules.z);
    const binding = setup.layer.registerInto(server, setup.options);
    for (const layer of setup.more ?? []) layer.registerInto(server);
    if (setup.order === 'late') equip(server, modules.z);
    let wire: Wire;
    let wireOf: OpenHost['wireOf'];
    let initialized: any;
    if (way === 'memory') {
      const memory = new MemoryWire(setup.unknownTransport === true ? new CarrierPigeon() : undefined);
      const connected = server.connect(memory.transport);
      await memory.initialize();
      await connected;
      initialized = memory.initialized;
      wire = memory;
    } else {
      const port = await freePort();
      await server.start({
        transportType: 'httpStream',
        httpStream: { port, host: '127.0.0.1', endpoint: '/mcp', stateless: way === 'stateless' },
      });
      const url = `http://127.0.0.1:${port}/mcp`;
      const http = new HttpWire('handshake', fetch, url, setup.headers);
      wireOf = async (subject) => {
        const own = new HttpWire('handshake', fetch, url, { 'x-user': subject });
        if (way === 'http') await own.initialize();
        return own;
      };
      initialized = way === 'http' ? await http.initialize() : await http.request('initialize', INITIALIZE);
      wire = http;
    }
    return {
      wire,
      binding,
      server,
      capabilities: () => Promise.resolve(initialized['result'].capabilities),
      ...(way !== 'stateless' && {
        addTool: (name: string) => server.addTool({ name, description: '', execute: () => Promise.resolve('late') }),
      }),
      ...(way !== 'memory' && { as: (subject: string) => ({ headers: { 'x-user': subject } }) }),
      ...(wireOf !== undefined && { wireOf }),
      close: async () => {
        await wire.close();
        await server.stop();
      },
    };
  };
}

/** `fastmcp` 4.x, which `cartouche/fastmcp` knows. */
export async function fastMcpCases(load: Load, format: string): Promise<readonly HostCase[]> {
  const [{ FastMCP }, { z }] = await Promise.all([load('fastmcp'), load('zod')]);
  const common = { era: 'handshake', major: 1, unknownTool: -32601, missingResource: [-32002, -32601] } as const;
  return [
    {
      ...common,
      name: `fastmcp memory ${format}`,
      stateful: true,
      identity: 'local',
      sessions: 'none',
      open: opener({ FastMCP, z }, 'memory'),
    },
    {
      ...common,
      name: `fastmcp http ${format}`,
      stateful: true,
      identity: 'host',
      sessions: 'layer',
      open: opener({ FastMCP, z }, 'http'),
    },
    {
      ...common,
      name: `fastmcp http stateless ${format}`,
      stateful: false,
      identity: 'host',
      sessions: 'none',
      gaps: { cancellation: 'no: the host does not notice that a client without a session went away' },
      open: opener({ FastMCP, z }, 'stateless'),
    },
  ];
}
