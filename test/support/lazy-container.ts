// Builds a server with services of every lifetime in a program that has not loaded tsyringe, and prints when that was loaded.
import { McpService } from '../../decorators/service.js';
import { Tool } from '../../decorators/tool.js';
import { McpLayer } from '../../src/mcp-layer.js';
import { createTestClient } from '../../src/testing.js';

let made = 0;

@McpService({ scope: 'request' })
class Basket {
  readonly number = ++made;
}

@McpService()
class Clock {
  readonly hour = 12;
}

@McpService({ scope: 'request' })
class Shop {
  constructor(
    readonly basket: Basket,
    readonly clock: Clock,
  ) {}

  /** Says what the basket holds. */
  @Tool({ capabilities: ['read_state'] })
  look(): string {
    return `basket ${this.basket.number} at ${this.clock.hour}`;
  }
}

const isLoaded = (): boolean => Object.keys(require.cache).some((file) => file.includes('/node_modules/tsyringe/'));

async function main(): Promise<void> {
  const layer = new McpLayer({ name: 'lazy', version: '1.0.0', services: [Shop] });
  const tools = layer.toolsWire().map(({ name }) => name);
  const atList = isLoaded();
  const client = createTestClient(layer);
  const said = [await client.call('look', {}), await client.call('look', {})];
  console.log(JSON.stringify({ tools, atList, said, atCall: isLoaded() }));
  client.close();
}

void main();
