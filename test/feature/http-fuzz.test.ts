import fc from 'fast-check';
import { FRONTS, handshake, META, modern, type Sent, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

/** How many requests are sent: 5,000 with the other tests, 200,000 at night. */
const RUNS = process.env['NIGHTLY'] === '1' ? 200_000 : 5000;
const SEED = 20_261_130;

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'nope',
];

const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, 0, -1, 1.5, 1e300, '', [], {}, '__proto__'));
const name = fc.oneof(fc.constantFrom('echo', 'fail', 'docs://a', 'p'), fc.string());
const meta = fc.oneof(
  fc.constant(META),
  fc.record(
    { ...Object.fromEntries(Object.keys(META).map((key) => [key, junk])), progressToken: junk },
    { requiredKeys: [] },
  ),
  junk,
);
const params = fc.oneof(
  fc.record(
    { name, uri: name, arguments: junk, cursor: junk, level: junk, ref: junk, _meta: meta, protocolVersion: junk },
    { requiredKeys: [] },
  ),
  fc.record({ name: fc.constant('echo'), arguments: junk, _meta: fc.constant(META) }),
  junk,
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: junk }),
    id: fc.oneof({ weight: 4, arbitrary: fc.oneof(fc.integer(), fc.string()) }, { weight: 1, arbitrary: junk }),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: junk }),
    params,
    result: junk,
    error: junk,
  },
  { requiredKeys: ['jsonrpc'] },
);
const body = fc.oneof(
  { weight: 8, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.oneof(fc.string(), fc.constant(''), fc.uint8Array({ maxLength: 40 })) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat()).map(([value, cut]) => JSON.stringify(value).slice(0, cut)) },
);
/** What a header can hold at all; anything else never leaves a client. */
const headerText = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,30}[\x21-\x7e]$/);
const headers = fc.record(
  {
    'mcp-protocol-version': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', 'v999'), headerText),
    'mcp-method': fc.oneof(fc.constantFrom(...METHODS), headerText),
    'mcp-name': fc.oneof(fc.constantFrom('echo', 'docs://a', '=?base64?ZWNobw==?=', '=?base64??='), headerText),
    'mcp-session-id': fc.oneof(fc.constant('LIVE'), headerText),
    'last-event-id': fc.oneof(fc.constantFrom('1-0', '1-1', '9-9'), headerText),
    'mcp-param-region': headerText,
    accept: fc.oneof(fc.constantFrom('application/json', 'text/event-stream', '*/*', '*/*;q=0'), headerText),
    'content-type': fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    origin: fc.oneof(fc.constantFrom('http://localhost:1', 'null'), headerText),
  },
  { requiredKeys: [] },
);
const request = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant('POST') },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT') },
  ),
  headers,
  body,
  /** A whole request of the modern era with one part replaced reaches deeper than chance would. */
  whole: fc.boolean(),
});

const STATUSES = new Set([200, 202, 204, 400, 401, 403, 404, 405, 406, 409, 413, 415, 421]);

describe.each(FRONTS)('requests that nobody should send, through the %s handler', (front, makeTarget) => {
  let target: Target;
  let session: string;
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    const layer = layerOf((registry) => {
      registry.tool({ name: 'echo', input: { type: 'object' } }, (args, ctx) => {
        ctx.reportProgress(1);
        ctx.log('error', args);
        return args;
      });
      registry.tool({ name: 'fail' }, () => {
        throw new Error('postgres://u:pw@db');
      });
      registry.resource({ uri: 'docs://a', name: 'a' }, () => 'text');
      registry.prompt({ name: 'p' }, () => 'p');
    });
    target = await makeTarget(layer, { maxBodyBytes: 100_000 });
    session = (await handshake(target)).id;
  });

  afterAll(async () => {
    process.removeListener('unhandledRejection', onRejection);
    await target.close();
  });

  const runs = front === 'node' ? RUNS / 5 : RUNS - RUNS / 5;

  it(`are answered, every one of ${runs}, as the protocol says, and the server stays as it was`, async () => {
    let sent = 0;
    let heap = 0;
    await fc.assert(
      fc.asyncProperty(request, async ({ method, headers: given, body: text, whole }) => {
        const complete: Sent = whole && method === 'POST' ? modern('tools/call', { name: 'echo', arguments: {} }) : {};
        const own = { ...complete.headers, ...given } as Record<string, string>;
        if (own['mcp-session-id'] === 'LIVE') own['mcp-session-id'] = session;
        // An open stream is an answer that does not end.
        if (method === 'GET' && own['mcp-session-id'] === session) return;
        const answer = await target.send({
          method,
          headers: own,
          ...(method === 'GET' ? {} : { body: complete.body ?? text }),
        });
        expect(STATUSES).toContain(answer.status);
        if (answer.status >= 400)
          expect(answer.json.error ?? answer.json[0].error).toEqual(
            expect.objectContaining({ code: expect.any(Number) }),
          );
        if (answer.status === 202 || answer.status === 204) expect(answer.text).toBe('');
        for (const value of answer.messages.flat()) expect(value).toMatchObject({ jsonrpc: '2.0' });
        expect(answer.text).not.toMatch(/postgres|\bat \S+ \(|node_modules/);
        if (++sent === Math.floor(runs / 2)) heap = process.memoryUsage().heapUsed;
      }),
      { numRuns: runs, seed: SEED, endOnFailure: true },
    );
    expect(rejections).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    // Sessions that strays opened live on until they are idle; nothing else may stay.
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(200 * 1024 * 1024);
    expect((await target.send(modern('tools/list'))).status).toBe(200);
    expect(
      (await target.send({ headers: { 'mcp-session-id': session }, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }))
        .json.result,
    ).toEqual({});
  }, 1_800_000);
});
