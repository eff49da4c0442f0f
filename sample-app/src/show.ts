import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Starts `script` as a server of its own with `args`, and prints what an agent that connects to it sees. */
export async function show(script: string, args: readonly string[], print: (line: string) => void): Promise<void> {
  const client = new Client({ name: 'estate-show', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script, ...args] }));
  try {
    const server = client.getServerVersion();
    print(`Connected to ${server?.name ?? '?'} ${server?.version ?? ''} with the official client.`);
    await showLists(client, print);
    await showCalls(client, print);
  } finally {
    await client.close();
  }
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
