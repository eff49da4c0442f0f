import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const server = new McpServer({ name: 'platform-tools', version: '1.0.0' });
server.registerTool(
  'ticket_count',
  { description: 'How many open tickets a team has.', inputSchema: { team: z.string() } },
  ({ team }) => ({ content: [{ type: 'text', text: `${team}: 7` }] }),
);

const layer = await createEstateLayer();
const binding = layer.registerInto(server, { prefix: 'cloud_' });
console.log('binding:', binding.kind, 'sdkMajor =', binding.sdkMajor);

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
await server.connect(serverSide);
const client = new Client({ name: 'docs', version: '1.0.0' });
await client.connect(clientSide);

const names = (await client.listTools()).tools.map(({ name }) => name);
console.log(names.length, names.slice(0, 3));
const counted = await client.callTool({ name: 'cloud_count_assets', arguments: { groupBy: 'provider' } });
console.log('structured:', (counted.structuredContent as { groups: unknown }).groups);
const own = await client.callTool({ name: 'ticket_count', arguments: { team: 'sec' } });
console.log('host tool:', (own.content as unknown[])[0]);

binding.unmount();
console.log(
  'without the layer:',
  (await client.listTools()).tools.map(({ name }) => name),
);
await client.close();
await layer.close();
