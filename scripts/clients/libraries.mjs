// Clients that are libraries: each row connects in this process, lists, calls and closes.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const TOOL = 'count_assets';
const ARGS = { groupBy: 'provider' };

export function libraryRows({ url, command, args, folder }) {
  const require = createRequire(`${folder}package.json`);
  const load = (specifier) => import(pathToFileURL(resolveImport(require, specifier)).href);
  const stdio = { command, args, stderr: 'ignore' };
  const both = (client, era, run) => [
    { client, transport: 'stdio', era, run: () => run('stdio') },
    { client, transport: 'http', era, run: () => run('http') },
  ];

  /** The official clients have one interface. */
  async function official(client, transport) {
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      const result = await client.callTool({ name: TOOL, arguments: ARGS });
      const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? '';
      return { tools: tools.length, call: JSON.stringify(result), version };
    } finally {
      await client.close();
    }
  }

  const v2 = (mode) => async (transport) => {
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
    const client = new Client({ name: 'matrix', version: '1' }, { versionNegotiation: { mode } });
    return official(
      client,
      transport === 'http' ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(stdio),
    );
  };

  async function v1(transport) {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client({ name: 'matrix', version: '1' });
    return official(
      client,
      transport === 'http' ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(stdio),
    );
  }

  async function aiSdk(transport) {
    const { createMCPClient } = await load('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Stdio } = await load('@ai-sdk/mcp/mcp-stdio');
    const client = await createMCPClient({
      transport: transport === 'http' ? { type: 'http', url } : new Stdio(stdio),
    });
    try {
      const tools = await client.tools();
      const call = await tools[TOOL].execute(ARGS, { toolCallId: '1', messages: [] });
      return { tools: Object.keys(tools).length, call: JSON.stringify(call) };
    } finally {
      await client.close();
    }
  }

  async function langchain(transport) {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    const estate = transport === 'http' ? { transport: 'http', url } : { transport: 'stdio', ...stdio };
    const client = new MultiServerMCPClient({ mcpServers: { estate } });
    try {
      const tools = await client.getTools();
      const tool = tools.find(({ name }) => name.endsWith(TOOL));
      return { tools: tools.length, call: JSON.stringify(await tool.invoke(ARGS)) };
    } finally {
      await client.close();
    }
  }

  async function mcpUse(transport) {
    const { MCPClient } = await load('mcp-use');
    const estate = transport === 'http' ? { url } : { command, args };
    const client = MCPClient.fromDict({ mcpServers: { estate } });
    try {
      const session = await client.createSession('estate');
      const tools = (await session.connector.listTools?.()) ?? session.tools;
      return { tools: tools.length, call: JSON.stringify(await session.connector.callTool(TOOL, ARGS)) };
    } finally {
      await client.closeAllSessions();
    }
  }

  return [
    ...both('client 2.x', 'legacy', v2('legacy')),
    ...both('client 2.x', 'auto', v2('auto')),
    ...both('client 2.x', 'pin', v2({ pin: '2026-07-28' })),
    ...both('sdk 1.x', 'handshake', v1),
    ...both('@ai-sdk/mcp', 'its own', aiSdk),
    ...both('@langchain/mcp-adapters', 'handshake', langchain),
    ...both('mcp-use 1.x', 'handshake', mcpUse),
  ];
}

/** Resolves as `import` would: some of the clients have nothing for `require`. */
function resolveImport(require, specifier) {
  const [, name, rest = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier);
  const folders = require.resolve.paths(name);
  for (const folder of folders) {
    try {
      const manifest = require(`${folder}/${name}/package.json`);
      const entry = pick(manifest.exports, rest) ?? (rest === '' ? (manifest.module ?? manifest.main) : rest);
      return `${folder}/${name}/${entry}`;
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    }
  }
  throw new Error(`${specifier} is not installed in test/clients`);
}

function pick(exports, rest) {
  if (exports === undefined) return undefined;
  const key = rest === '' ? '.' : `./${rest}`;
  if (typeof exports === 'object' && key in exports) return condition(exports[key]);
  for (const [pattern, value] of Object.entries(typeof exports === 'object' ? exports : {})) {
    const [head, tail] = pattern.split('*');
    if (tail !== undefined && key.startsWith(head) && key.endsWith(tail)) {
      return condition(value).replace('*', key.slice(head.length, key.length - tail.length));
    }
  }
  return rest === '' ? condition(exports) : undefined;
}

function condition(value) {
  if (typeof value === 'string') return value;
  for (const name of ['node', 'import', 'default', 'require']) {
    if (value?.[name] !== undefined) return condition(value[name]);
  }
  return undefined;
}
