import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Connects to `url` with an official client, in each era of the protocol, and prints what an agent sees there. */
export async function show(url: string, print: (line: string) => void): Promise<void> {
  const spoken = [await connect(url, 'auto'), await connect(url, 'legacy')];
  const [client] = spoken as [Client];
  try {
    const server = client.getServerVersion();
    const versions = spoken.map((each) => each.getNegotiatedProtocolVersion()).join(' and ');
    print(`${server?.name ?? '?'} ${server?.version ?? ''} is served at ${url}`);
    print(`An official client connects, and speaks ${versions} with it.`);
    await showLists(client, print);
    await showCalls(client, print);
  } finally {
    for (const each of spoken) await each.close();
  }
}

async function connect(url: string, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'estate-show', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** What to paste into desktop clients, for the server at `url` and for one of the client's own over stdio. */
export function showConfigurations(url: string, folder: string, print: (line: string) => void): void {
  const command = { command: 'npm', args: ['run', '--silent', '--prefix', folder, 'sample', '--', '--stdio'] };
  print('\nTo use it from');
  print(`  Claude Code       claude mcp add --transport http estate ${url}`);
  print(`  VS Code           ${JSON.stringify({ servers: { estate: { type: 'http', url } } })}  in .vscode/mcp.json`);
  print(`  Cursor            ${JSON.stringify({ mcpServers: { estate: { url } } })}  in ~/.cursor/mcp.json`);
  print(`  Claude Desktop    ${JSON.stringify({ mcpServers: { estate: command } })}  in claude_desktop_config.json`);
}

async function showLists(client: Client, print: (line: string) => void): Promise<void> {
  const { tools } = await client.listTools();
  print(`\n${tools.length} tools`);
  for (const { name, description = '', annotations } of tools) {
    print(
      `  ${name.padEnd(18)} ${annotations?.readOnlyHint === true ? 'reads ' : 'writes'}  ${firstSentence(description)}`,
    );
  }
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  print(`\n${resources.length} resources, ${resourceTemplates.length} templates`);
  for (const { uri, title = '' } of resources) print(`  ${uri.padEnd(38)} ${title}`);
  for (const { uriTemplate, title = '' } of resourceTemplates) print(`  ${uriTemplate.padEnd(38)} ${title}`);

  const { prompts } = await client.listPrompts();
  print(`\n${prompts.length} prompts`);
  for (const { name, description = '' } of prompts) print(`  ${name.padEnd(24)} ${firstSentence(description)}`);
}

async function showCalls(client: Client, print: (line: string) => void): Promise<void> {
  const call = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
    const result = await client.callTool({ name, arguments: args });
    print(`\n${name} ${JSON.stringify(args)}${result.isError === true ? '  (an error)' : ''}`);
    print(indent(result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')));
    return result.structuredContent;
  };
  await call('count_assets', { groupBy: 'provider' });
  const page = await call('find_assets', { limit: 2 });
  const first = (page as { items: { address: string }[] }).items[0]?.address;
  if (first === undefined) return;
  await call('get_asset', { ref: `${first}x` });

  const ref = { type: 'ref/resource', uri: 'estate://assets/{+ref}' } as const;
  const { completion } = await client.complete({ ref, argument: { name: 'ref', value: first.slice(0, 8) } });
  print(`\ncompletion of "${first.slice(0, 8)}"\n${indent(completion.values.slice(0, 5).join('\n'))}`);
}

function firstSentence(description: string): string {
  return /^.*?[.](?=\s|$)/s.exec(description)?.[0].replace(/\s+/g, ' ') ?? description;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
