import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const layer = await createEstateLayer();

/** What the team has today: a server for every request, with a tool of its own. */
function platformTools(): McpServer {
  const server = new McpServer({ name: 'platform-tools', version: '1.0.0' });
  server.registerTool(
    'ticket_count',
    { description: 'How many open tickets a team has.', inputSchema: z.object({ team: z.string() }) },
    ({ team }) => ({ content: [{ type: 'text', text: `${team}: 7` }] }),
  );
  return server;
}

const handler = createMcpHandler(layer.factory(platformTools, { prefix: 'cloud_' }));
layer.attachBus(handler.bus);

for (const mode of ['legacy', 'auto'] as const) {
  const client = new Client({ name: 'docs', version: '1.0.0' }, { versionNegotiation: { mode } });
  const url = new URL('http://localhost/mcp');
  await client.connect(
    new StreamableHTTPClientTransport(url, { fetch: (input, init) => handler.fetch(new Request(input, init)) }),
  );
  const names = (await client.listTools()).tools.map(({ name }) => name);
  console.log(client.getNegotiatedProtocolVersion(), names.length, names.slice(0, 3));
  const counted = await client.callTool({ name: 'cloud_count_assets', arguments: { groupBy: 'provider' } });
  console.log('  structured:', (counted.structuredContent as { groups: unknown }).groups);
  const own = await client.callTool({ name: 'ticket_count', arguments: { team: 'sec' } });
  console.log('  host tool:', own.content[0]);
  await client.close();
}
await handler.close();
await layer.close();
