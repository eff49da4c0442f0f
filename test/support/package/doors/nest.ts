import { McpLayer, McpService, Tool } from 'cartouche';
import { NestContainer } from 'cartouche/nest';

@McpService()
class Greeter {
  @Tool({ capabilities: ['read_state'] })
  hi(): string {
    return 'hi';
  }
}

// What Nest's own reference to a module has of a class that lives as long as a request: a bundle of the whole of Nest
// needs a list of externals whatever else is in it.
const moduleRef = {
  introspect: () => ({ scope: 2 }),
  registerRequestByContextId: () => undefined,
  resolve: (cls: new () => object, contextId?: { id: number }) =>
    Promise.resolve(contextId?.id === undefined ? undefined : new cls()),
};

async function main(): Promise<void> {
  const container = new NestContainer(moduleRef as never);
  const layer = new McpLayer({ name: 'bundled', version: '1.0.0', services: [Greeter], container });
  const { content } = (await layer.callTool('hi', {})).toWire() as { content: { text: string }[] };
  console.log(JSON.stringify({ hi: content[0]?.text }));
}

void main();
