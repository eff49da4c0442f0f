// As the page on FastMCP says: the import alone makes registerInto know its servers.
import 'cartouche/fastmcp';
import { bindingOf, buildServer, McpLayer, Registry } from 'cartouche';
import { FastMCP } from 'fastmcp';

async function main(): Promise<void> {
  const registry = new Registry();
  registry.tool({ name: 'find' }, () => 'found');
  const layer = new McpLayer({ name: 'bundled', version: '1.0.0', registry });
  const { kind } = layer.registerInto(new FastMCP({ name: 'host', version: '1.0.0' }));
  console.log(JSON.stringify({ kind, built: bindingOf(await buildServer(layer, 'fastmcp'))?.kind }));
}

void main();
