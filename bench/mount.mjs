// What mounting costs: node bench/mount.mjs [--json]. Needs a built package (npm run build).
// Ratios are medians over interleaved rounds in one process; absolute times move with the machine.
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, fromJsonSchema, McpServer, Server } from '@modelcontextprotocol/server';
import { McpLayer, Registry } from '../dist/esm/src/index.js';
import { z } from 'zod';

const TOOLS = 100;
const ROUNDS = 15;
const INFO = { name: 'host', version: '1' };
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
  required: ['text'],
};
const SHAPE = { text: z.string(), limit: z.number().int().min(1).optional() };
const ARGUMENTS = { text: 'hello', limit: 5 };

const work = ({ text, limit }) => ({ text, limit, found: [1, 2, 3] });

function makeLayer() {
  const registry = new Registry();
  for (let i = 0; i < TOOLS; i++)
    registry.tool({ name: `tool_${i}`, description: 'Finds.', capabilities: [], input: SCHEMA }, work);
  return new McpLayer({ name: 'bench', version: '1', registry, logger: QUIET });
}

const layer = makeLayer();

function registerHigh(server, shape) {
  for (let i = 0; i < TOOLS; i++) {
    server.registerTool(`tool_${i}`, { description: 'Finds.', inputSchema: shape }, (args) => {
      const structuredContent = work(args);
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
  }
  return server;
}

/** A pair within the process, without copies. */
async function connect(server) {
  const waiting = new Map();
  let id = 0;
  const transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    },
  };
  await server.connect(transport);
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      transport.onmessage({ jsonrpc: '2.0', id, method, params });
    });
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'b', version: '1' },
  });
  transport.onmessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return request;
}

const call = { name: 'tool_42', arguments: ARGUMENTS };

async function timeOf(count, step) {
  const start = performance.now();
  for (let i = 0; i < count; i++) await step();
  return ((performance.now() - start) / count) * 1000;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Both in turn, so that a busy machine is busy for both. */
async function compare(own, sdk, count) {
  await timeOf(count, own);
  await timeOf(count, sdk);
  const pairs = [];
  for (let i = 0; i < ROUNDS; i++) pairs.push([await timeOf(count, own), await timeOf(count, sdk)]);
  return {
    mountedUs: median(pairs.map(([own_]) => own_)),
    sdkUs: median(pairs.map(([, sdk_]) => sdk_)),
    ratio: median(pairs.map(([own_, sdk_]) => own_ / sdk_)),
  };
}

const results = {};

for (const [name, make] of [
  ['mount in sdk 1 McpServer', () => new McpServerV1(INFO)],
  ['mount in sdk 1 Server', () => new ServerV1(INFO, { capabilities: {} })],
  ['mount in sdk 2 McpServer', () => new McpServer(INFO)],
  ['mount in sdk 2 Server', () => new Server(INFO, { capabilities: {} })],
]) {
  for (let i = 0; i < 200; i++) layer.registerInto(make());
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const servers = Array.from({ length: 200 }, make);
    const start = performance.now();
    for (const server of servers) layer.registerInto(server);
    times.push((performance.now() - start) / servers.length);
  }
  results[name] = { perServerMs: median(times) };
}

for (const [name, mounted, sdk] of [
  ['call in sdk 1 McpServer', new McpServerV1(INFO), registerHigh(new McpServerV1(INFO), SHAPE)],
  ['call in sdk 2 McpServer (zod)', new McpServer(INFO), registerHigh(new McpServer(INFO), z.object(SHAPE))],
  [
    'call in sdk 2 McpServer (JSON Schema)',
    new McpServer(INFO),
    registerHigh(new McpServer(INFO), fromJsonSchema(SCHEMA)),
  ],
]) {
  mounted.registerTool('host_tool', {}, () => ({ content: [] }));
  layer.registerInto(mounted);
  const own = await connect(mounted);
  const theirs = await connect(sdk);
  results[name] = await compare(
    () => own('tools/call', call),
    () => theirs('tools/call', call),
    2_000,
  );
}

// The hardest comparison: a handler that looks its tool up in a map, and checks nothing.
{
  const bare = new ServerV1(INFO, { capabilities: { tools: {} } });
  bare.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  bare.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const structuredContent = work(params.arguments);
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  const mounted = new ServerV1(INFO, { capabilities: {} });
  layer.registerInto(mounted);
  const [own, theirs] = [await connect(mounted), await connect(bare)];
  results['call in sdk 1 Server, against a handler that checks nothing'] = await compare(
    () => own('tools/call', call),
    () => theirs('tools/call', call),
    2_000,
  );
}

// A server for every request, as createMcpHandler makes it: everything is paid every time.
{
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'b', version: '1' },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'tool_42',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: META } });
  const ask = async (handler) =>
    (await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))).text();
  const schema = z.object(SHAPE);
  const own = createMcpHandler(layer.factory(() => new McpServer(INFO)));
  const theirs = createMcpHandler(() => registerHigh(new McpServer(INFO), schema));
  results['request to createMcpHandler, sdk 2 McpServer'] = await compare(
    () => ask(own),
    () => ask(theirs),
    200,
  );
}

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else {
  for (const [name, { mountedUs, perServerMs, ratio, sdkUs }] of Object.entries(results)) {
    const text =
      perServerMs === undefined
        ? `${mountedUs.toFixed(1)} µs mounted, ${sdkUs.toFixed(1)} µs with the SDK alone: ${ratio.toFixed(2)}`
        : `${perServerMs.toFixed(4)} ms for ${TOOLS} tools`;
    console.log(`${name.padEnd(62)} ${text}`);
  }
}
process.exit(0);
