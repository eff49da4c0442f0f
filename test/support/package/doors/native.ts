import { McpLayer, Registry } from 'cartouche';
import { classify, NativeMcpServer, serialise } from 'cartouche/native';

async function main(): Promise<void> {
  const registry = new Registry();
  registry.tool({ name: 'hi' }, () => 'hi');
  const server = new NativeMcpServer(new McpLayer({ name: 'bundled', version: '1.0.0', registry }));
  const session = server.createSession({ transport: 'memory', send: () => undefined });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  await session.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const reply = await session.handle({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const { result } = JSON.parse(reply === undefined ? '{}' : serialise(reply)) as {
    result: { tools: readonly { name: string }[] };
  };
  console.log(
    JSON.stringify({ lists: result.tools.map(({ name }) => name), era: classify({ method: 'server/discover' }) }),
  );
  server.close();
}

void main();
