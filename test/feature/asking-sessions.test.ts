import { type AskingError, Registry } from 'cartouche';
import { IsString } from 'class-validator';
import { FRONTS, type OpenAnswer, type Target } from '../support/http-target.js';
import { Conversation } from '../support/conversation.js';
import { layerOf } from '../support/layers.js';

class Name {
  @IsString()
  name!: string;
}

/** How each call of `ask` ended, as its handler saw it. */
const ended: string[] = [];

const layer = layerOf((registry: Registry) => {
  registry.tool<{ key: string }>(
    { name: 'ask', input: { type: 'object', properties: { key: { type: 'string' } } }, timeoutMs: 60_000 },
    async ({ key }, ctx) => {
      try {
        const answer = await ctx.elicit('who', Name, { message: key, timeoutMs: key === 'short' ? 50 : 60_000 });
        ended.push(`${key}: ${answer.action}`);
        return answer;
      } catch (error) {
        ended.push(`${key}: ${(error as AskingError).name}`);
        throw error;
      }
    },
  );
});

const ACCEPT = { action: 'accept', content: { name: 'Ada' } };

/** Waits until something was noted, which a handler may do a moment after its client was answered. */
async function until(text: string): Promise<void> {
  while (!ended.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeEach(() => ended.splice(0));

describe.each(FRONTS)('a session through the %s handler', (_front, makeTarget) => {
  let target: Target;
  let headers: Record<string, string>;

  beforeEach(async () => {
    target = await makeTarget(layer);
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'test', version: '1' },
      },
    };
    const answer = await target.send({ body: initialize });
    headers = { 'mcp-session-id': String(answer.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
    await target.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  });

  afterEach(() => target.close());

  const call = (id: number, key: string): Promise<OpenAnswer> =>
    target.open({
      headers,
      body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', arguments: { key } } },
    });
  const post = async (body: object): Promise<number> => (await target.send({ headers, body })).status;

  it('asks each call on its own stream, and takes each answer for its own question', async () => {
    const [first, second] = [await call(1, 'first'), await call(2, 'second')];
    const [a, b] = [await first.message(), await second.message()];
    expect([a, b]).toMatchObject([
      { method: 'elicitation/create', params: { message: 'first' } },
      { method: 'elicitation/create', params: { message: 'second' } },
    ]);
    expect(await post({ jsonrpc: '2.0', id: b.id, result: { action: 'decline' } })).toBe(202);
    expect(await second.message()).toMatchObject({ id: 2, result: { structuredContent: { action: 'decline' } } });
    expect(await post({ jsonrpc: '2.0', id: a.id, result: ACCEPT })).toBe(202);
    expect(await first.message()).toMatchObject({ id: 1, result: { structuredContent: ACCEPT } });
  });

  it('withdraws the question when the client withdraws its call', async () => {
    const stream = await call(1, 'withdrawn');
    const { id } = await stream.message();
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await until('withdrawn: CancelledError');
    // An answer that comes all the same is nobody's.
    expect(await post({ jsonrpc: '2.0', id, result: ACCEPT })).toBe(202);
    stream.close();
  });

  it('withdraws the question when the time is up, and says so in the result', async () => {
    const stream = await call(1, 'short');
    const { id } = await stream.message();
    expect(await stream.message()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(await stream.message()).toMatchObject({
      id: 1,
      result: { isError: true, content: [{ text: 'ask: the client did not answer elicitation/create within 50 ms.' }] },
    });
  });

  it('ends the handler when the session ends', async () => {
    const stream = await call(1, 'gone');
    await stream.message();
    await target.send({ method: 'DELETE', headers });
    await until('gone: CancelledError');
    stream.close();
  });

  it('tells the model when the client answers with an error', async () => {
    const stream = await call(1, 'refused');
    const { id } = await stream.message();
    await post({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'No person here' } });
    expect(await stream.message()).toMatchObject({
      id: 1,
      result: { isError: true, content: [{ text: 'ask: the client refused elicitation/create: No person here' }] },
    });
  });
});

test('a conversation in memory that ends while its client is asked ends the handler', async () => {
  const conversation = new Conversation(layer);
  await conversation.initialize('2025-06-18', { elicitation: {} });
  void conversation.request('tools/call', { name: 'ask', arguments: { key: 'closed' } });
  while (conversation.messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(conversation.messages[0]).toEqual({
    jsonrpc: '2.0',
    id: expect.anything(),
    method: 'elicitation/create',
    params: {
      message: 'closed',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  });
  conversation.close();
  await until('closed: CancelledError');
});
