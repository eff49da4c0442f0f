import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as Server1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as InMemory2, Server as Server2 } from '@modelcontextprotocol/server';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const PING = { name: 'ping_host', description: 'Host liveness.', inputSchema: { type: 'object' as const } };
const PONG = { content: [{ type: 'text' as const, text: 'pong' }] };
const OPTIONS = { capabilities: { tools: {} } };

// SDK 2.x: the layer is mounted after the host's own handlers …
const second = new Server2({ name: 'platform', version: '1.0.0' }, OPTIONS);
second.setRequestHandler('tools/list', () => ({ tools: [PING] }));
second.setRequestHandler('tools/call', () => PONG);
const layer = await createEstateLayer();
layer.registerInto(second, { prefix: 'cloud_' });

// … SDK 1.x: and before them, which is the same.
const first = new Server1({ name: 'platform', version: '1.0.0' }, OPTIONS);
layer.registerInto(first);
first.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [PING] }));
first.setRequestHandler(CallToolRequestSchema, () => PONG);

const [clientSide2, serverSide2] = InMemory2.createLinkedPair();
await second.connect(serverSide2);
const client2 = new Client2({ name: 'docs', version: '1.0.0' });
await client2.connect(clientSide2);

const [clientSide1, serverSide1] = InMemory1.createLinkedPair();
await first.connect(serverSide1);
const client1 = new Client1({ name: 'docs', version: '1.0.0' });
await client1.connect(clientSide1);

for (const [sdk, client] of [
  ['sdk 2', client2],
  ['sdk 1', client1],
] as const) {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  console.log(sdk, names.length, names.slice(0, 2));
  const pong = await client.callTool({ name: 'ping_host', arguments: {} });
  console.log('  host tool:', (pong.content as { text: string }[])[0]?.text);
  const counted = await client.callTool({ name: 'cloud_count_assets', arguments: { groupBy: 'provider' } });
  console.log('  structured:', (counted.structuredContent as { groups: unknown }).groups);
  await client.close();
}
await layer.close();
