import {
  Arg,
  Complete,
  ConfigurationError,
  Ctx,
  Field,
  McpLayer,
  Prompt,
  PromptSpec,
  Registry,
  ResourceTemplate,
  Tool,
  ToolContext,
  ToolSpec,
} from 'cartouche';
import { compileConfirmation } from '../../../src/registry/confirmation.js';
import { specsOfService } from '../../../src/registry/service-specs.js';
import { MemoryLogger } from '../../support/layers.js';

const findingsOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings;
    throw error;
  }
  return [];
};

class Order {
  @Field({ type: 'string' })
  sku = '';
}

test('every order of parameters is handed what it asks for', async () => {
  const seen: unknown[][] = [];
  const kinds = (...values: unknown[]): string => {
    seen.push(values.map((value) => (value instanceof ToolContext ? 'context' : JSON.stringify(value))));
    return '';
  };
  class Tools {
    @Tool()
    none(): string {
      return kinds();
    }
    @Tool()
    args(order: Order): string {
      return kinds(order);
    }
    @Tool()
    ctx(context: ToolContext): string {
      return kinds(context);
    }
    @Tool()
    both(order: Order, context: ToolContext): string {
      return kinds(order, context);
    }
    @Tool()
    turned(context: ToolContext, order: Order): string {
      return kinds(context, order);
    }
    @Tool()
    many(@Arg('sku') sku: string, @Ctx() context: ToolContext, @Arg('count') count: number): string {
      return kinds(sku, context, count);
    }
  }
  const layer = new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger(), services: [Tools] });
  for (const name of ['none', 'ctx']) await layer.callTool(name);
  for (const name of ['args', 'both', 'turned']) await layer.callTool(name, { sku: 'a' });
  await layer.callTool('many', { sku: 'a', count: 2 });
  const order = '{"sku":"a"}';
  expect(seen).toEqual([[], ['context'], [order], [order, 'context'], ['context', order], ['"a"', 'context', '2']]);
});

test('without emitted types the first parameter is the arguments and the second the context; a third is nobody’s', () => {
  class Tools {
    two(first: unknown, second: unknown): unknown {
      return [first, second];
    }
    three(first: unknown, second: unknown, third: unknown): unknown {
      return [first, second, third];
    }
  }
  for (const name of ['two', 'three'] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name) as PropertyDescriptor;
    Tool({ input: Order })(Tools.prototype, name, descriptor);
  }
  expect(specsOfService(Tools).findings).toEqual([
    expect.stringMatching(/^Tools\.three: the compiler emitted no types/),
  ]);
});

test('completions say what is wrong with them: static, twice, for what is not there', () => {
  class Prompts {
    @Prompt()
    greet(@Arg('who') who: string): string {
      return who;
    }
    @Complete('greet', 'who')
    first(): string[] {
      return [];
    }
    @Complete('greet', 'who')
    second(): string[] {
      return [];
    }
    @Complete('greet', 'who')
    static shared(): string[] {
      return [];
    }
  }
  expect(specsOfService(Prompts).findings).toEqual([
    "Prompts.second: 'who' of greet is completed twice. Keep one. [CT215]",
    'Prompts.shared: @Complete on a static member. Make it an instance method. [CT201]',
  ]);
  const registry = new Registry();
  expect(
    findingsOf(() =>
      registry.prompt({ name: 'p', arguments: [{ name: 'a' }, { name: 'b' }], completions: { c: () => [] } }, () => ''),
    ),
  ).toEqual(["prompt 'p': a completion for 'c', which is not one of its arguments. Use a, b. [CT216]"]);
  expect(findingsOf(() => registry.prompt({ name: 'p', completions: { c: () => [] } }, () => ''))).toEqual([
    "prompt 'p': a completion for 'c', which is not one of its arguments. Use none: it takes no arguments. [CT216]",
  ]);
  expect(
    findingsOf(() => registry.resourceTemplate({ uriTemplate: 'a://{b}', completions: { c: () => [] } }, () => '')),
  ).toEqual([expect.stringMatching(/a completion for 'c', which is not one of its variables\. Use b\. \[CT216\]$/)]);
});

test('a prompt without arguments lists none, and one with arguments lists them', () => {
  const wire = (listed: readonly { name: string }[]): object =>
    new PromptSpec({ name: 'p', arguments: listed }, () => '').toWire();
  expect(wire([])).not.toHaveProperty('arguments');
  expect(wire([{ name: 'a' }])).toMatchObject({ arguments: [{ name: 'a', required: false }] });
});

test('a spec names itself in what is wrong with it, and takes the longest time-out that timers keep', () => {
  expect(findingsOf(() => new PromptSpec({ name: 'no good' }, () => ''))[0]).toMatch(/^prompt 'no good': /);
  const timed = (timeoutMs: number): readonly string[] =>
    findingsOf(() => new ToolSpec({ name: 't', timeoutMs }, () => ''));
  expect(timed(2 ** 31 - 1)).toEqual([]);
  for (const wrong of [2 ** 31, 0, -1, NaN])
    expect(timed(wrong)).toEqual([
      `tool 't': timeoutMs ${wrong} is out of range. Use 1 to 2147483647 milliseconds. [CT221]`,
    ]);
});

test.each([
  [{ capabilities: ['fly'] }, /no capability 'fly'\. .*\[CT218\]$/],
  [{ sensitivity: 'secret' }, /no sensitivity 'secret'\. .*\[CT219\]$/],
  [{ meta: { 'io.modelcontextprotocol/x': 1 } }, /reserves the _meta key 'io\.modelcontextprotocol\/x'\. .*\[CT220\]$/],
  [{ meta: { 'com.mcp.tools/x': 1 } }, /\[CT220\]$/],
])('%j is refused by itself', (options, message) => {
  expect(findingsOf(() => new ToolSpec({ name: 't', ...options } as never, () => ''))).toEqual([
    expect.stringMatching(message),
  ]);
});

test('the options of a registration are checked to the last member', () => {
  const registry = new Registry();
  const tool = (options: object): readonly string[] =>
    findingsOf(() => registry.tool({ name: 't', ...options }, () => ''));
  expect(tool({ meta: null })).toEqual(["tool 't': meta must be an object. Pass one. [CT103]"]);
  const resource = (annotations: object): readonly string[] =>
    findingsOf(() => registry.resource({ uri: 'a://b', annotations, replace: true }, () => ''));
  expect(resource({ audience: ['user', 'assistant'], priority: 0.5 })).toEqual([]);
  expect(resource({ audience: ['assistant'] })).toEqual([]);
  expect(resource({ audience: ['model'] })[0]).toContain("must be a list of 'user' and 'assistant'");
  for (const priority of ['high', -0.1, 1.1]) expect(resource({ priority })[0]).toContain('Pass a number from 0 to 1');
  expect(findingsOf(() => new Registry({ defaultCapabilities: 'exec' } as never))).toEqual([
    'Registry: defaultCapabilities must be a list of names. Pass strings. [CT103]',
  ]);
  expect(findingsOf(() => new Registry({ defaultCapabilities: ['fly'] } as never))[0]).toContain("knows no 'fly'");
});

describe('what a person is asked before a call', () => {
  const input = { type: 'object', properties: { name: {}, note: {} } };
  const asked = (confirm: string, args: object): unknown =>
    (compileConfirmation(confirm, input, 's') as (given: object) => unknown)(args);

  test('has the arguments in it, on one line and not too long', () => {
    expect(asked('Delete {name}, {note}?', { name: 'a\nb\u202ec', note: null })).toBe('Delete a b c, (none)?');
    expect(asked('{name}', { name: { a: [1] } })).toBe('{"a":[1]}');
    expect(asked('{note}', {})).toBe('(none)');
    const long = asked('{name}', { name: 'x'.repeat(10_000) }) as string;
    expect(asked('{name}', { name: 'x'.repeat(long.length - 1) })).toBe('x'.repeat(long.length - 1));
    expect(long).toMatch(/^x+…$/);
  });

  test('names arguments that there are', () => {
    expect(findingsOf(() => asked('Delete {nam}?', {}))).toEqual([
      's: confirm names {nam}, which is not one of its arguments. Did you mean {name}? [CT223]',
    ]);
    expect(findingsOf(() => asked('Delete {everything}?', {}))).toEqual([
      's: confirm names {everything}, which is not one of its arguments. It has name, note. [CT223]',
    ]);
    expect(findingsOf(() => compileConfirmation('{a}', { type: 'object' }, 's'))).toEqual([
      's: confirm names {a}, which is not one of its arguments. It has none. [CT223]',
    ]);
    for (const wrong of ['', ' ', 5]) {
      expect(findingsOf(() => compileConfirmation(wrong as never, input as never, 's'))).toEqual([
        expect.stringContaining('[CT222]'),
      ]);
    }
  });
});

test('a decorator on what is not a method is found', () => {
  class Tools {}
  Object.defineProperty(Tools.prototype, 'broken', { value: 5, configurable: true });
  Tool()(Tools.prototype, 'broken', Object.getOwnPropertyDescriptor(Tools.prototype, 'broken'));
  expect(specsOfService(Tools).findings).toContainEqual(
    expect.stringMatching(/^Tools\.broken: @Tool on something that is not a method\./),
  );
});

test('what a template gives is confidential unless somebody says otherwise', () => {
  const registry = new Registry();
  class Templates {
    @ResourceTemplate('a://{b}')
    read(@Arg('b') b: string): string {
      return b;
    }
  }
  for (const spec of specsOfService(Templates).specs) registry.add(spec);
  expect([...registry].map(({ sensitivity }) => sensitivity)).toEqual(['confidential']);
});
