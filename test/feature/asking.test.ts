import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { answeringClient, type McpLayer } from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { createEstateLayer } from '../../sample-app/src/layer.js';
import { clientTransport } from '../../src/native/memory.js';
import { createConformanceLayer } from '../conformance/layer.js';

jest.setTimeout(60_000);

const INFO = { name: 'tests', version: '0' };
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ROOTS = { roots: [{ uri: 'file:///work' }] };
const SAMPLED = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'test' } as const;

/** What the person does with a form. */
type Person = (params: any) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

function clientV2(person: Person, mode?: 'auto' | { pin: string }): Client {
  const client = new Client(INFO, {
    capabilities: CAPABILITIES,
    ...(mode && { versionNegotiation: { mode } }),
  });
  client.setRequestHandler('elicitation/create', async ({ params }: any) => person(params) as never);
  client.setRequestHandler('sampling/createMessage', async () => SAMPLED as never);
  client.setRequestHandler('roots/list', async () => ROOTS as never);
  return client;
}

function clientV1(person: Person): Client {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED as never);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  return client as unknown as Client;
}

const CLIENTS = {
  'sdk 1.x': clientV1,
  'client 2.x, legacy': (person: Person) => clientV2(person),
  'client 2.x, modern': (person: Person) => clientV2(person, { pin: '2026-07-28' }),
};

const NAMES = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];

type Call = (name: string, args?: Record<string, unknown>) => Promise<any>;

/** Runs `work` with a client that is connected in one of the two ways. */
async function connected(
  name: keyof typeof CLIENTS,
  wire: 'memory' | 'http',
  layer: McpLayer,
  person: Person,
  work: (call: Call, client: Client) => Promise<void>,
): Promise<void> {
  const client = CLIENTS[name](person);
  const served = wire === 'http' ? await layer.serve('http', { port: 0 }) : undefined;
  const url = new URL(served?.url ?? 'http://unused');
  const http = name === 'sdk 1.x' ? new HttpV1(url) : new StreamableHTTPClientTransport(url);
  try {
    await client.connect((served === undefined ? clientTransport(layer) : http) as never);
    await work((tool, args = {}) => client.callTool({ name: tool, arguments: args }), client);
  } finally {
    await client.close();
    await served?.close();
  }
}

const MATRIX = NAMES.flatMap((name) => (['memory', 'http'] as const).map((wire) => [name, wire] as const));

describe('forget_dataset asks before it unloads', () => {
  test.each(MATRIX)('%s, over %s', async (name, wire) => {
    const asked: any[] = [];
    let consents = false;
    const person: Person = (params) => {
      asked.push(params);
      return consents ? { action: 'accept', content: { forget: true, reason: 'old' } } : { action: 'decline' };
    };
    await connected(name, wire, await createEstateLayer(), person, async (call) => {
      const kept = await call('forget_dataset', { name: 'demo' });
      expect(kept).toMatchObject({ isError: true, content: [{ text: 'Dataset "demo" stays loaded.' }] });
      consents = true;
      const gone = await call('forget_dataset', { name: 'demo' });
      expect(gone).toMatchObject({ isError: false, structuredContent: { datasets: [] } });
      const missing = await call('forget_dataset', { name: 'demo' });
      expect(missing.isError).toBe(true);
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      message: 'Forget dataset "demo"?',
      requestedSchema: {
        properties: {
          forget: { type: 'boolean', title: 'Forget it', default: false },
          reason: { type: 'string', title: 'Reason', maxLength: 200 },
        },
      },
    });
  });

  test.each(['handshake', 'modern'] as const)('the test client, %s', async (era) => {
    const answer = (): object => ({ action: 'accept', content: { forget: true } });
    const client = createTestClient(await createEstateLayer(), { era, answer });
    expect(await client.call('forget_dataset', { name: 'demo' })).toMatchObject({ datasets: [] });
    client.close();
  });

  test('a call inside the process, with functions that answer', async () => {
    const layer = await createEstateLayer();
    const client = answeringClient({ elicit: () => ({ action: 'accept', content: { forget: true } }) });
    const result = await layer.callTool('forget_dataset', { name: 'demo' }, { context: { client } });
    expect(result.structuredContent).toMatchObject({ datasets: [] });
    const nobody = await (await createEstateLayer()).callTool('forget_dataset', { name: 'demo' });
    expect(nobody.isError).toBe(true);
  });
});

describe('everything that can be asked', () => {
  test.each(MATRIX)('%s, over %s', async (name, wire) => {
    const person: Person = ({ requestedSchema }) => ({
      action: 'accept',
      content: 'color' in requestedSchema.properties ? { color: 'blue' } : { name: 'Ada' },
    });
    await connected(name, wire, createConformanceLayer(), person, async (call, client) => {
      const text = async (tool: string): Promise<string> => (await call(tool)).content[0].text as string;
      expect(await text('test_input_required_result_multi_round')).toBe('Ada: blue');
      expect(await text('test_input_required_result_multiple_inputs')).toBe('Paris (accept, 1 roots)');
      expect(await text('test_input_required_result_sampling')).toBe('Paris');
      expect(await text('test_input_required_result_list_roots')).toBe('file:///work');
      const prompt = client.getPrompt({ name: 'test_input_required_result_prompt' });
      // The form asks for something else than this person fills in: it is asked for again, then given up.
      await expect(prompt).rejects.toThrow(/context: is required/);
    });
  });
});

test.each(['sdk 1.x', 'client 2.x, legacy'] as const)('%s that cannot be asked: a clear error', async (name) => {
  const layer = await createEstateLayer();
  const client = name === 'sdk 1.x' ? new ClientV1(INFO) : new Client(INFO);
  await client.connect(clientTransport(layer) as never);
  const result = (await client.callTool({ name: 'forget_dataset', arguments: { name: 'demo' } })) as any;
  expect([result.isError, result.content[0].text]).toEqual([
    true,
    'forget_dataset has to ask the client, and this client does not offer forms.',
  ]);
  await client.close();
});

test('client 2.x, modern, that cannot be asked: -32021 with HTTP 400', async () => {
  const layer = await createEstateLayer();
  const served = await layer.serve('http', { port: 0 });
  try {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'forget_dataset', arguments: { name: 'demo' }, _meta: meta };
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'forget_dataset',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: 1, error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
    ]);
  } finally {
    await served.close();
  }
});
