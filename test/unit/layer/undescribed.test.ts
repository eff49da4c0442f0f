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

class Commented {
  /** Orders something. */
  @Tool({ input: Order })
  order(): void {}

  // Nobody says what this does.
  @Tool()
  other(): void {}
}

test('what has no description is counted when serving begins, in one warning', async () => {
  expect(await warningsOf({ services: [Commented] })).toEqual([
    'McpLayer: 1 of 2 tools, resources and prompts (other), and 1 of 2 properties of their inputs (order.count) have no ' +
      'description, which models choose by. Write doc comments, or pass description to the decorators and to @Field.',
  ]);
});

test('where no class has a comment, the build is said to have taken them out', async () => {
  class Stripped {
    @Tool()
    order(): void {}
  }
  expect(await warningsOf({ services: [Stripped] })).toEqual([
    expect.stringMatching(
      /^McpLayer: 1 of 1 tools.*No class has a comment as it was compiled: if you wrote some, removeComments/,
    ),
  ]);
});

test('nested objects, lists and definitions are looked through, and a cycle ends', async () => {
  const registry = new Registry();
  const described = { description: 'd' };
  const input = {
    type: 'object',
    properties: {
      a: { ...described, type: 'object', properties: { b: { type: 'string' } } },
      c: { ...described, type: 'array', items: { type: 'object', properties: { d: { type: 'string' } } } },
      e: { ...described, $ref: '#/$defs/Tree' },
    },
    $defs: { Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } } } },
  };
  registry.tool({ name: 't', description: 'd', input }, () => '');
  expect(await warningsOf({ registry })).toEqual([
    expect.stringContaining(
      '0 of 1 tools, resources and prompts, and 3 of 6 properties of their inputs (t.a.b, Tree.next, t.c.d)',
    ),
  ]);
});

test('nothing is said where everything has one', async () => {
  const registry = new Registry();
  registry.tool({ name: 't', description: 'd' }, () => '');
  registry.resource({ uri: 'a://b', description: 'd' }, () => '');
  expect(await warningsOf({ registry })).toEqual([]);
});
