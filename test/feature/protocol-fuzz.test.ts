import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { classify } from '../../src/native/classify.js';
import { NativeMcpServer } from '../../src/native/native-server.js';
import { serialise } from '../../src/native/prepared.js';
import { serveStdio } from '../../src/native/stdio.js';
import { begin, Conversation, ENVELOPE } from '../support/conversation.js';
import { protocolLayer } from '../support/protocol-layer.js';

/** 5,000 in the test run, 200,000 at night. */
const RUNS = process.env['NIGHTLY'] === '1' ? 200_000 : 5000;

jest.setTimeout(30 * 60_000);

const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, params });

/** Messages that are right in some era or other. */
const RIGHT: readonly object[] = [
  request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'n', version: '1' },
  }),
  request('ping'),
  request('tools/list', { cursor: Buffer.from('tools:echo').toString('base64url') }),
  request('tools/call', { name: 'echo', arguments: { text: 'hi' } }),
  request('tools/call', { name: 'progress', _meta: { progressToken: 0 } }),
  request('tools/call', { name: 'log' }),
  request('tools/call', { name: 'deaf' }),
  request('tools/call', { name: 'breaks' }),
  request('tools/call', { name: 'bigint_meta' }),
  request('resources/list', {}),
  request('resources/templates/list', {}),
  request('resources/read', { uri: 'docs://pages/one' }),
  request('resources/subscribe', { uri: 'docs://guide' }),
  request('resources/unsubscribe', { uri: 'docs://guide' }),
  request('prompts/list', {}),
  request('prompts/get', { name: 'greet', arguments: { who: 'you' } }),
  request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: 'n' },
    context: { arguments: { other: 'x' } },
  }),
  request('logging/setLevel', { level: 'debug' }),
  request('server/discover', { _meta: ENVELOPE }),
  request('tools/list', { _meta: ENVELOPE }),
  request('tools/call', { name: 'needs_input', _meta: { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'info' } }),
  request('tools/call', { name: 'needs_sampling', _meta: ENVELOPE }),
  request('resources/read', { uri: 'docs://guide', _meta: ENVELOPE }),
  request('subscriptions/listen', {
    notifications: { toolsListChanged: true, resourceSubscriptions: ['docs://guide'] },
    _meta: ENVELOPE,
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'x' } },
  { jsonrpc: '2.0', id: 1, result: { roots: [] } },
  { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
];

interface Mutation {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'add' | 'graft';
  readonly value: unknown;
  readonly key: string;
}

const ODD = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    '',
    '__proto__',
    'constructor',
    [],
    {},
    [[]],
    'docs://guide',
    '2025-03-26',
    'v9',
    '\u0000\ud800',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const MUTATION: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(30),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'graft'),
  value: ODD,
  key: fc.constantFrom(
    'id',
    'method',
    'params',
    '_meta',
    'name',
    'arguments',
    'progressToken',
    'cursor',
    '__proto__',
    'jsonrpc',
    'result',
    'x',
  ),
});

const MESSAGE = fc
  .tuple(fc.constantFrom(...RIGHT), fc.array(MUTATION, { maxLength: 4 }), fc.constantFrom(...RIGHT))
  .map(([right, mutations, other]) =>
    mutations.reduce<unknown>((value, mutation) => mutate(value, mutation, other), structuredClone(right)),
  );

const ANYTHING = fc.oneof(
  { weight: 10, arbitrary: MESSAGE },
  { weight: 1, arbitrary: fc.array(MESSAGE, { maxLength: 4 }) },
  { weight: 1, arbitrary: ODD },
);

/** Changes one place of a value, found by counting through all of them. */
function mutate(root: unknown, { at, kind, value, key }: Mutation, other: unknown): unknown {
  const places: { readonly holder: any; readonly name: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const name of Object.keys(holder)) {
      places.push({ holder, name });
      walk((holder as any)[name]);
    }
  };
  walk(root);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return value;
  if (kind === 'remove') delete place.holder[place.name];
  else if (kind === 'replace') place.holder[place.name] = value;
  else if (kind === 'graft') place.holder[place.name] = structuredClone(other);
  else if (!Array.isArray(place.holder))
    Object.defineProperty(place.holder, key, { value, enumerable: true, configurable: true, writable: true });
  return root;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (id: unknown): boolean =>
  typeof id === 'string' || (Number.isInteger(id) && Math.abs(id as number) < 2 ** 53);

/** What JSON-RPC says of a value, said a second time: the engine's own judgement is what is tested. */
function kindOf(value: any): 'request' | 'notification' | 'response' | 'batch' | 'invalid' {
  if (Array.isArray(value)) return 'batch';
  if (!isRecord(value) || value.jsonrpc !== '2.0') return 'invalid';
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    const paramsFit = params === undefined || params === null || isRecord(params);
    if (!paramsFit || (id !== undefined && !isId(id))) return 'invalid';
    return id === undefined ? 'notification' : 'request';
  }
  const fails = isRecord(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (method !== undefined || (result === undefined) === (error === undefined)) return 'invalid';
  if (result !== undefined) return isRecord(result) && isId(id) ? 'response' : 'invalid';
  return fails && (id === undefined || id === null || isId(id)) ? 'response' : 'invalid';
}

function isResponse(value: any, message: unknown): boolean {
  const { jsonrpc, id, result, error } = value;
  if (jsonrpc !== '2.0' || (result === undefined) === (error === undefined)) return false;
  if (error !== undefined && !(Number.isInteger(error.code) && typeof error.message === 'string')) return false;
  const own = (message as any)?.id;
  return isId(own) ? id === own : id === null;
}

/** Ends what would run for ever, and gives the answer. */
async function answerOf(client: Conversation, message: unknown): Promise<any> {
  const state = { settled: false };
  const pending = client.send(message).finally(() => (state.settled = true));
  for (let i = 0; i < 20 && !state.settled; i++) await turn();
  if (!state.settled) {
    const ids = (Array.isArray(message) ? message : [message]).map((one) => one.id);
    for (const requestId of ids) await client.notify('notifications/cancelled', { requestId });
  }
  return pending;
}

/** What is wrong with an answer; `undefined` for none. */
function faultOf(message: unknown, reply: any, version: string | undefined): string | undefined {
  const kind = kindOf(message);
  if (reply !== undefined) JSON.parse(serialise(reply));
  if (kind === 'notification' || kind === 'response') return reply === undefined ? undefined : 'was answered';
  const batched = kind === 'batch' && version === '2025-03-26' && (message as unknown[]).length > 0;
  if (Array.isArray(reply)) return batched && reply.length > 0 ? undefined : 'a batch where there is none';
  if (reply === undefined) return kind === 'request' || batched ? undefined : 'was not answered';
  return isResponse(reply, kind === 'batch' ? undefined : message) ? undefined : 'no response to it';
}

/** Requests that are cancelled are the only ones without an answer. */
const MAY_BE_SILENT = new Set(['tools/call', 'subscriptions/listen']);

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => process.on('unhandledRejection', onUnhandled));
afterAll(() => process.removeListener('unhandledRejection', onUnhandled));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMiB(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test(`${RUNS} messages are each answered as JSON-RPC says, and leave nothing behind`, async () => {
  const server = new NativeMcpServer(protocolLayer({ defaultTimeoutMs: 60_000 }));
  const clients = [
    new Conversation(server),
    await begin(server, '2024-11-05'),
    await begin(server, '2025-03-26'),
    await begin(server, '2025-11-25'),
  ];
  let count = 0;
  let before = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(clients.length - 1), ANYTHING, async (which, message) => {
      const client = clients[which]!;
      if (which === 0 && client.session.protocolVersion !== undefined) {
        client.close();
        clients[0] = new Conversation(server);
      }
      const version = clients[which]!.session.protocolVersion;
      const reply = await answerOf(clients[which]!, message);
      const fault = faultOf(message, reply, version);
      if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify(reply)}`);
      if (reply === undefined && kindOf(message) === 'request' && !MAY_BE_SILENT.has((message as any).method))
        throw new Error('silence');
      for (const { messages } of clients) messages.length = 0;
      if (++count === 1000) before = heapMiB();
    }),
    { numRuns: RUNS, seed: 20261130, endOnFailure: true },
  );
  expect(clients.map(({ session }) => session.runningCount)).toEqual([0, 0, 0, 0]);
  expect([server.listenCount, server.sessionCount]).toEqual([0, 4]);
  expect(heapMiB() - before).toBeLessThan(16);
  await turn();
  expect(unhandled).toEqual([]);
  // Whatever was sent, the next right request works, in both eras.
  for (const client of clients.slice(1)) {
    expect(await client.result('tools/call', { name: 'echo', arguments: { text: 'still here' } })).toMatchObject({
      isError: false,
    });
    expect(
      (await client.modern('tools/call', { name: 'echo', arguments: { text: 'still here' } })).result,
    ).toMatchObject({ isError: false });
  }
});

test('any bytes on a pipe: every line is answered, and the next right one works', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { close } = await serveStdio(protocolLayer(), { input, output, maxLineBytes: 2000 }).then((it) => ({
    close: () => it.close(),
  }));
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  let id = 0;
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(MESSAGE, fc.nat(80), fc.nat(255)).map(([message, at, byte]) => {
      const bytes = Buffer.from(JSON.stringify(message));
      if (at < bytes.length) bytes[at] = byte;
      return bytes;
    }),
    fc.integer({ min: 1990, max: 2010 }).map((size) => Buffer.from(`"${'x'.repeat(size)}"`)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      text = '';
      for (const bytes of lines) input.write(Buffer.concat([bytes, Buffer.from('\n')]));
      const last = `still here ${++id}`;
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method: 'ping' })}\n`);
      while (!text.includes(last)) await turn();
      for (const answer of text.split('\n').filter(Boolean))
        expect(JSON.parse(answer)).toMatchObject({ jsonrpc: '2.0' });
    }),
    { numRuns: RUNS / 5, seed: 20261130 },
  );
  await close();
  expect(unhandled).toEqual([]);
});

test('the era of any message is decided without throwing', () => {
  fc.assert(
    fc.property(ANYTHING, (message) => {
      expect(['modern', 'handshake']).toContain(classify(message));
    }),
    { numRuns: RUNS, seed: 20261130 },
  );
});
