import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpOptions, TokenAuth } from 'cartouche';
import { FRONTS, handshake, modern, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';

const makeLayer = () =>
  layerOf((registry) => {
    registry.tool({ name: 'wait' }, async (_args, context) => {
      context.reportProgress(1);
      await sleep(60_000, undefined, { signal: context.signal });
    });
  });

describe.each(FRONTS)('what is refused through the %s handler', (_front, makeTarget) => {
  let target: Target;
  const serve = async (options: HttpOptions): Promise<void> => {
    target = await makeTarget(makeLayer(), options);
  };
  afterEach(() => target.close());

  describe('is for the page that asked to read', () => {
    const page = { origin: 'https://app.example' };
    const cors = { origins: ['https://app.example'] };
    const allowed = { 'access-control-allow-origin': 'https://app.example' };
    const guard = { allowedOrigins: ['https://app.example'] };

    it.each([
      [404, { path: '/mcp' }, { path: '/other', headers: page }],
      [421, {}, { headers: { ...page, host: 'wrong.example' } }],
      [401, { auth: new TokenAuth(['secret']) }, { headers: page }],
      [405, {}, { method: 'PUT', headers: page }],
    ])('with %i', async (status, options, sent) => {
      await serve({ guard, cors, ...options });
      const answer = await target.send({ body: modern('ping').body, ...sent });
      expect([answer.status, answer.headers]).toEqual([status, expect.objectContaining(allowed)]);
      expect(answer.json.error.code).toBe(-32600);
    });

    it('while the server closes', async () => {
      await serve({ guard, cors });
      await target.drain?.(0);
      const answer = await target.send({ ...modern('ping'), headers: page });
      expect([answer.status, answer.headers]).toEqual([503, expect.objectContaining(allowed)]);
    });

    it('and for no other page', async () => {
      await serve({ path: '/mcp', guard: { allowedOrigins: '*' }, cors });
      const answer = await target.send({ method: 'GET', path: '/x', headers: { origin: 'https://other.example' } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, undefined]);
    });

    it('also where a preflight comes first', async () => {
      await serve({ path: '/mcp', guard, cors });
      const answer = await target.send({ method: 'OPTIONS', path: '/other', headers: page });
      expect([answer.status, answer.headers]).toEqual([204, expect.objectContaining(allowed)]);
    });
  });

  it('a host says where it is allowed, as it came in', async () => {
    await serve({});
    const { status, json } = await target.send({ ...modern('ping'), headers: { host: 'app.example:8080' } });
    expect([status, json.error.message]).toEqual([
      421,
      "The host 'app.example:8080' is not served here. If it should be, pass guard: { allowedHosts: ['app.example:8080'] } " +
        "to serve('http'), nodeHandler() or fetchHandler().",
    ]);
  });

  it('a batch of 2026-07-28 is told that there is none', async () => {
    await serve({});
    const sent = modern('ping');
    const { status, json } = await target.send({ headers: sent.headers ?? {}, body: [sent.body] });
    expect([status, json.error]).toEqual([
      400,
      {
        code: -32600,
        message: 'Invalid request: batches are no part of 2026-07-28; send one message at a time.',
      },
    ]);
  });

  describe('a request whose session ends meanwhile', () => {
    const wait = (id: number, token?: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'wait', ...(token === undefined ? {} : { _meta: { progressToken: token } }) },
    });
    const over = { code: -32600, message: 'This was cancelled: its session has ended.' };

    it('is answered with 404', async () => {
      await serve({ responseMode: 'json' });
      const { headers } = await handshake(target);
      const answer = target.send({ headers, body: wait(1) });
      await sleep(50);
      expect((await target.send({ method: 'DELETE', headers })).status).toBe(204);
      const { status, json } = await answer;
      expect([status, json]).toEqual([404, { jsonrpc: '2.0', id: 1, error: over }]);
    });

    it.each([true, false])('is answered on its stream, resumable: %s', async (isResumable) => {
      await serve(isResumable ? {} : { eventStore: false });
      const { headers } = await handshake(target);
      const stream = await target.open({ headers, body: wait(1, 'p') });
      expect(await stream.message()).toMatchObject({ method: 'notifications/progress' });
      await target.send({ method: 'DELETE', headers });
      expect(await stream.message()).toEqual({ jsonrpc: '2.0', id: 1, error: over });
      expect(await stream.next()).toBeUndefined();
    });

    it('is answered in its batch', async () => {
      await serve({ responseMode: 'json' });
      const { headers } = await handshake(target, '2025-03-26');
      const answer = target.send({ headers, body: [wait(1), { jsonrpc: '2.0', id: 2, method: 'ping' }, wait(3)] });
      await sleep(50);
      await target.send({ method: 'DELETE', headers });
      expect((await answer).json).toEqual([
        { jsonrpc: '2.0', id: 1, error: over },
        { jsonrpc: '2.0', id: 2, result: {} },
        { jsonrpc: '2.0', id: 3, error: over },
      ]);
    });
  });
});

describe('a target that is a whole URL', () => {
  const ask = async (target: string, host: string, options: HttpOptions = {}): Promise<string> => {
    const handler = makeLayer().nodeHandler({ path: '/mcp', ...options });
    const server = createServer((request, response) => handler(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = `host: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`POST ${target} HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n${body}`);
    const answer = await text(socket);
    await handler.close();
    server.close();
    return answer.slice(9, 12);
  };

  it.each([
    ['http://localhost:3000/mcp', 'localhost', '200'],
    ['HTTP://localhost/mcp/?a=b', 'localhost', '200'],
    ['/mcp', 'localhost', '200'],
    ['http://localhost', 'localhost', '404'],
    ['http://localhost?/mcp', 'localhost', '404'],
    ['http://evil.example/mcp', 'localhost', '421'],
    ['http://localhost/mcp', 'evil.example', '200'],
    ['ftp://localhost/mcp', 'localhost', '404'],
    ['//localhost/mcp', 'localhost', '404'],
  ])('%s with Host: %s is answered with %s: the host of the target counts', async (target, host, status) => {
    expect(await ask(target, host, { sessions: false })).toBe(status);
  });
});
