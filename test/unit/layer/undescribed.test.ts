import { type Class, Field, McpLayer, Registry, Tool } from 'cartouche';
import { MemoryLogger } from '../../support/layers.js';

async function warningsOf(options: { services?: readonly Class[]; registry?: Registry }): Promise<readonly string[]> {
  const logger = new MemoryLogger();
  const layer = new McpLayer({ name: 'x', version: '1', logger, defaultCapabilities: [], ...options });
  const before = logger.lines.length;
  await layer.start();
  await layer.close();
  return logger.lines.slice(before).map(({ message }) => message);
}

class Order {
  /** What it is. */
  @Field({ type: 'string' })
  sku = '';

  @Field({ type: 'integer' })
  count = 1;
}

class Stripped {
  @Tool({ input: Order })
  order(): void {}

  @Tool({ description: 'Does the rest.' })
  other(): void {}
}

class Commented {
  // Any comment will do.
  @Tool()
  more(): void {}
}

test('where the build left no comment in any class, what has no description is counted when serving begins', async () => {
  expect(await warningsOf({ services: [Stripped] })).toEqual([
    'McpLayer: 1 of 2 tools, resources and prompts (order), and 1 of 2 properties of their inputs (order.count) have no ' +
      'description, which models choose by. No class has a comment as it was compiled: if you wrote some, removeComments ' +
      'in tsconfig.json, tsx, Bun or a minifier took them out, and doc comments with them. Keep them, or pass ' +
      'description to the decorators and to @Field.',
  ]);
});

test('nothing is said where one class has a comment left, of functions, and where everything is described', async () => {
  class Described {
    @Tool({ description: 'Does it.' })
    call(): void {}
  }
  const registry = new Registry();
  registry.tool({ name: 't' }, () => '');
  for (const options of [{ services: [Stripped, Commented] }, { registry }, { services: [Described] }])
    expect(await warningsOf(options)).toEqual([]);
});

test('nested objects, lists and definitions are looked through, a cycle ends, and ten are named', async () => {
  const described = { description: 'd' };
  const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
  const input = {
    type: 'object',
    properties: {
      a: { ...described, type: 'object', properties: { b: { type: 'string' } } },
      c: { ...described, type: 'array', items: { type: 'object', properties: { d: { type: 'string' } } } },
      e: { ...described, $ref: '#/$defs/Tree' },
      ...Object.fromEntries(names.map((name) => [name, {}])),
    },
    $defs: { Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } } } },
  };
  class Tools {
    @Tool({ description: 'Does it.', input })
    t(): void {}
  }
  expect(await warningsOf({ services: [Tools] })).toEqual([
    expect.stringContaining(
      '0 of 1 tools, resources and prompts, and 12 of 15 properties of their inputs ' +
        `(${names.map((name) => `t.${name}`).join(', ')}, t.a.b, and 2 more) have no`,
    ),
  ]);
});
