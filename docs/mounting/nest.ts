import type { Server } from 'node:http';
import { type INestApplication, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ModuleRef, NestFactory, REQUEST } from '@nestjs/core';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { McpLayer, McpService, Tool } from 'cartouche';
import { NestContainer } from 'cartouche/nest';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Belongs to one request, and says whose it is. */
@Injectable({ scope: Scope.REQUEST })
class CurrentUser {
  constructor(@Inject(REQUEST) readonly request: { user?: { sub: string } }) {}
}

@Injectable()
@McpService({ capabilities: ['read_state'] })
class TicketTools {
  constructor(@Inject(CurrentUser) private readonly current: CurrentUser) {}

  /** How many open tickets the caller has. */
  @Tool()
  myTickets(): { user: string; open: number } {
    return { user: this.current.request.user?.sub ?? 'nobody', open: 7 };
  }
}

@Injectable()
@McpService({ capabilities: ['read_state'] })
class StatusTools {
  /** Whether everything runs. */
  @Tool()
  status(): string {
    return 'all is well';
  }
}

@Module({ providers: [CurrentUser, TicketTools, StatusTools] })
class AppModule {}

const app = await NestFactory.create<INestApplication<Server>>(AppModule, { logger: false as const });
// In place of a guard: who calls is in a header.
app.use((request: { headers: Record<string, string>; user?: object }, _response: object, next: () => void) => {
  if (request.headers['x-user'] !== undefined) request.user = { sub: request.headers['x-user'], roles: ['member'] };
  next();
});

// Two servers in one application, each with what is its own.
const container = (): NestContainer => new NestContainer(app.get(ModuleRef));
for (const [name, services] of [
  ['tickets', [TicketTools]],
  ['status', [StatusTools]],
] as const) {
  const transports = [new StreamableHttpTransport({ endpoint: `/${name}/mcp` })];
  const strategy = new McpStrategy({
    name,
    version: '1.0.0',
    logging: false,
    transports,
    httpAdapter: app.getHttpAdapter(),
  });
  const layer = new McpLayer({ name, version: '1.0.0', services: [...services], container: container() });
  layer.registerInto(strategy);
  app.connectMicroservice({ strategy });
}
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address() as AddressInfo;

for (const name of ['tickets', 'status']) {
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new Client({ name: 'docs', version: '1.0.0' }, { versionNegotiation: { mode } });
    const url = new URL(`http://127.0.0.1:${port}/${name}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-user': 'ada' } } }));
    const [tool, ...others] = (await client.listTools()).tools;
    const called = await client.callTool({ name: String(tool?.name), arguments: {} });
    console.log(name, client.getNegotiatedProtocolVersion(), tool?.name, others.length, called.structuredContent);
    await client.close();
  }
}
await app.close();
