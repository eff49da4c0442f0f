import { createServer } from 'node:http';
import { type HttpAuth, type HttpOptions, OAuthResource, Principal, TokenAuth } from 'cartouche';
import { FRONTS, handshake, initialize, modern, serverTarget, type Target } from '../support/http-target.js';
import { layerOf, MemoryLogger } from '../support/layers.js';

const makeLayer = (logger = new MemoryLogger()) =>
  layerOf(
    (registry) => {
      registry.tool({ name: 'who' }, (_args, ctx) => ({
        id: ctx.principal.id,
        roles: [...ctx.principal.roles],
        transport: ctx.info?.transport,
      }));
      registry.tool({ name: 'drop' }, () => 'dropped');
    },
    { logger },
  );
const who = modern('tools/call', { name: 'who' });

describe.each(FRONTS)('who may call through the %s handler', (_front, makeTarget) => {
  const open: Target[] = [];
  const serve = async (options: HttpOptions, logger?: MemoryLogger): Promise<Target> => {
    const target = await makeTarget(makeLayer(logger), options);
    open.push(target);
    return target;
  };
  afterEach(async () => {
    for (const target of open.splice(0)) await target.close();
  });
  const ask = async (target: Target, headers: Record<string, string> = {}, sent = who) =>
    target.send({ ...sent, headers: { ...sent.headers, ...headers } });

  it('is anonymous where nobody asks', async () => {
    const answer = await ask(await serve({}));
    expect(answer.json.result.structuredContent).toEqual({ id: 'anonymous', roles: ['default'], transport: 'http' });
  });

  it('is never told by what a client says of itself, nor by a header, unless a resolver says so', async () => {
    const claims = modern(
      'tools/call',
      { name: 'who' },
      { 'io.modelcontextprotocol/clientInfo': { name: 'admin', version: '1' } },
    );
    const plain = await serve({});
    expect((await ask(plain, { 'x-user': 'admin' }, claims)).json.result.structuredContent.id).toBe('anonymous');
    const principalResolver: HttpOptions['principalResolver'] = (info) => {
      const id = info.header('X-User');
      return id === undefined ? undefined : new Principal({ id });
    };
    const gateway = await serve({ principalResolver });
    expect((await ask(gateway, { 'x-user': 'ana' })).json.result.structuredContent.id).toBe('ana');
  });

  it('is the default caller when a resolver throws, which is logged', async () => {
    const logger = new MemoryLogger();
    const target = await serve(
      {
        principalResolver: () => {
          throw new Error('down');
        },
      },
      logger,
    );
    expect((await ask(target)).json.result.structuredContent.id).toBe('anonymous');
    expect(logger.text).toContain('principalResolver threw');
  });

  it.each([
    ['GET', {}],
    ['POST', {}],
    ['DELETE', {}],
    ['POST', { authorization: 'Bearer nope' }],
  ])('is asked on every %s with %j: 401 and a challenge, before the body is looked at', async (method, headers) => {
    const target = await serve({ auth: new TokenAuth({ secret: new Principal({ id: 'ana' }) }) });
    const answer = await target.send({ method, headers, ...(method === 'POST' ? { body: 'no JSON' } : {}) });
    expect([answer.status, answer.json.error.code]).toEqual([401, -32600]);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="mcp"/);
  });

  it('is whom a token stands for', async () => {
    const target = await serve({ auth: new TokenAuth(['secret:analyst:ana']) });
    const answer = await ask(target, { authorization: 'Bearer secret' });
    expect(answer.json.result.structuredContent).toMatchObject({ id: 'ana', roles: ['analyst'] });
  });

  it('is the OAuth client of a token, with its scopes as roles', async () => {
    const auth = new OAuthResource({
      resource: 'https://h.example/mcp',
      authorizationServers: ['https://as.example'],
      verifyToken: (token) =>
        token === 'good' ? { clientId: 'c1', aud: 'https://h.example/mcp', scopes: ['read'] } : undefined,
      scopesFor: (_method, name) => (name === 'drop' ? ['write'] : undefined),
    });
    const target = await serve({ auth });
    const headers = { authorization: 'Bearer good' };
    expect((await ask(target, headers)).json.result.structuredContent).toMatchObject({
      id: 'c1',
      roles: ['default', 'read'],
    });
    const refused = await ask(target, { authorization: 'Bearer bad' });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", resource_metadata="https://h.example/.well-known/oauth-protected-resource/mcp"',
    ]);
    const weak = await ask(target, headers, modern('tools/call', { name: 'drop' }));
    expect([weak.status, weak.headers['www-authenticate']]).toEqual([403, expect.stringContaining('scope="write"')]);
    const session = await handshake(target, '2025-11-25', headers);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'drop' } };
    expect((await target.send({ headers: session.headers, body: call })).status).toBe(403);
  });

  it('can read where to get tokens without one, from any page', async () => {
    const auth = new OAuthResource({
      resource: 'https://h.example/mcp',
      authorizationServers: ['https://as.example'],
      verifyToken: () => undefined,
    });
    const target = await serve({ auth, path: '/mcp' });
    const path = '/.well-known/oauth-protected-resource/mcp';
    const document = await target.send({ method: 'GET', path });
    expect(document.json).toMatchObject({
      resource: 'https://h.example/mcp',
      authorization_servers: ['https://as.example'],
    });
    expect(document.headers['access-control-allow-origin']).toBe('*');
    expect((await target.send({ method: 'GET', path: '/.well-known/oauth-protected-resource' })).status).toBe(404);
    expect((await target.send({ method: 'POST', path, body: {} })).status).toBe(405);
  });

  it('is told nothing when the authentication itself breaks: 500, and a line in the log', async () => {
    const logger = new MemoryLogger();
    const auth: HttpAuth = { authenticate: () => Promise.reject(new Error('postgres://u:pw@db')) };
    const answer = await ask(await serve({ auth }, logger));
    expect([answer.status, answer.json.error]).toEqual([500, { code: -32603, message: 'Internal error.' }]);
    expect(logger.text).toContain('postgres://');
  });

  it('is refused by the name of the host it used, and by the page it comes from', async () => {
    const target = await serve({});
    expect((await ask(target, { host: 'evil.example' })).status).toBe(421);
    expect((await ask(target, { host: 'evil.example', origin: 'http://evil.example' })).status).toBe(421);
    expect((await ask(target, { host: 'localhost', origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask(target, { host: 'localhost', origin: 'null' })).status).toBe(403);
    expect((await ask(target, { host: 'localhost:1234', origin: 'http://localhost:1234' })).status).toBe(200);
    const open = await serve({ guard: false });
    expect((await ask(open, { host: 'evil.example', origin: 'http://evil.example' })).status).toBe(200);
  });

  it('that is refused by the guard is refused before authentication and before the body', async () => {
    const authenticate = jest.fn(() => ({}));
    const target = await serve({ auth: { authenticate } });
    const answer = await target.send({ headers: { host: 'evil.example' }, body: 'no JSON' });
    expect([answer.status, answer.json.id]).toEqual([421, null]);
    expect(authenticate).not.toHaveBeenCalled();
  });
});

describe.each(FRONTS)('pages of other origins through the %s handler', (_front, makeTarget) => {
  const PAGE = { host: 'localhost:3000', origin: 'https://app.example' };
  const options: HttpOptions = { guard: { allowedOrigins: ['https://app.example'] } };

  it('may read nothing unless they are let', async () => {
    const target = await makeTarget(makeLayer(), options);
    const answer = await target.send({ ...who, headers: { ...who.headers, ...PAGE } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    expect((await target.send({ method: 'OPTIONS', headers: PAGE })).status).toBe(405);
    await target.close();
  });

  it('may send what the protocol needs, and read what it answers, once they are', async () => {
    const target = await makeTarget(makeLayer(), {
      ...options,
      cors: true,
      auth: new TokenAuth({ t: new Principal({ id: 'a' }) }),
    });
    const requested = 'content-type, authorization, mcp-method, Mcp-Param-Region, x-evil';
    const preflight = await target.send({
      method: 'OPTIONS',
      headers: { ...PAGE, 'access-control-request-method': 'POST', 'access-control-request-headers': requested },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
    const allowed = String(preflight.headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'mcp-session-id',
        'mcp-method',
        'mcp-name',
        'last-event-id',
        'mcp-param-region',
      ]),
    );
    expect(allowed).not.toContain('x-evil');
    const answer = await target.send({ ...who, headers: { ...who.headers, ...PAGE, authorization: 'Bearer t' } });
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(answer.headers['vary']).toContain('Origin');
    const refused = await target.send({ ...who, headers: { ...who.headers, ...PAGE } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, 'https://app.example']);
    expect(refused.headers['access-control-expose-headers']).toMatch(/Mcp-Session-Id.*WWW-Authenticate/);
    const other = await target.send({
      method: 'OPTIONS',
      headers: { host: 'localhost', origin: 'http://localhost:9' },
    });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    await target.close();
  });

  it('that open a stream may read it', async () => {
    const target = await makeTarget(makeLayer(), { ...options, cors: true });
    const { headers } = await handshake(target);
    const stream = await target.open({ method: 'GET', headers: { ...headers, ...PAGE, accept: 'text/event-stream' } });
    expect(stream.headers['access-control-allow-origin']).toBe('https://app.example');
    stream.close();
    await target.close();
  });
});

describe('a handler inside an application', () => {
  const served = async (
    wrap: (handler: ReturnType<ReturnType<typeof makeLayer>['nodeHandler']>) => Parameters<typeof createServer>[1],
    options: HttpOptions = {},
    logger?: MemoryLogger,
  ) => {
    const handler = makeLayer(logger).nodeHandler(options);
    const server = createServer(wrap(handler) as never);
    const target = await serverTarget(server, 'app');
    return {
      target,
      close: async () => {
        await handler.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  };
  const read = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it.each<[string, (bytes: Buffer) => unknown]>([
    ['as an object', (bytes) => JSON.parse(bytes.toString())],
    ['as text', (bytes) => bytes.toString()],
    ['as bytes', (bytes) => bytes],
    ['as other bytes', (bytes) => new Uint8Array(bytes)],
  ])('takes a body that was read already, %s', async (_what, parse) => {
    for (const place of ['request', 'argument']) {
      const { target, close } = await served((handler) => async (request: any, response: any) => {
        const body = parse(await read(request));
        if (place === 'request') handler(Object.assign(request, { body }), response);
        else handler(request, response, body);
      });
      expect((await target.send(who)).json.result.structuredContent.id).toBe('anonymous');
      await close();
    }
  });

  it('reads the body itself where a parser left an empty object and did not look at it', async () => {
    const { target, close } = await served(
      (handler) => (request, response) => handler(Object.assign(request, { body: {} }), response),
    );
    expect((await target.send(who)).status).toBe(200);
    await close();
  });

  it('answers only at its path, with or without a slash, and leaves the rest to the next one', async () => {
    const { target, close } = await served(
      (handler) => (request: any, response: any) =>
        handler(request, response, () => response.writeHead(418).end('next')),
      { path: '/mcp/' },
    );
    expect((await target.send({ ...who, path: '/mcp' })).status).toBe(200);
    expect((await target.send({ ...who, path: '/mcp/' })).status).toBe(200);
    expect((await target.send({ ...who, path: '/mcp?a=1' })).status).toBe(200);
    expect((await target.send({ ...who, path: '/other' })).status).toBe(418);
    await close();
  });

  it('answers 404 at any other path where there is no next one', async () => {
    const { target, close } = await served((handler) => (request, response) => handler(request, response), {
      path: '/mcp',
    });
    expect((await target.send({ ...who, path: '/mcpx' })).status).toBe(404);
    await close();
  });

  it('takes a caller that a middleware found', async () => {
    const { target, close } = await served((handler) => (request, response) => {
      const found =
        request.headers['x-how'] === 'principal'
          ? { principal: new Principal({ id: 'ana' }) }
          : { auth: { clientId: 'c9', scopes: ['s'] } };
      handler(Object.assign(request, found), response);
    });
    const ask = async (how: string) =>
      (await target.send({ ...who, headers: { ...who.headers, 'x-how': how } })).json.result.structuredContent.id;
    expect([await ask('principal'), await ask('token')]).toEqual(['ana', 'c9']);
    await close();
  });

  it('does not write twice when something in front of it wrote first: it says so, and the client does not wait', async () => {
    const logger = new MemoryLogger();
    const { target, close } = await served(
      (handler) => (request, response) => {
        response.writeHead(200, { 'x-early': '1' });
        response.flushHeaders();
        handler(request, response);
      },
      {},
      logger,
    );
    const answer = await target.send(who);
    expect([answer.status, answer.headers['x-early'], answer.text]).toEqual([200, '1', expect.any(String)]);
    const stream = await target.send({ method: 'GET', headers: { accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    expect(logger.text).toContain('begun before ours');
    await close();
  });
});

describe('options of the handlers', () => {
  it.each<[string, object, RegExp]>([
    ['one by its old name', { stateless: true }, /stateless is called 'sessions' now\. Write sessions: false\./],
    ['one that is none', { keepAlive: 5 }, /no option 'keepAlive'. Did you mean 'keepAliveMs'/],
    ['a negative time', { sessionIdleMs: -1 }, /sessionIdleMs is -1/],
    ['no whole number', { maxBodyBytes: 1.5 }, /maxBodyBytes is 1.5/],
    ['a path without a slash', { path: 'mcp' }, /path must be a path/],
    ['a mode that is none', { responseMode: 'xml' }, /responseMode must be one of/],
    ['an option of the engine', { pageSize: 0 }, /pageSize is 0/],
  ])('are checked when it is made: %s', (_what, options, message) => {
    expect(() => makeLayer().nodeHandler(options as HttpOptions)).toThrow(message);
    expect(() => makeLayer().fetchHandler(options as HttpOptions)).toThrow(message);
  });
});

describe.each(FRONTS)('the transport of 2024-11-05 through the %s handler', (_front, makeTarget) => {
  it('is not there unless it is asked for', async () => {
    const target = await makeTarget(makeLayer(), { path: '/mcp' });
    expect((await target.send({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } })).status).toBe(
      404,
    );
    await target.close();
  });

  it('names a place to POST to, and answers on the stream', async () => {
    const target = await makeTarget(makeLayer(), { path: '/mcp', legacySse: true });
    const stream = await target.open({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } });
    const endpoint = await stream.next();
    expect(endpoint).toMatchObject({
      event: 'endpoint',
      data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{36}$/),
    });
    const path = String(endpoint?.data);
    const accepted = await target.send({ path, body: initialize('2024-11-05') });
    expect(accepted.status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 0, result: { protocolVersion: '2024-11-05' } });
    await target.send({ path, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } } });
    expect(JSON.parse((await stream.message()).result.content[0].text)).toMatchObject({
      id: 'anonymous',
      transport: 'sse',
    });
    expect((await target.send({ path: '/messages?sessionId=nope', body: {} })).status).toBe(404);
    expect((await target.send({ path: '/sse', body: {} })).status).toBe(405);
    stream.close();
    for (let status = 202; status !== 404;)
      status = (await target.send({ path, body: { jsonrpc: '2.0', id: 2, method: 'ping' } })).status;
    await target.close();
  });
});
