import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createTestClient, ProtocolFailure, type TestClient } from 'cartouche/testing';
import { failuresLayer } from '../support/failures-fixture.js';
import { serverCommand } from '../support/raw-client.js';

jest.setTimeout(60_000);

/** What an error is, whoever reports it. */
function codeOf(error: unknown): string {
  const { code, message } = error as { code: number; message: string };
  expect(message).not.toContain('pw@');
  return `error ${code}`;
}

type Answer = Promise<Record<string, any>>;
interface Asks {
  tool(name: string, args?: object): Answer;
  resource(name: string): Answer;
  prompt(name: string, args?: object): Answer;
  completion(name: string): Answer;
}

async function outcome(answering: Answer): Promise<string> {
  try {
    const answer = await answering;
    expect(JSON.stringify(answer)).not.toContain('pw@');
    if (answer['isError'] === true) return `isError ${String(answer['_meta']?.['cartouche/error_code'])}`;
    return answer['completion']?.values.length === 0 ? 'empty' : 'ok';
  } catch (error) {
    return codeOf(error);
  }
}

/** The contract's table; where two eras differ, the second is the modern one. */
const TABLE: readonly [string, string, readonly (string | readonly [string, string])[]][] = [
  ['an unknown name', 'nothing', ['error -32602', ['error -32002', 'error -32602'], 'error -32602', 'empty']],
  ['a hidden name', 'hidden', ['error -32602', ['error -32002', 'error -32602'], 'error -32602', 'empty']],
  ['a policy denial', 'denied', ['isError -31001', 'error -31001', 'error -31001', 'error -31001']],
  ['a rate limit', 'limited', ['isError -31029', 'error -31029', 'error -31029', 'error -31029']],
  [
    'not found in the handler',
    'missing',
    ['isError -32602', ['error -32002', 'error -32602'], 'error -32602', 'empty'],
  ],
  ['a time-out', 'slow', ['isError timeout', 'error -32603', 'error -32603', 'empty']],
  ['an unexpected exception', 'exception', ['isError handler_error', 'error -32603', 'error -32603', 'empty']],
  ['a word to the model', 'word', ['isError handler_error', 'error -32603', 'error -32603', 'empty']],
  ['none', 'fine', ['ok', 'ok', 'ok', 'ok']],
];

async function row(asks: Asks, name: string): Promise<string[]> {
  return Promise.all([
    outcome(asks.tool(name)),
    outcome(asks.resource(name)),
    outcome(asks.prompt(name)),
    outcome(asks.completion(name)),
  ]);
}

function expected(cells: (typeof TABLE)[number][2], era: 0 | 1): string[] {
  return cells.map((cell) => (typeof cell === 'string' ? cell : cell[era]));
}

function rows(asks: () => Asks, era: 0 | 1): void {
  test.each(TABLE)('%s', async (_failure, name, cells) => {
    expect(await row(asks(), name)).toEqual(expected(cells, era));
  });

  test('invalid arguments', async () => {
    expect(await outcome(asks().tool('fine', { n: 'x' }))).toBe('isError -32602');
    expect(await outcome(asks().prompt('fine', {}))).toBe('error -32602');
  });
}

describe('the table of failures, over stdio, to the official client', () => {
  const client = new Client({ name: 'table', version: '1' });
  beforeAll(() =>
    client.connect(new StdioClientTransport({ ...serverCommand('failures-server.ts'), stderr: 'ignore' })),
  );
  afterAll(() => client.close());

  rows(
    () => ({
      tool: (name, args = { n: 1 }) => client.callTool({ name, arguments: args as Record<string, unknown> }) as Answer,
      resource: (name) => client.readResource({ uri: `r://${name}` }) as Answer,
      prompt: (name, args = { a: 'x' }) =>
        client.getPrompt({ name, arguments: args as Record<string, string> }) as Answer,
      completion: (name) =>
        client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: 'x' } }) as Answer,
    }),
    0,
  );
});

describe.each([
  ['handshake', 0],
  ['modern', 1],
] as const)('the table of failures, in memory, %s', (era, index) => {
  let client: TestClient;
  beforeAll(() => void (client = createTestClient(failuresLayer(), { era })));
  afterAll(() => client.close());

  rows(
    () => ({
      tool: (name, args = { n: 1 }) => client.callResult(name, args),
      resource: (name) => client.raw('resources/read', { uri: `r://${name}` }),
      prompt: (name, args = { a: 'x' }) => client.raw('prompts/get', { name, arguments: args }),
      completion: (name) =>
        client.raw('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: 'x' } }),
    }),
    index,
  );

  test('protocol errors have a type of their own', async () => {
    await expect(client.call('nothing')).rejects.toBeInstanceOf(ProtocolFailure);
  });
});
