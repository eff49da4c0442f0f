import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { transformSync } from '@swc/core';

const root = resolve(__dirname, '../..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');

/** The README's first program, compiled as its text says and put where it can import the package by name. */
function exampleFrom(folder: string): string {
  const source = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
  const { code } = transformSync(source, {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      preserveAllComments: true,
    },
    module: { type: 'es6' },
  });
  const file = resolve(folder, 'server.mjs');
  writeFileSync(file, code);
  return file;
}

test('the example of the README is a server that an agent can call', async () => {
  const folder = mkdtempSync(resolve(root, '.readme-'));
  const client = new Client({ name: 'reader', version: '1.0.0' });
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [exampleFrom(folder)] }));
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: 'low_stock',
        title: 'Low stock',
        description: 'Articles that are running low.',
        inputSchema: {
          type: 'object',
          properties: {
            warehouse: { type: 'string', enum: ['berlin', 'oslo'], description: 'The warehouse to look into.' },
            atMost: {
              type: 'integer',
              minimum: 0,
              maximum: 1000,
              default: 10,
              description: 'Only articles with at most this many pieces.',
            },
          },
          required: ['warehouse'],
          additionalProperties: false,
        },
        annotations: {
          title: 'Low stock',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        _meta: { 'cartouche/category': 'inventory', 'cartouche/sensitivity': 'confidential' },
      },
    ]);
    const good = await client.callTool({ name: 'low_stock', arguments: { warehouse: 'oslo' } });
    expect(good.structuredContent).toEqual({ result: [{ sku: 'A-1', pieces: 3 }] });
    const bad = await client.callTool({ name: 'low_stock', arguments: { warehouse: 'oslo', atMost: 1001 } });
    const [{ text }] = bad.content as [{ text: string }];
    expect(bad.isError).toBe(true);
    expect(readme).toContain(text.replace('Invalid arguments: ', ''));
  } finally {
    await client.close();
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test('the life of a call in the README is the list that the layer runs', () => {
  const picture = /<!-- stages -->\n([^]*?)<!-- \/stages -->/.exec(readme)?.[1] ?? '';
  const { STAGES } = jest.requireActual<typeof import('../../src/layer/stages.js')>('../../src/layer/stages.js');
  const rows = [...picture.matchAll(/^([a-z-]+(?: [a-z]+)?) {2,}(.+)$/gm)].map(([, name, summary]) => [name, summary]);
  expect(rows.slice(2, -1)).toEqual(STAGES.map(({ name, summary }) => [name, summary]));
});
