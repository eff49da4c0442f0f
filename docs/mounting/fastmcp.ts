import 'cartouche/fastmcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const server = new FastMCP({ name: 'platform-tools', version: '1.0.0', ping: { enabled: false } });
server.addTool({
  name: 'ticket_count',
  description: 'How many open tickets a team has.',
  parameters: z.object({ team: z.string() }),
  execute: ({ team }) => Promise.resolve(`${team}: 7`),
});

const layer = await createEstateLayer();
const binding = layer.registerInto(server, { prefix: 'cloud_' });
console.log('binding:', binding.kind, 'sdkMajor =', binding.sdkMajor);

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: 'docs', version: '1.0.0' });
await Promise.all([server.connect(serverSide), client.connect(clientSide)]);

const names = (await client.listTools()).tools.map(({ name }) => name);
console.log(names.length, names.slice(0, 3));
const counted = await client.callTool({ name: 'cloud_count_assets', arguments: { groupBy: 'provider' } });
console.log('structured:', (counted.structuredContent as { groups: unknown }).groups);
const { contents } = await client.readResource({ uri: 'estate://datasets/demo/summary' });
console.log('resource:', contents[0]?.mimeType);
const own = await client.callTool({ name: 'ticket_count', arguments: { team: 'sec' } });
console.log('host tool:', (own.content as unknown[])[0]);

await client.close();
await layer.close();
process.exit(0);
