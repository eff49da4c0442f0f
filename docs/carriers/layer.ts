import { isLayerError, type Layer, McpLayer, Principal, Registry, RequestInfo, type ToolContext } from 'cartouche';

/** A carrier that speaks no MCP: commands in, lines out. `npm run stock -- count warehouse=oslo` could be this. */
class CommandCarrier {
  readonly #layer: Layer;
  readonly #unfollow: () => void;
  #commands = 0;

  constructor(layer: Layer) {
    this.#layer = layer;
    this.#unfollow = layer.onChange(({ kind }) => console.log(`(${kind} changed)`));
  }

  async run(from: string, command: string): Promise<string> {
    const [name = '', ...words] = command.split(' ');
    const args = Object.fromEntries(words.map((word) => word.split('=')));
    const context = {
      principal: new Principal({ id: from }),
      info: new RequestInfo({ transport: 'unknown' }),
      requestId: ++this.#commands,
    };
    try {
      if (name === 'help') {
        const tools = await this.#layer.list('tools', { context });
        return tools.map((tool) => String(tool['name'])).join(', ');
      }
      const { content, isError } = await this.#layer.callTool(name, args, { context });
      const texts = content.map((block) => String(block.toWire()['text']));
      return `${isError ? 'failed: ' : ''}${texts.join('\n')}`;
    } catch (error) {
      if (isLayerError(error)) return `refused (${error.code}): ${error.message}`;
      throw error;
    }
  }

  close(): void {
    this.#unfollow();
  }
}

const registry = new Registry();
registry.tool(
  {
    name: 'count',
    capabilities: ['read_state'],
    input: { type: 'object', properties: { warehouse: { enum: ['oslo', 'berlin'] } }, required: ['warehouse'] },
  },
  ({ warehouse }, { principal }: ToolContext) => `${principal.id}: 3 in ${String(warehouse)}`,
);
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry });
await layer.start();
const carrier = new CommandCarrier(layer);
for (const command of ['help', 'count warehouse=oslo', 'count warehouse=rome', 'cuont']) {
  console.log(`> ${command}\n${await carrier.run('ann', command)}`);
}
layer.notifyChange('tools');
await new Promise((resolve) => setImmediate(resolve));
carrier.close();
await layer.close();
