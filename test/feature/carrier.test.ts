import {
  type Change,
  isLayerError,
  type Layer,
  McpLayer,
  Principal,
  Registry,
  RequestInfo,
  type ToolContext,
  type Wire,
} from 'cartouche';

interface Letter {
  readonly from: string;
  readonly ask: 'list' | 'call';
  readonly tool?: string;
  readonly args?: unknown;
}

/** A carrier as somebody outside would write it: letters in, objects out. */
class LetterCarrier {
  readonly heard: Change[] = [];
  readonly #layer: Layer;
  readonly #unfollow: () => void;
  #letters = 0;

  constructor(layer: Layer) {
    this.#layer = layer;
    this.#unfollow = layer.onChange((change) => this.heard.push(change));
  }

  async send({ from, ask, tool = '', args }: Letter): Promise<unknown> {
    await this.#layer.start();
    const principal = new Principal({ id: from });
    const info = new RequestInfo({ transport: 'unknown' });
    const context = { principal, info, requestId: ++this.#letters };
    try {
      if (ask === 'list') return (await this.#layer.list('tools', { context })).map((wire: Wire) => wire['name']);
      return (await this.#layer.callTool(tool, args, { context })).toWire();
    } catch (error) {
      if (isLayerError(error)) return { refused: error.code };
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#unfollow();
    await this.#layer.close();
  }
}

describe('a carrier written outside', () => {
  function layerWith(registry: Registry): McpLayer {
    return new McpLayer({ name: 'post', version: '1', registry });
  }

  function postRegistry(): Registry {
    const registry = new Registry();
    registry.tool({ name: 'greet' }, (_: unknown, context: ToolContext) => ({
      greeted: context.principal.id,
      letter: context.requestId,
    }));
    return registry;
  }

  test('lists and calls for whoever wrote, through the layer as carriers see it', async () => {
    const carrier = new LetterCarrier(layerWith(postRegistry()));
    expect(await carrier.send({ from: 'ann', ask: 'list' })).toEqual(['greet']);
    expect(await carrier.send({ from: 'bob', ask: 'call', tool: 'greet', args: {} })).toMatchObject({
      structuredContent: { greeted: 'bob', letter: 2 },
    });
    await carrier.close();
  });

  test('gets the refusals of the layer by their codes', async () => {
    const carrier = new LetterCarrier(layerWith(postRegistry()));
    expect(await carrier.send({ from: 'ann', ask: 'call', tool: 'nothing' })).toEqual({ refused: -32602 });
    await carrier.close();
  });

  test('hears of changes until it closes', async () => {
    const registry = postRegistry();
    const layer = layerWith(registry);
    const carrier = new LetterCarrier(layer);
    layer.notifyChange('tools');
    await new Promise((resolve) => setImmediate(resolve));
    expect(carrier.heard).toEqual([{ kind: 'tools' }]);
    await carrier.close();
    layer.notifyChange('prompts');
    await new Promise((resolve) => setImmediate(resolve));
    expect(carrier.heard).toHaveLength(1);
  });
});
