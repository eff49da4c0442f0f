import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { serverCommand } from '../support/raw-client.js';

jest.setTimeout(60_000);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const KEY = 'a key that both processes were given, 32 bytes';
const ANSWER = { consent: { action: 'accept', content: { ok: true } } };

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }
});

/** Starts a server in a process of its own. */
async function start(keys?: string[]): Promise<{ url: string; pid: number }> {
  const { command, args } = serverCommand('asking-server.ts', { keys });
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, pid: child.pid! };
}

async function book(url: string, retry: object = {}): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'book',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'book', _meta: META, ...retry },
    }),
  });
  return response.json();
}

test('two processes that share a key: one asks, the other takes the answer, and nothing is done twice', async () => {
  const [first, second] = await Promise.all([start([KEY]), start([`${KEY}, and a newer one`, KEY])]);
  const { result } = await book(first.url);
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { consent: {} } });
  const retry = await book(second.url, { requestState: result.requestState, inputResponses: ANSWER });
  expect(retry.result.structuredContent).toEqual({ booked: first.pid, answered: second.pid, action: 'accept' });
});

test('two processes that share none: the answer is refused, and the refusal says why', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const { result } = await book(first.url);
  const { error } = await book(second.url, { requestState: result.requestState, inputResponses: ANSWER });
  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringMatching(/no key for it.*does not share its requestState\.keys/),
  });
  const own = await book(first.url, { requestState: result.requestState, inputResponses: ANSWER });
  expect(own.result.structuredContent.action).toBe('accept');
});
