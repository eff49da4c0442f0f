import { IsInt, Max } from 'class-validator';
import { McpLayer, McpService, Registry, Tool } from 'cartouche';

class Order {
  @IsInt()
  @Max(9)
  count!: number;
}

@McpService()
class Orders {
  @Tool({ capabilities: ['write_state'] })
  order({ count }: Order): string {
    return String(count);
  }
}

test('where code may be generated at start and no longer in handlers, calls are checked all the same', async () => {
  const registry = new Registry();
  const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
  registry.tool({ name: 'raw', input, capabilities: [] }, () => 'raw');
  const layer = new McpLayer({ name: 'later', version: '1.0.0', services: [Orders], registry });
  const own = globalThis.Function;
  const text = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
    const { content } = (await layer.callTool(name, args)).toWire();
    return (content as { text: string }[]).map((block) => block.text).join();
  };
  globalThis.Function = class {
    constructor() {
      throw new EvalError('Code generation from strings disallowed for this context');
    }
  } as unknown as FunctionConstructor;
  try {
    expect(await text('order', { count: 2 })).toBe('2');
    expect(await text('order', { count: 10 })).toBe('Invalid arguments: count: must not be greater than 9');
    expect(await text('raw', { id: 'a' })).toBe('raw');
    expect(await text('raw', { id: 1 })).toBe('Invalid arguments: id: expected string');
  } finally {
    globalThis.Function = own;
  }
});
