import { Readable } from 'node:stream';
import { McpLayer, Registry, ResourceLink, TextContent, TextResourceContents, ToolResult } from 'cartouche';

class Money {
  constructor(readonly cents: number) {}

  toJSON(): string {
    return `${this.cents / 100} EUR`;
  }
}

/** What handlers of tools may return, by the name of the tool. */
const RETURNS: Readonly<Record<string, () => unknown>> = {
  object: () => ({ pieces: 3, since: new Date(0), price: new Money(250) }),
  list: () => ['a', 'b'],
  text: () => 'Three pieces.',
  number: () => Number.NaN,
  big: () => 2n ** 64n,
  collections: () => ({ map: new Map([['a', 1]]), set: new Set([1, 2]), bytes: Buffer.from('hi') }),
  nothing: () => undefined,
  // A payload that looks like content is a value all the same.
  payload: () => ({ type: 'text', text: 'not content' }),
  content: () => [new TextContent('Here it is.'), new ResourceLink('stock://a-1', 'a-1')],
  file: () => new TextResourceContents('stock://a-1', 'three', { mimeType: 'text/plain' }),
  result: () => ToolResult.text('Low.').with({ structuredContent: { pieces: 3 } }),
  refusal: () => ToolResult.error('No such article.'),
  generator: function* () {
    yield 1;
    yield 2;
  },
  stream: () => Readable.from(['one', 'two']),
};

const registry = new Registry();
for (const [name, handler] of Object.entries(RETURNS)) registry.tool({ name, capabilities: [] }, handler);

registry.tool(
  {
    name: 'declared',
    capabilities: [],
    output: { type: 'object', properties: { pieces: { type: 'integer' } }, required: ['pieces'] },
  },
  () => ({ pieces: 'three' }),
);
registry.resource({ uri: 'stock://text', name: 'text', mimeType: 'text/plain', capabilities: [] }, () => 'three');
registry.resource({ uri: 'stock://json', name: 'json', capabilities: [] }, () => ({ pieces: 3 }));
registry.resource({ uri: 'stock://bytes', name: 'bytes', mimeType: 'image/png', capabilities: [] }, () =>
  Buffer.from('hi'),
);
registry.prompt({ name: 'ask', capabilities: [] }, () => 'What is running low?');

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const layer = new McpLayer({ name: 'stock', version: '1.0.0', registry, logger });
for (const { name } of layer.listTools()) {
  const { content, isError, structuredContent } = (await layer.callTool(name)).toWire();
  console.log(
    `${name}:`,
    JSON.stringify(content),
    JSON.stringify(structuredContent),
    isError === true ? 'isError' : '',
  );
}
for (const uri of ['stock://text', 'stock://json', 'stock://bytes']) {
  console.log(JSON.stringify((await layer.readResource(uri)).map((contents) => contents.toWire())));
}
console.log(JSON.stringify((await layer.getPrompt('ask')).toWire()));
await layer.close();
