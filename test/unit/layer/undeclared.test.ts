import {
  cache,
  type Decision,
  McpLayer,
  McpService,
  type Policy,
  type Primitive,
  Registry,
  retry,
  Tool,
} from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { layerOf, MemoryLogger } from '../../support/layers.js';

const INFO = { name: 'shop', version: '1' };

function reset(): Error {
  return Object.assign(new Error('down'), { code: 'ECONNRESET' });
}

const warningsOf = ({ lines }: MemoryLogger): string[] =>
  lines.map(({ message }) => message).filter((message) => message.includes('capabilities'));

describe('a tool for which nobody declares capabilities may do anything', () => {
  class Shop {
    charges = 0;

    @Tool({ description: 'Charges the card.' })
    charge(): string {
      this.charges += 1;
      throw reset();
    }

    @Tool({ description: 'Drops everything.' })
    dropDatabase(): string {
      return 'dropped';
    }

    @Tool({ description: 'Only reads.', readOnly: true })
    look(): string {
      return 'seen';
    }

    @Tool({ description: 'Adds up.', capabilities: [] })
    add(): string {
      return 'sum';
    }
  }

  const layer = (options: object = {}) =>
    new McpLayer({ ...INFO, logger: new MemoryLogger(), services: [Shop], ...options });

  test('it is listed with no hint but those that its author gave', async () => {
    const client = createTestClient(layer());
    const tools = (await client.listTools()) as { name: string; annotations?: object }[];
    expect(Object.fromEntries(tools.map(({ annotations, name }) => [name, annotations]))).toEqual({
      charge: undefined,
      drop_database: undefined,
      look: { readOnlyHint: true },
      add: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    client.close();
  });

  test('retry runs it once', async () => {
    let charges = 0;
    const one = layerOf(
      (registry) =>
        void registry.tool({ name: 'charge' }, () => {
          charges += 1;
          throw reset();
        }),
      { middleware: [retry({ on: ['ECONNRESET'], random: () => 0 })] },
    );
    expect((await one.callTool('charge')).isError).toBe(true);
    expect(charges).toBe(1);
  });

  test('cache keeps none of its answers, and forgets what it kept when it has run', async () => {
    let orders = 0;
    let reads = 0;
    const one = layerOf(
      (registry) => {
        registry.tool({ name: 'place_order' }, () => `placed ${++orders}`);
        registry.tool({ name: 'orders', capabilities: ['read_state'] }, () => ({ orders, reads: ++reads }));
      },
      { middleware: [cache()] },
    );
    await one.callTool('orders');
    await one.callTool('orders');
    expect(reads).toBe(1);
    await one.callTool('place_order');
    await one.callTool('place_order');
    expect(orders).toBe(2);
    expect((await one.callTool('orders')).structuredContent).toEqual({ orders: 2, reads: 2 });
  });

  test('readOnly leaves it out, unless its author says that it only reads', () => {
    const names = layer({ readOnly: true })
      .listTools()
      .map(({ name }) => name);
    expect(names).toEqual(['look', 'add']);
  });

  test('a policy sees no capability, and that none was declared', () => {
    const seen: Record<string, unknown> = {};
    const policy: Policy = {
      name: 'watch',
      scopeOf: () => undefined,
      decide({ capabilities, declared, id }: Primitive): Decision {
        seen[id] = [[...capabilities], declared];
        return { allowed: true };
      },
    };
    layer({ policy }).listTools();
    expect(seen).toEqual({ charge: [[], false], drop_database: [[], false], look: [[], false], add: [[], true] });
  });
});

describe('defaultCapabilities', () => {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

  test('of a layer hold for its classes, a shared registry and what is added later; explicit hints still win', () => {
    class Reads {
      @Tool({ description: 'One.' })
      one(): number {
        return 1;
      }
      @Tool({ description: 'Two.', idempotent: false })
      two(): number {
        return 2;
      }
      @Tool({ description: 'Three.', capabilities: ['write_fs'] })
      three(): number {
        return 3;
      }
    }
    const registry = new Registry();
    const four = registry.tool({ name: 'four', confirm: 'Sure?' }, () => 4);
    const logger = new MemoryLogger();
    const layer = new McpLayer({ ...INFO, logger, services: [Reads], registry, defaultCapabilities: ['read_state'] });
    const five = layer.registry.tool({ name: 'five', title: 'Five' }, () => 5);
    registry.tool({ name: 'six' }, () => 6);
    const { one, two, three, ...others } = Object.fromEntries(
      layer.listTools().map(({ annotations, name }) => [name, annotations]),
    );
    expect(one).toEqual(hints);
    expect(two).toEqual({ ...hints, idempotentHint: false });
    expect(three).toEqual({ readOnlyHint: false, destructiveHint: false, openWorldHint: false });
    expect(others).toEqual({
      four: { ...hints, destructiveHint: true },
      five: { title: 'Five', ...hints },
      six: hints,
    });
    expect(layer.registry.tools.get('five')).toBe(five);
    expect([...five.capabilities]).toEqual(['read_state']);
    // Another layer over the same registry says something else of it.
    expect([four.declared, four.annotations]).toEqual([false, { destructiveHint: true }]);
    expect(warningsOf(logger)).toEqual([]);
  });

  test('of a class hold for its methods; the class is asked before the layer, a subclass before its ancestor', () => {
    @McpService({ defaultCapabilities: ['read_fs'] })
    class Files {
      @Tool({ description: 'One.' })
      one(): number {
        return 1;
      }
    }
    @McpService({ capabilities: ['exec'] })
    class Runs extends Files {
      @Tool({ description: 'Two.', capabilities: [] })
      two(): number {
        return 2;
      }
    }
    @McpService({ defaultCapabilities: ['write_fs'] })
    class Writes extends Runs {}
    const of = (cls: new () => Files) =>
      new McpLayer({ ...INFO, services: [cls], defaultCapabilities: ['reveal'] })
        .listTools()
        .map(({ capabilities, name }) => [name, ...capabilities]);
    expect(of(Files)).toEqual([['one', 'read_fs']]);
    expect(of(Runs)).toEqual([['one', 'exec'], ['two']]);
    expect(of(Writes)).toEqual([['one', 'write_fs'], ['two']]);
  });

  test('that do not exist are a finding', () => {
    expect(() => new McpLayer({ ...INFO, defaultCapabilities: ['read_stat' as 'read_state'] })).toThrow(
      "McpLayer: defaultCapabilities knows no 'read_stat'. Use read_state, write_state, read_fs, write_fs, cloud_access, exec, reveal",
    );
    @McpService({ defaultCapabilities: ['read_stat' as 'read_state'] })
    class Typo {
      @Tool({ description: 'One.' })
      one(): number {
        return 1;
      }
    }
    expect(() => new McpLayer({ ...INFO, services: [Typo] })).toThrow("Typo.one: no capability 'read_stat'.");
  });
});

describe('one warning', () => {
  const fill = (count: number) => (registry: Registry) => {
    for (let i = 1; i <= count; i++) registry.tool({ name: `t${i}` }, () => i);
    registry.tool({ name: 'said', capabilities: [] }, () => 0);
    registry.resource({ uri: 'r://x' }, () => 'x');
  };

  test('counts the tools that declare nothing, and names up to ten', async () => {
    const logger = new MemoryLogger();
    const layer = layerOf(fill(12), { logger, excludeTools: ['t2'] });
    await layer.start();
    expect(warningsOf(logger)).toEqual([
      'McpLayer: 11 of 12 tools declare no capabilities: t1, t3, t4, t5, t6, t7, t8, t9, t10, t11, and 1 more. ' +
        'Clients, cache, retry and readOnly take them for tools that may do anything. ' +
        'Give them capabilities ([] for one that touches nothing), or set defaultCapabilities on the class or the layer ' +
        "(['read_state'] where all of them only read).",
    ]);
    await layer.close();
  });

  test('names those that readOnly leaves out, and nothing where all declare theirs', () => {
    const logger = new MemoryLogger();
    layerOf(fill(1), { logger, readOnly: true });
    expect(warningsOf(logger)).toEqual([
      expect.stringMatching(/^McpLayer: 1 of 2 tools declare no capabilities: t1\. /),
    ]);
    const quiet = new MemoryLogger();
    layerOf(fill(0), { logger: quiet });
    expect(warningsOf(quiet)).toEqual([]);
  });

  test('comes when serving begins where functions are added to a layer that is there', async () => {
    const logger = new MemoryLogger();
    const layer = layerOf(() => undefined, { logger });
    layer.registry.tool({ name: 'late' }, () => 1);
    expect(warningsOf(logger)).toEqual([]);
    await layer.start();
    expect(warningsOf(logger)).toEqual([
      expect.stringMatching(/^McpLayer: 1 of 1 tools declare no capabilities: late\. /),
    ]);
    await layer.close();
  });
});
