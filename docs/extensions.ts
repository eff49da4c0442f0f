import { type Extension, McpLayer, Registry } from 'cartouche';
import { connectInMemory } from 'cartouche/testing';

/** Stamps every tool result with a receipt, and gives receipts again by their number. */
class Receipts implements Extension {
  readonly id = 'com.example/receipts';
  readonly #tools: unknown[] = [];

  readonly methods: Extension['methods'] = [
    {
      name: 'receipts/get',
      nameParam: 'receipt',
      run: ({ params }) => ({ receipt: params['receipt'], tool: this.#tools[Number(params['receipt']) - 1] ?? null }),
    },
  ];

  readonly around: Extension['around'] = {
    'tools/call': async ({ params }, next) => {
      const result = await next();
      return { ...result, _meta: { 'com.example/receipt': String(this.#tools.push(params['name'])) } };
    },
  };

  settings() {
    return { version: 1 };
  }
}

const registry = new Registry();
registry.tool({ name: 'order', capabilities: ['write_state'] }, () => 'ordered');
const layer = new McpLayer({ name: 'shop', version: '1.0.0', registry, extensions: [new Receipts()] });

// A client that declares the extension, as its handshake says …
const client = connectInMemory(layer);
const send = async (id: number, method: string, params: object) =>
  console.log(JSON.stringify(await client.send({ jsonrpc: '2.0', id, method, params })));
const capabilities = { extensions: { 'com.example/receipts': {} } };
await client.send({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'docs', version: '1.0.0' } },
});
await send(1, 'tools/call', { name: 'order' });
await send(2, 'receipts/get', { receipt: '1' });

// … and one that does not, in the revision whose every request says who it is.
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
await send(3, 'receipts/get', { receipt: '1', _meta });
client.close();
