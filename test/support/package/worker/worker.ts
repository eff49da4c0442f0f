// A Cloudflare worker, as one is written: one handler, out of a layer that is built when the worker starts.
import { McpLayer, McpService, Registry, Tool } from 'cartouche';
import { IsInt, Max } from 'class-validator';

class Order {
  /** How many. */
  @IsInt()
  @Max(9)
  count!: number;
}

@McpService()
class Clock {
  hour(): number {
    return 12;
  }
}

@McpService()
class Orders {
  constructor(private readonly clock: Clock) {}

  @Tool({ capabilities: ['write_state'] })
  order(order: Order): string {
    return `${order.count} at ${this.clock.hour()}`;
  }
}

const registry = new Registry();
const input = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] } as const;
registry.tool({ name: 'raw', input, capabilities: [] }, () => 'raw');
const layer = new McpLayer({ name: 'worker', version: '1.0.0', services: [Orders], registry });

export default { fetch: layer.fetchHandler() };
