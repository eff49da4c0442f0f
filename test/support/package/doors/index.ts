// A whole application through the main door: everything that is loaded when it is needed is needed here.
import {
  bindingOf,
  buildServer,
  cache,
  ConfigurationError,
  McpLayer,
  McpService,
  PartialType,
  Registry,
  Tool,
  toAiSdkTools,
} from 'cartouche';
import { Expose, Type } from 'class-transformer';
import { IsInt, IsString, Max, ValidateNested } from 'class-validator';

class Place {
  @IsString()
  @Expose({ name: 'place-name' })
  name!: string;
}

class Order {
  /** How many. */
  @IsInt()
  @Max(9)
  count!: number;

  @ValidateNested()
  @Type(() => Place)
  place!: Place;
}

class Change extends PartialType(Order) {}

@McpService()
class Clock {
  hour(): number {
    return 12;
  }
}

@McpService()
class Orders {
  constructor(private readonly clock: Clock) {}

  @Tool({ capabilities: ['read_state'] })
  order(order: Order): string {
    return `${order.count} to ${order.place.name} at ${this.clock.hour()}`;
  }

  @Tool({ capabilities: ['read_state'] })
  change(change: Change): string {
    return JSON.stringify(change);
  }
}

async function refusal(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return 'none';
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : String(error);
  }
}

async function main(): Promise<void> {
  const registry = new Registry();
  const input = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] } as const;
  registry.tool({ name: 'raw', input }, () => 'raw');
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...input };
  registry.tool({ name: 'draft7', input: draft7 }, () => 'draft7');
  const layer = new McpLayer({
    name: 'bundled',
    version: '1.0.0',
    services: [Orders],
    registry,
    middleware: [cache()],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = (await layer.callTool(name, args)).toWire() as { content: { text: string }[] };
    return content.map(({ text }) => text).join();
  };
  const id = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
  const response = await layer.fetchHandler()(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    }),
  );
  const report = {
    order: await call('order', { count: 2, place: { 'place-name': 'Rome' } }),
    refused: await call('order', { count: 10, place: { 'place-name': 'Rome' } }),
    change: await call('change', { count: 1 }),
    raw: await call('raw', { id }),
    rawRefused: await call('raw', { id: 1 }),
    draft7: await call('draft7', { id }),
    http: response.status < 500,
    native: bindingOf(await buildServer(layer, 'auto'))?.kind,
    sdk: await refusal(() => buildServer(layer, 'sdk-v1')),
    fastmcp: await refusal(() => buildServer(layer, 'fastmcp')),
    ai: await refusal(() => toAiSdkTools(layer)),
  };
  console.log(JSON.stringify(report));
}

void main();
