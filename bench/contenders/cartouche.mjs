// cartouche, with functions and raw JSON Schema: the same schemas as the low-level peers have.
import { McpLayer, Registry, ToolResult } from '../../dist/esm/src/index.js';
import * as F from '../lib/fixture.mjs';
import { meta as describe, registerRest, serve } from './_cartouche.mjs';

export const meta = describe('cartouche (functions, raw schema)');

const HANDLER = {
  echo: (args) => ToolResult.text(args.text),
  add: (args) => ({ sum: args.a + args.b }),
  search_orders: (args) =>
    ToolResult.text(`orders for ${args.customer.id} in ${args.customer.address.country}: ${args.page.limit}`),
  filler: (args) => ToolResult.text(`filler ${args.q}`),
};

export async function start(options) {
  const registry = new Registry();
  for (const { name, description, kind } of F.toolList(options.tools)) {
    const output = kind === 'add' ? { output: F.SCHEMA.addOut } : {};
    registry.tool({ name, description, capabilities: [], input: F.SCHEMA[kind], ...output }, HANDLER[kind]);
  }
  registerRest(registry);
  return serve(new McpLayer({ ...F.SERVER_INFO, registry }), options);
}
