import type { McpLayer } from 'cartouche';
import type { Format, HostCase, HostSetup, Load, OpenHost } from './host-case.js';
import { CarrierPigeon, HttpWire, MemoryWire, settled, tokenOf, type Wire } from './wire.js';

const INFO = { name: 'host', version: '1.0.0' };

function text(value: string): any {
  return { content: [{ type: 'text', text: value }] };
}

function equipHighLevel(server: any, z: any): void {
  server.registerTool(
    'host_echo',
    { description: 'The host.', inputSchema: z.object({ text: z.string() }) },
    (args: any) => text(`host:${args.text}`),
  );
  server.registerTool('shared', {}, () => text('from the host'));
  server.registerResource('info', 'host://info', {}, () => ({ contents: [{ uri: 'host://info', text: 'host' }] }));
  server.registerPrompt('host_prompt', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  }));
}

function equipLowLevel(server: any, { ProtocolError }: any): void {
  server.registerCapabilities({ tools: {}, resources: {}, prompts: {} });
  const tools = ['host_echo', 'shared'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }: any) => {
    if (params.name === 'host_echo') return text(`host:${params.arguments.text}`);
    if (params.name === 'shared') return text('from the host');
    throw new ProtocolError(-32602, `no tool ${params.name}`);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'host://info', name: 'info' }] }));
  server.setRequestHandler('resources/read', ({ params }: any) => {
    if (params.uri === 'host://info') return { contents: [{ uri: 'host://info', text: 'host' }] };
    throw new ProtocolError(-32602, 'nothing there', { uri: params.uri });
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: 'host_prompt' }] }));
  server.setRequestHandler('prompts/get', () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  }));
}

/** Makes one server with everything in it, as a factory does at every request. */
type Make = (setup: HostSetup) => { server: any; binding: ReturnType<McpLayer['registerInto']> };

function maker(create: () => any, equip: (server: any) => void): Make {
  return (setup) => {
    const server = create();
    if (setup.order !== 'late') equip(server);
    const binding = setup.layer.registerInto(server, setup.options);
    for (const layer of setup.more ?? []) layer.registerInto(server);
    if (setup.order === 'late') equip(server);
    return { server, binding };
  };
}

function opened(
  wire: Wire,
  made: ReturnType<Make>,
  capabilities: OpenHost['capabilities'],
  close: () => Promise<void>,
): OpenHost {
  const { server } = made;
  return {
    wire,
    ...made,
    capabilities,
    ...('registerTool' in server && { addTool: (name: string) => server.registerTool(name, {}, () => text('late')) }),
    close,
  };
}

/** One connection, which `connect` makes a handshake one. */
function inMemory(make: Make): HostCase['open'] {
  return async (setup) => {
    const made = make(setup);
    const extra = setup.headers && { request: new Request('http://127.0.0.1/mcp', { headers: setup.headers }) };
    const wire = new MemoryWire(setup.unknownTransport === true ? new CarrierPigeon() : undefined, extra);
    if (setup.session !== undefined) wire.transport.sessionId = setup.session;
    await made.server.connect(wire.transport);
    await wire.initialize();
    const capabilities = (): Promise<any> => Promise.resolve(wire.initialized['result'].capabilities);
    const request = new Request('http://127.0.0.1/mcp');
    const as = (subject: string) => ({ extra: { authInfo: tokenOf(subject), request } });
    const wireOf = async (subject: string): Promise<Wire> => {
      const own = new MemoryWire(undefined, as(subject).extra);
      own.transport.sessionId = `session of ${subject}`;
      await make({ layer: setup.layer }).server.connect(own.transport);
      await own.initialize();
      return own;
    };
    return { ...opened(wire, made, capabilities, () => made.server.close()), as, wireOf };
  };
}

async function discovered(wire: Wire): Promise<any> {
  return (await wire.request('server/discover'))['result'].capabilities;
}

/** `createMcpHandler`: a server for every request. */
function perRequest(make: Make, { createMcpHandler }: any, era: 'handshake' | 'modern'): HostCase['open'] {
  return async (setup) => {
    const first = make(setup);
    const handler = createMcpHandler(() => make(setup).server);
    const detach = setup.layer.attachBus(handler.bus);
    const fetch = (request: Request): Promise<Response> => {
      const subject = request.headers.get('x-subject');
      return handler.fetch(request, subject === null ? {} : { authInfo: tokenOf(subject) });
    };
    const wire = new HttpWire(era, fetch, undefined, setup.headers);
    const capabilities = async (): Promise<any> => {
      if (era === 'modern') return discovered(wire);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '0' } };
      return (await wire.request('initialize', params))['result'].capabilities;
    };
    const host = opened(wire, first, capabilities, async () => {
      detach();
      await wire.close();
      await handler.close();
    });
    const { addTool: _, ...rest } = host;
    const as = (subject: string) => ({ headers: { 'x-subject': subject } });
    const wireOf = (subject: string): Promise<Wire> =>
      Promise.resolve(new HttpWire(era, fetch, undefined, as(subject).headers));
    return { ...rest, as, wireOf };
  };
}

/** `serveStdio`: a server for one connection, which the first message puts in an era. */
function stdio(make: Make, { serveStdio }: any, era: 'handshake' | 'modern'): HostCase['open'] {
  return async (setup) => {
    let made: ReturnType<Make> | undefined;
    const wire = new MemoryWire(undefined, undefined, era);
    const handle = serveStdio(() => (made = make(setup)).server, { transport: wire.transport });
    await settled();
    if (era === 'handshake') await wire.initialize();
    else await wire.request('server/discover');
    const capabilities = (): Promise<any> =>
      era === 'modern' ? discovered(wire) : Promise.resolve(wire.initialized['result'].capabilities);
    if (made === undefined) throw new Error('no server was made');
    return opened(wire, made, capabilities, () => handle.close());
  };
}

/** `@modelcontextprotocol/server` 2.x, high and low, in every way of serving. */
export async function sdkV2Cases(load: Load, format: Format): Promise<readonly HostCase[]> {
  const [sdk, serving, { z }] = await Promise.all([
    load('@modelcontextprotocol/server'),
    load('@modelcontextprotocol/server/stdio'),
    load('zod'),
  ]);
  const high = maker(
    () => new sdk.McpServer(INFO),
    (server) => equipHighLevel(server, z),
  );
  const low = maker(
    () => new sdk.Server(INFO, { capabilities: {} }),
    (server) => equipLowLevel(server, sdk),
  );
  const cases: HostCase[] = [];
  for (const [kind, make] of [
    ['McpServer', high],
    ['Server', low],
  ] as const) {
    const common = { major: 2, unknownTool: -32602, missingResource: [-32602, -32602] } as const;
    const ways: readonly (readonly [string, 'handshake' | 'modern', boolean, HostCase['open']])[] = [
      ['connect', 'handshake', true, inMemory(make)],
      ['createMcpHandler', 'modern', true, perRequest(make, sdk, 'modern')],
      ['createMcpHandler', 'handshake', false, perRequest(make, sdk, 'handshake')],
      ['serveStdio', 'modern', true, stdio(make, serving, 'modern')],
      ['serveStdio', 'handshake', true, stdio(make, serving, 'handshake')],
    ];
    for (const [way, era, stateful, open] of ways) {
      const revision = era === 'modern' ? '2026' : '2025';
      cases.push({
        ...common,
        name: `sdk 2 ${kind} ${way} ${revision} ${format}`,
        era,
        stateful,
        open,
        identity: way === 'serveStdio' ? 'local' : 'headers',
        sessions: way === 'connect' ? 'layer' : 'none',
      });
    }
  }
  return cases;
}
