import type { Format, HostCase, HostSetup, Load, OpenHost } from './host-case.js';
import { CarrierPigeon, MemoryWire, type RequestOptions, tokenOf } from './wire.js';

interface Sdk {
  readonly Server: any;
  readonly McpServer: any;
  readonly types: any;
  readonly z: any;
}

async function loadSdk(load: Load): Promise<Sdk> {
  const [{ Server }, { McpServer }, types, { z }] = await Promise.all([
    load('@modelcontextprotocol/sdk/server/index.js'),
    load('@modelcontextprotocol/sdk/server/mcp.js'),
    load('@modelcontextprotocol/sdk/types.js'),
    load('zod'),
  ]);
  return { Server, McpServer, types, z };
}

/** What the host has of its own, in the high-level API. */
function equipHighLevel(server: any, z: any): void {
  server.registerTool(
    'host_echo',
    { description: 'The host.', inputSchema: { text: z.string() } },
    ({ text }: any) => ({
      content: [{ type: 'text', text: `host:${text}` }],
    }),
  );
  server.registerTool('shared', {}, () => ({ content: [{ type: 'text', text: 'from the host' }] }));
  server.registerResource('info', 'host://info', {}, () => ({ contents: [{ uri: 'host://info', text: 'host' }] }));
  server.registerPrompt('host_prompt', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  }));
}

/** The same in the low-level API. */
function equipLowLevel(server: any, types: any): void {
  server.registerCapabilities({ tools: {}, resources: {}, prompts: {} });
  const tools = ['host_echo', 'shared'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }: any) => {
    if (params.name === 'host_echo') return { content: [{ type: 'text', text: `host:${params.arguments.text}` }] };
    if (params.name === 'shared') return { content: [{ type: 'text', text: 'from the host' }] };
    throw new types.McpError(-32602, `no tool ${params.name}`);
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: [{ uri: 'host://info', name: 'info' }],
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }: any) => {
    if (params.uri === 'host://info') return { contents: [{ uri: 'host://info', text: 'host' }] };
    throw new types.McpError(-32002, 'nothing there');
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: [{ name: 'host_prompt' }] }));
  server.setRequestHandler(types.GetPromptRequestSchema, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  }));
}

async function open(make: () => any, equip: (server: any) => void, setup: HostSetup): Promise<OpenHost> {
  const server = make();
  if (setup.order !== 'late') equip(server);
  const binding = setup.layer.registerInto(server, setup.options);
  for (const layer of setup.more ?? []) layer.registerInto(server);
  if (setup.order === 'late') equip(server);
  const extra = setup.headers === undefined ? undefined : { requestInfo: { headers: setup.headers } };
  const wire = new MemoryWire(setup.unknownTransport === true ? new CarrierPigeon() : undefined, extra);
  if (setup.session !== undefined) wire.transport.sessionId = setup.session;
  await server.connect(wire.transport);
  await wire.initialize();
  return {
    wire,
    binding,
    server,
    capabilities: () => Promise.resolve(wire.initialized['result'].capabilities),
    ...('registerTool' in server && {
      addTool: (name: string) => server.registerTool(name, {}, () => ({ content: [{ type: 'text', text: 'late' }] })),
    }),
    as: callFrom,
    wireOf: async (subject) => {
      const other = make();
      setup.layer.registerInto(other, setup.options);
      const own = new MemoryWire(undefined, callFrom(subject).extra);
      own.transport.sessionId = `session of ${subject}`;
      await other.connect(own.transport);
      await own.initialize();
      return own;
    },
    close: () => server.close(),
  };
}

function callFrom(subject: string): RequestOptions {
  return { extra: { authInfo: tokenOf(subject), requestInfo: { headers: {} } } };
}

/** `@modelcontextprotocol/sdk` 1.x, high and low. */
export async function sdkV1Cases(load: Load, format: Format): Promise<readonly HostCase[]> {
  const { McpServer, Server, types, z } = await loadSdk(load);
  const common = { era: 'handshake', stateful: true, major: 1, identity: 'headers', sessions: 'layer' } as const;
  const info = { name: 'host', version: '1.0.0' };
  return [
    {
      ...common,
      name: `sdk 1 McpServer ${format}`,
      unknownTool: 'isError',
      missingResource: [-32002, -32602],
      open: (setup) =>
        open(
          () => new McpServer(info),
          (server) => equipHighLevel(server, z),
          setup,
        ),
    },
    {
      ...common,
      name: `sdk 1 Server ${format}`,
      unknownTool: -32602,
      missingResource: [-32002, -32002],
      open: (setup) =>
        open(
          () => new Server(info, { capabilities: {} }),
          (server) => equipLowLevel(server, types),
          setup,
        ),
    },
  ];
}
