import { connect } from 'node:net';
import { ConfigurationError, type HttpServing, type ServeHttpOptions } from 'cartouche';
import { handshake, modern, portTarget } from '../support/http-target.js';
import { deferred, layerOf, MemoryLogger } from '../support/layers.js';

/** Connects, sends text, and gives what comes back until the server ends the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

describe('a layer that is served over HTTP', () => {
  const serving: HttpServing[] = [];
  const gate = deferred();
  const makeLayer = (logger = new MemoryLogger()) =>
    layerOf(
      (registry) => {
        registry.tool({ name: 'quick' }, () => 'quick');
        registry.tool({ name: 'wait' }, () => gate.promise.then(() => 'waited'));
        registry.tool({ name: 'big' }, () => 'x'.repeat(150_000));
      },
      { logger, defaultCapabilities: ['read_state'] },
    );
  const serve = async (options: ServeHttpOptions = {}, logger?: MemoryLogger): Promise<HttpServing> => {
    const one = await makeLayer(logger).serve('http', { port: 0, exit: false, ...options });
    serving.push(one);
    return one;
  };
  afterEach(async () => {
    for (const one of serving.splice(0)) await one.close();
  });

  it('says where it is, and answers there', async () => {
    const { url, port, host } = await serve();
    expect([url, host]).toEqual([`http://127.0.0.1:${port}/mcp`, '127.0.0.1']);
    expect((await portTarget(port, 'served').send(modern('tools/list'))).status).toBe(200);
  });

  it('tells a load balancer that it is there, whatever host it asks for, and nothing else', async () => {
    const target = portTarget((await serve()).port, 'served');
    const health = await target.send({ method: 'GET', path: '/healthz', headers: { host: '10.1.2.3' } });
    expect([health.status, health.json]).toEqual([200, { status: 'ok' }]);
    expect((await target.send({ method: 'HEAD', path: '/healthz' })).status).toBe(200);
    expect((await target.send({ method: 'GET', path: '/' })).status).toBe(404);
    expect((await target.send({ ...modern('tools/list'), path: '/mcp/deeper' })).status).toBe(404);
    expect((await target.send({ method: 'HEAD', path: '/mcp' })).status).toBe(405);
    const hidden = portTarget((await serve({ healthPath: false })).port, 'served');
    expect((await hidden.send({ method: 'GET', path: '/healthz' })).status).toBe(404);
  });

  it('warns when other machines reach it and anybody may call, and by which names', async () => {
    const logger = new MemoryLogger();
    const { url } = await serve({ host: '0.0.0.0' }, logger);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(logger.lines.map(({ level, message }) => [level, /Pass auth|allowedHosts/.exec(message)?.[0]])).toEqual([
      ['warn', 'Pass auth'],
      ['warn', 'allowedHosts'],
    ]);
  });

  it('does not warn on the loopback, nor where it was told who may call', async () => {
    const logger = new MemoryLogger();
    await serve({}, logger);
    await serve(
      { host: '0.0.0.0', auth: { authenticate: () => ({}) }, guard: { allowedHosts: ['mcp.example'] } },
      logger,
    );
    expect(logger.lines).toEqual([]);
  });

  it('says what is wrong with a port or an address', async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toThrow(new RegExp(`port ${port} of 127.0.0.1 is taken`));
    await expect(serve({ host: '192.0.2.1' })).rejects.toThrow(ConfigurationError);
    await expect(serve({ prot: 1 } as never)).rejects.toThrow(/no option 'prot'/);
    await expect(makeLayer().serve('htpp' as 'http')).rejects.toThrow(/no transport 'htpp'/);
  });

  it('closes when it was told to: what runs is answered, streams end, new connections are refused', async () => {
    const { port, close } = await serve();
    const target = portTarget(port, 'served');
    const { headers } = await handshake(target);
    const stream = await target.open({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    const listening = await target.open(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }));
    await listening.message();
    const waiting = target.send({
      headers,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } },
    });
    while (target.sessionCount === 0 && (await target.send(modern('tools/list'))).status !== 200);
    const closed = close();
    expect(await stream.message()).toBeUndefined();
    expect((await listening.message()).result.resultType).toBe('complete');
    gate.resolve();
    expect((await waiting).json.result.structuredContent).toEqual({ result: 'waited' });
    await closed;
    await expect(target.send(modern('tools/list'))).rejects.toThrow(/ECONNREFUSED/);
    await close();
  });

  it('waits no longer than its grace for what does not end', async () => {
    const layer = layerOf((registry) => void registry.tool({ name: 'never' }, () => new Promise(() => undefined)));
    const { port, close } = await layer.serve('http', { port: 0, exit: false, graceMs: 20 });
    const target = portTarget(port, 'served');
    const waiting = target.send(modern('tools/call', { name: 'never' })).catch(() => 'cut');
    while ((await target.send(modern('tools/list'))).status !== 200);
    await close();
    await waiting;
  });

  it('drops a client that never finishes its headers, or its body', async () => {
    const { port } = await serve({ headersTimeoutMs: 60, requestTimeoutMs: 120 });
    const [headers, body] = await Promise.all([
      exchange(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
      exchange(
        port,
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"',
      ),
    ]);
    expect(headers).toMatch(/^HTTP\/1\.1 408/);
    expect(body).toMatch(/^HTTP\/1\.1 (400|408)/);
    expect((await portTarget(port, 'served').send(modern('tools/list'))).status).toBe(200);
  });

  it('gives headers no more time than the whole request has', async () => {
    const { server } = await serve({ requestTimeoutMs: 5000 });
    expect([server.headersTimeout, server.requestTimeout]).toEqual([5000, 5000]);
    await expect(serve({ requestTimeoutMs: 5000, headersTimeoutMs: 5001 })).rejects.toThrow(
      'headersTimeoutMs is 5001, longer than requestTimeoutMs (5000). Headers are a part of the request.',
    );
  });

  it('refuses headers that are too long, and lines that are no HTTP', async () => {
    const { port } = await serve({ maxHeaderBytes: 4096 });
    expect(await exchange(port, `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(5000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431/,
    );
    expect(await exchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await exchange(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Name: a\nb\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400/,
    );
  });

  it('takes 4 MiB, refuses one byte more, and the connection is good for the next request', async () => {
    const { port } = await serve();
    const limit = 4 * 1024 * 1024;
    const call = JSON.stringify(modern('tools/list').body);
    const exact = call + ' '.repeat(limit - call.length);
    const target = portTarget(port, 'served');
    const { headers } = modern('tools/list');
    expect((await target.send({ headers: headers, body: exact })).status).toBe(200);
    for (const how of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await target.send({ headers: { ...headers, ...how }, body: `${exact} ` });
      expect([answer.status, answer.json.error.code]).toEqual([413, -32600]);
    }
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const modernHead = 'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n';
    const second = `${head}${modernHead}Connection: close\r\nContent-Length: ${call.length}\r\n\r\n${call}`;
    const both = await exchange(port, `${head}Content-Length: ${limit + 1}\r\n\r\n${exact} ${second}`);
    expect([...both.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['413', '200']);
  });

  it('cuts off who goes on sending far beyond the limit', async () => {
    const { port } = await serve({ maxBodyBytes: 1000 });
    const answer = await exchange(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(100_000)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  it('gives slots back when clients go half-way: no session, no stream and no request is left', async () => {
    const { port, server } = await serve();
    const target = portTarget(port, 'served');
    for (let count = 0; count < 20; count++) {
      const { headers } = await handshake(target);
      const stream = await target.open({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
      const listening = await target.open(modern('subscriptions/listen', { notifications: {} }));
      stream.close();
      listening.close();
      await target.send({ method: 'DELETE', headers });
    }
    await exchange(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    const count = () => new Promise<number>((resolve) => server.getConnections((_error, open) => resolve(open)));
    while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('holds 10,000 sessions and no more, serves the newest, and forgets the oldest', async () => {
    const layer = makeLayer();
    const handler = layer.fetchHandler({ maxSessions: 10_000 });
    const open = async (): Promise<string> => {
      const response = await handler(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
        }),
      );
      return String(response.headers.get('mcp-session-id'));
    };
    const ids: string[] = [];
    for (let count = 0; count < 10_010; count++) ids.push(await open());
    expect(handler.sessionCount).toBe(10_000);
    const ask = async (id: string | undefined) =>
      (
        await handler(
          new Request('http://localhost/mcp', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'mcp-session-id': String(id) },
            body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
          }),
        )
      ).status;
    expect([await ask(ids.at(-1)), await ask(ids[0])]).toEqual([200, 404]);
    await handler.close();
    expect(handler.sessionCount).toBe(0);
  }, 60_000);
});
