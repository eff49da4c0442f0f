import 'reflect-metadata';
import type { HostCase, HostSetup, Load, OpenHost } from './host-case.js';
import { HttpWire } from './wire.js';

/** A Nest application with an MCP strategy, whose guard sets the request's user from a header. */
export async function nestApplication(
  load: Load,
  options: { stateful: boolean; strategy?: (strategy: any) => void; middleware?: (request: any) => void },
): Promise<any> {
  const [nest, { NestFactory }, common, { z }] = await Promise.all([
    load('@rekog/mcp-nest'),
    load('@nestjs/core'),
    load('@nestjs/common'),
    load('zod'),
  ]);
  const strategy = new nest.McpStrategy({
    name: 'host',
    version: '1.0.0',
    logging: false,
    transports: [
      new nest.StreamableHttpTransport({ endpoint: '/mcp', statefulMode: options.stateful, enableJsonResponse: false }),
    ],
  });
  class HostTools {
    echo({ text }: { text: string }): unknown {
      return { content: [{ type: 'text', text: `host:${text}` }] };
    }

    shared(): unknown {
      return { content: [{ type: 'text', text: 'from the host' }] };
    }

    info(): unknown {
      return { contents: [{ uri: 'host://info', text: 'host' }] };
    }

    prompt(): unknown {
      return { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] };
    }
  }
  const decorate = (decorator: MethodDecorator, method: string): void => {
    decorator(HostTools.prototype, method, Object.getOwnPropertyDescriptor(HostTools.prototype, method)!);
  };
  decorate(
    nest.Tool({ name: 'host_echo', description: 'The host.', parameters: z.object({ text: z.string() }) }),
    'echo',
  );
  decorate(nest.Tool({ name: 'shared', description: '' }), 'shared');
  decorate(nest.Resource({ name: 'info', uri: 'host://info', mimeType: 'text/plain' }), 'info');
  decorate(nest.Prompt({ name: 'host_prompt', description: '' }), 'prompt');
  nest.McpController()(HostTools);
  class AppModule {}
  common.Module({ controllers: [HostTools] })(AppModule);
  options.strategy?.(strategy);
  const app = await NestFactory.create(AppModule, { logger: false });
  app.use((request: any, _response: unknown, next: () => void) => {
    const user = request.headers['x-user'];
    options.middleware?.(request);
    if (user !== undefined) request.user = { sub: user, roles: ['member'] };
    next();
  });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  return { app, strategy, url: `http://127.0.0.1:${port}/mcp` };
}

function opener(load: Load, era: 'handshake' | 'modern', stateful: boolean): HostCase['open'] {
  return async (setup: HostSetup): Promise<OpenHost> => {
    let binding!: OpenHost['binding'];
    const { app, strategy, url } = await nestApplication(load, {
      stateful,
      strategy: (made) => {
        binding = setup.layer.registerInto(made, setup.options);
        for (const layer of setup.more ?? []) layer.registerInto(made);
      },
    });
    const wire = new HttpWire(era, fetch, url, setup.headers);
    if (stateful && era === 'handshake') await wire.initialize();
    return {
      wire,
      binding,
      server: strategy,
      capabilities: async () => {
        if (era === 'modern') return (await wire.request('server/discover'))['result'].capabilities;
        const other = new HttpWire(era, fetch, url);
        return (await other.initialize())['result'].capabilities;
      },
      as: (subject) => ({ headers: { 'x-user': subject } }),
      wireOf: async (subject) => {
        const own = new HttpWire(era, fetch, url, { 'x-user': subject });
        if (stateful && era === 'handshake') await own.initialize();
        return own;
      },
      close: async () => {
        await wire.close();
        app.getHttpServer().closeAllConnections();
        await app.close();
      },
    };
  };
}

const NOT_NOTICED = 'no: the host does not notice that a client without a session went away';

/** `@rekog/mcp-nest` 2.x, whose servers are of SDK 2.x. It is CommonJS in every application. */
export async function nestCases(load: Load, format: string): Promise<readonly HostCase[]> {
  await load('@rekog/mcp-nest');
  const common = { major: 2, identity: 'host', unknownTool: -32602, missingResource: [-32602, -32602] } as const;
  return [
    {
      ...common,
      name: `mcp-nest 2026 ${format}`,
      era: 'modern',
      stateful: true,
      sessions: 'none',
      open: opener(load, 'modern', false),
    },
    {
      ...common,
      name: `mcp-nest 2025 ${format}`,
      era: 'handshake',
      stateful: false,
      sessions: 'none',
      open: opener(load, 'handshake', false),
      gaps: { cancellation: NOT_NOTICED },
    },
    {
      ...common,
      name: `mcp-nest sessions 2025 ${format}`,
      era: 'handshake',
      stateful: true,
      sessions: 'layer',
      open: opener(load, 'handshake', true),
    },
  ];
}
