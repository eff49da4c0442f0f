import { createServer } from 'node:http';
import { type AccessToken, cache, concurrency, type HttpOptions, type McpLayer, OAuthResource } from 'cartouche';
import { FRONTS, handshake, modern, serverTarget, type Sent, type Target } from '../support/http-target.js';
import { deferred, layerOf } from '../support/layers.js';

/** Tokens are their claims, so that a test can say who calls. */
function options(more: HttpOptions = {}): HttpOptions {
  return {
    auth: new OAuthResource({
      resource: 'https://h.example/mcp',
      authorizationServers: ['https://as.example'],
      verifyToken: (token) => JSON.parse(Buffer.from(token, 'base64url').toString()) as AccessToken,
    }),
    ...more,
  };
}

function as(subject: string | undefined, scopes: readonly string[] = ['read']): Record<string, string> {
  const claims = { clientId: 'app', aud: 'https://h.example/mcp', iss: 'https://as.example', scopes, sub: subject };
  return { authorization: `Bearer ${Buffer.from(JSON.stringify(claims)).toString('base64url')}` };
}

function from(who: Record<string, string>, sent: Sent): Sent {
  return { ...sent, headers: { ...sent.headers, ...who } };
}

describe.each(FRONTS)('two people of one OAuth client, through the %s handler', (_front, makeTarget) => {
  let target: Target | undefined;
  afterEach(() => target?.close());
  const serve = async (layer: McpLayer, more?: HttpOptions): Promise<Target> =>
    (target = await makeTarget(layer, options(more)));
  const call = (name: string, args: object = {}): Sent => modern('tools/call', { name, arguments: args });

  it('are two principals', async () => {
    const layer = layerOf((registry) => registry.tool({ name: 'who' }, (_args, context) => context.principal.id));
    const { send } = await serve(layer);
    for (const name of ['ana', 'ben'])
      expect((await send(from(as(name), call('who')))).json.result.content[0].text).toBe(name);
    expect((await send(from(as(undefined), call('who')))).json.result.content[0].text).toBe('app');
  });

  it('are given no answer of one another', async () => {
    const layer = layerOf(
      (registry) =>
        registry.tool({ name: 'mine', capabilities: ['read_state'] }, (_args, context) => {
          return context.principal.id;
        }),
      { middleware: [cache()] },
    );
    const { send } = await serve(layer);
    const hitOf = async (name: string) => {
      const { result } = (await send(from(as(name), call('mine')))).json;
      return [result.content[0].text, result._meta['cartouche/cache']?.hit ?? false];
    };
    expect(await hitOf('ana')).toEqual(['ana', false]);
    expect(await hitOf('ana')).toEqual(['ana', true]);
    expect(await hitOf('ben')).toEqual(['ben', false]);
  });

  it('have no session of one another, and keep their own when they are granted more', async () => {
    const { send, open } = await serve(layerOf((registry) => registry.tool({ name: 'hi' }, () => 'hi')));
    const { headers } = await handshake(target as Target, undefined, as('ana'));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await send({ headers: { ...headers, ...as('ana', ['read', 'write']) }, body: list })).status).toBe(200);
    const stranger = { ...headers, ...as('ben') };
    expect((await send({ headers: stranger, body: list })).status).toBe(404);
    const events = { accept: 'text/event-stream', 'last-event-id': '1-0' };
    expect((await open({ method: 'GET', headers: { ...stranger, ...events } })).status).toBe(404);
    expect((await send({ method: 'DELETE', headers: stranger })).status).toBe(404);
    expect((await send({ headers, body: list })).status).toBe(200);
  });

  it('cannot use a request state of one another', async () => {
    const layer = layerOf((registry) =>
      registry.tool({ name: 'ask' }, async (_args, context) => {
        const found = await context.step('find', () => `found for ${context.principal.id}`);
        await context.elicit('sure', { type: 'object', properties: {} }, { message: 'Go on?' });
        return found;
      }),
    );
    const { send } = await serve(layer);
    const ask = (state?: unknown): Sent =>
      modern(
        'tools/call',
        { name: 'ask', arguments: {}, ...(state === undefined ? {} : { requestState: state, inputResponses: {} }) },
        { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
      );
    const { requestState } = (await send(from(as('ana'), ask()))).json.result;
    expect(typeof requestState).toBe('string');
    const stolen = (await send(from(as('ben'), ask(requestState)))).json;
    expect(JSON.stringify(stolen)).not.toContain('found for ana');
    expect(stolen.error).toBeDefined();
  });

  it('do not wait for one another’s slots', async () => {
    const { promise, resolve } = deferred();
    let started = 0;
    const layer = layerOf(
      (registry) =>
        registry.tool({ name: 'slow' }, () => {
          started++;
          return promise.then(() => 'done');
        }),
      { middleware: [concurrency({ perPrincipal: 1 })] },
    );
    const { send } = await serve(layer);
    const calls = ['ana', 'ben'].map((name) => send(from(as(name), call('slow'))));
    while (started < 2) await new Promise((wait) => setTimeout(wait, 5));
    resolve();
    for (const { json } of await Promise.all(calls)) expect(json.result.content[0].text).toBe('done');
  });
});

describe('what a middleware in front left at the request', () => {
  it.each<[string, object, string]>([
    ['user', { user: { id: 'ana', roles: ['x'] } }, 'ana'],
    ['auth, as decoded claims', { auth: { sub: 'ana', scope: 'x' } }, 'ana'],
    ['auth, as an SDK has it', { auth: { token: 't', clientId: 'app', scopes: ['x'], extra: { sub: 'ana' } } }, 'ana'],
  ])('says who calls: %s', async (_what, slots, id) => {
    const layer = layerOf((registry) =>
      registry.tool({ name: 'who' }, (_args, { principal }) => `${principal.id} ${[...principal.roles].join()}`),
    );
    const handler = layer.nodeHandler();
    const server = createServer((request, response) => handler(Object.assign(request, slots), response));
    const target = await serverTarget(server, 'node');
    const { json } = await target.send(modern('tools/call', { name: 'who', arguments: {} }));
    expect(json.result.content[0].text).toBe(`${id} default,x`);
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
});
