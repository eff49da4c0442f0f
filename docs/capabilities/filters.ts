import { cache, type McpLayerOptions, McpLayer, McpService, Registry, retry, Tool } from 'cartouche';

let calls = 0;

@McpService({ category: 'stock', capabilities: ['read_state'] })
class Stock {
  /** The service says what its tools touch. */
  @Tool()
  count(): number {
    return ++calls;
  }

  /** A tool that touches more says so itself: its own list counts, and nothing of the service's. */
  @Tool({ capabilities: ['read_state', 'write_state'], destructive: true, idempotent: true })
  clear(): string {
    return 'cleared';
  }

  @Tool({ capabilities: ['cloud_access'] })
  prices(): number {
    return ++calls;
  }

  @Tool({ category: 'admin', capabilities: ['exec'], confirm: 'Restart it?' })
  restart(): string {
    return 'restarted';
  }
}

const registry = new Registry();
registry.tool({ name: 'add', category: 'tools', capabilities: [] }, () => 2 + 2);

const make = (more: Partial<McpLayerOptions> = {}): McpLayer =>
  new McpLayer({ name: 'stock', version: '1.0.0', services: [Stock], registry, ...more });
const named = (layer: McpLayer): string =>
  layer
    .listTools()
    .map(({ name }) => name)
    .join(' ');

for (const { name, annotations } of make().toolsWire()) console.log(name, annotations);
console.log('readOnly:', named(make({ readOnly: true })));
console.log('without admin:', named(make({ excludeCategories: ['admin'] })));
console.log('stock, and of that:', named(make({ includeCategories: ['stock'], excludeTools: ['clear'] })));

// Only what is read-only and idempotent is kept or tried again; whatever may change something empties the cache.
const layer = make({ middleware: [cache(), retry({ on: ['ECONNRESET'] })] });
const ask = async (name: string): Promise<unknown> => (await layer.callTool(name)).structuredContent;
console.log('kept:', await ask('count'), await ask('count'));
console.log('not kept:', await ask('prices'), await ask('prices'));
await ask('clear');
console.log('emptied:', await ask('count'));
await layer.close();
