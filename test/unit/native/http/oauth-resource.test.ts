import { type AccessToken, ConfigurationError, OAuthResource, type OAuthResourceOptions, RequestInfo } from 'cartouche';

const BASE: OAuthResourceOptions = {
  resource: 'https://h.example/mcp',
  authorizationServers: ['https://as.example'],
  verifyToken: (token) => (JSON.parse(Buffer.from(token, 'base64url').toString()) as AccessToken | null) ?? undefined,
};
const GOOD = { clientId: 'c1', aud: 'https://h.example/mcp', scopes: ['read'] };

async function judge(claims: unknown, options: Partial<OAuthResourceOptions> = {}): Promise<any> {
  const auth = new OAuthResource({ ...BASE, ...options });
  const headers =
    claims === undefined
      ? {}
      : { authorization: `Bearer ${Buffer.from(JSON.stringify(claims)).toString('base64url')}` };
  return auth.authenticate({ info: new RequestInfo({ transport: 'http', headers }), method: 'POST', path: '/mcp' });
}

describe('an OAuth resource server', () => {
  it('lets in a token that is for it', async () => {
    expect(await judge(GOOD)).toEqual({ accessToken: GOOD });
  });

  it.each<[string, unknown, boolean]>([
    ['the resource itself', 'https://h.example/mcp', true],
    ['one slash at its end', 'https://h.example/mcp/', true],
    ['a host in other letters', 'https://H.EXAMPLE/mcp', true],
    ['the default port', 'https://h.example:443/mcp', true],
    ['one of several', ['https://x.example', 'https://h.example/mcp'], true],
    ['the origin', 'https://h.example', false],
    ['a longer path', 'https://h.example/mcp-evil', false],
    ['a deeper path', 'https://h.example/mcp/admin', false],
    ['another path in other letters', 'https://h.example/MCP', false],
    ['another scheme', 'http://h.example/mcp', false],
    ['a query', 'https://h.example/mcp?tenant=b', false],
    ['a fragment', 'https://h.example/mcp#b', false],
    ['another port', 'https://h.example:8443/mcp', false],
    ['none', undefined, false],
    ['an empty list', [], false],
    ['no URL', 'mcp', false],
  ])('judges the audience: %s', async (_what, aud, passes) => {
    const outcome = await judge({ ...GOOD, aud });
    expect(outcome.status ?? 200).toBe(passes ? 200 : 401);
    if (!passes) expect(outcome.challenge).toContain('error="invalid_token"');
  });

  it.each([
    ['https://h.example/mcp?tenant=a', 200],
    ['https://h.example/mcp?tenant=b', 401],
    ['https://h.example/mcp?', 401],
    ['https://h.example/mcp', 401],
  ])('whose URL has a query is no other tenant’s: %s', async (aud, status) => {
    const outcome = await judge({ ...GOOD, aud }, { resource: 'https://h.example/mcp?tenant=a' });
    expect(outcome.status ?? 200).toBe(status);
  });

  it('leaves the audience to a verifier that checks it', async () => {
    expect(await judge({ clientId: 'c1' }, { checkAudience: false })).toEqual({ accessToken: { clientId: 'c1' } });
  });

  it.each<[string, object, number]>([
    ['that expired', { exp: 999 }, 401],
    ['that expires now', { exp: 1000 }, 401],
    ['that still holds', { exp: 1001 }, 200],
    ['whose expiry is no number', { exp: 'never' }, 401],
    ['of another issuer', { iss: 'https://evil.example' }, 401],
    ['of its issuer', { iss: 'https://as.example' }, 200],
    ['with a slash after its issuer', { iss: 'https://as.example/' }, 200],
  ])('judges a token %s', async (_what, claims, status) => {
    const outcome = await judge({ ...GOOD, ...claims }, { now: () => 1_000_000 });
    expect(outcome.status ?? 200).toBe(status);
  });

  it('says where its metadata is in every challenge, in quotes', async () => {
    const url = 'resource_metadata="https://h.example/.well-known/oauth-protected-resource/mcp"';
    expect(await judge(undefined)).toMatchObject({ status: 401, challenge: `Bearer ${url}` });
    expect(await judge(null)).toMatchObject({ status: 401, challenge: `Bearer error="invalid_token", ${url}` });
  });

  it('answers a verifier that throws with 401, and keeps the reason for the log', async () => {
    const outcome = await judge(GOOD, { verifyToken: () => Promise.reject(new Error('signature')) });
    expect(outcome).toMatchObject({ status: 401, cause: expect.objectContaining({ message: 'signature' }) });
    expect(outcome.message).not.toContain('signature');
  });

  it('asks for the scopes that everything needs, and names them at once', async () => {
    const outcome = await judge(GOOD, { requiredScopes: ['read', 'mcp'] });
    expect(outcome).toMatchObject({ status: 403 });
    expect(outcome.challenge).toContain('error="insufficient_scope", scope="read mcp"');
  });

  it('asks for the scopes of one message besides', () => {
    const auth = new OAuthResource({
      ...BASE,
      requiredScopes: ['read'],
      scopesFor: (method, name) => (method === 'tools/call' && name === 'drop' ? ['write'] : undefined),
    });
    const info = new RequestInfo({ transport: 'http', accessToken: GOOD });
    expect(auth.authorize(info, 'tools/call', 'list')).toBeUndefined();
    expect(auth.authorize(info, 'tools/call', 'drop')?.challenge).toContain('scope="read write"');
  });

  it('describes itself at the path that RFC 9728 gives it', () => {
    const auth = new OAuthResource({ ...BASE, requiredScopes: ['read'], resourceName: 'Estate' });
    expect(auth.metadata).toEqual({
      path: '/.well-known/oauth-protected-resource/mcp',
      document: {
        resource: 'https://h.example/mcp',
        authorization_servers: ['https://as.example'],
        scopes_supported: ['read'],
        bearer_methods_supported: ['header'],
        resource_name: 'Estate',
      },
    });
    expect(new OAuthResource({ ...BASE, resource: 'https://h.example' }).metadata.path).toBe(
      '/.well-known/oauth-protected-resource',
    );
  });

  it.each<[string, Partial<OAuthResourceOptions>]>([
    ['a resource that is no URL', { resource: 'mcp' }],
    ['a resource with a fragment', { resource: 'https://h.example/mcp#x' }],
    ['no issuer', { authorizationServers: [] }],
  ])('is not built with %s', (_what, options) => {
    expect(() => new OAuthResource({ ...BASE, ...options })).toThrow(ConfigurationError);
  });
});

describe('an OAuth resource server fails closed', () => {
  it.each<[string, object, string]>([
    ['an issuer that is not a URL', { authorizationServers: ['as.example'] }, "authorizationServers 'as.example'"],
    ['an issuer that is not text', { authorizationServers: [undefined] }, 'authorizationServers must be'],
    ['no verifier', { verifyToken: undefined }, 'no verifyToken'],
    ['a verifier that is not a function', { verifyToken: 'jwt' }, 'verifyToken must be a function'],
    ['a misspelt option', { requiredScope: ['read'] }, "Did you mean 'requiredScopes'?"],
    ['scopes as text', { requiredScopes: 'admin' }, 'requiredScopes must be a list'],
    ['a flag as text', { checkAudience: 'no' }, 'checkAudience must be a boolean'],
  ])('finds %s', (_what, options, finding) => {
    expect(() => new OAuthResource({ ...BASE, ...options })).toThrow(finding);
  });

  const now = 1_000_000;
  it.each<[string, object]>([
    ['an expiry that is not a number', { exp: '2033' }],
    ['a time before which it is not good', { nbf: now + 10 }],
    ['a start that is not a number', { nbf: '0' }],
    ['no longer active', { active: false }],
    ['active as text', { active: 'true' }],
    ['scopes of the wrong form', { scopes: [1] }],
    ['an issuer that is not text', { iss: 5 }],
    ['an issuer that is null', { iss: null }],
  ])('refuses a token: %s', async (_what, claims) => {
    const outcome = await judge({ ...GOOD, ...claims }, { now: () => now * 1000 });
    expect(outcome.status).toBe(401);
  });

  it('refuses an expiry that is no time', async () => {
    expect((await judge(GOOD, { verifyToken: () => ({ ...GOOD, exp: NaN }) })).status).toBe(401);
    expect((await judge(GOOD, { verifyToken: () => true as unknown as AccessToken })).status).toBe(401);
  });

  it.each<[string, Error, number]>([
    ['a connection that is refused', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503],
    ['fetch, in its cause', new TypeError('fetch failed', { cause: new Error('x') }), 503],
    ['a time-out', Object.assign(new Error('x'), { name: 'TimeoutError' }), 503],
    ['an issuer that answers 502', Object.assign(new Error('x'), { status: 502 }), 503],
    ['keys that cannot be fetched', Object.assign(new Error('x'), { code: 'ERR_JWKS_TIMEOUT' }), 503],
    ['a token that has expired', Object.assign(new Error('x'), { code: 'ERR_JWT_EXPIRED' }), 401],
    ['anything else', new Error('bad token'), 401],
  ])('answers a verifier that fails for %s', async (_what, error, status) => {
    const outcome = await judge(GOOD, { verifyToken: () => Promise.reject(error) });
    expect(outcome.status).toBe(status);
    expect(outcome.challenge === undefined).toBe(status === 503);
  });

  it('wants to know whose a token is, where there are several issuers, and names callers after both', async () => {
    const authorizationServers = ['https://a.example', 'https://b.example'];
    expect((await judge({ ...GOOD, sub: 'ana' }, { authorizationServers })).status).toBe(401);
    const { principal } = await judge({ ...GOOD, sub: 'ana', iss: 'https://b.example' }, { authorizationServers });
    expect(principal.id).toBe('https://b.example#ana');
  });

  it.each<[string, unknown]>([
    ['a promise', () => Promise.resolve(['admin'])],
    ['a text', () => 'admin'],
  ])('does not let a message pass whose scopes come as %s', (_what, scopesFor) => {
    const auth = new OAuthResource({ ...BASE, scopesFor } as unknown as OAuthResourceOptions);
    const info = new RequestInfo({ transport: 'http', accessToken: GOOD });
    expect(() => auth.authorize(info, 'tools/call', 'x')).toThrow('scopesFor');
  });
});
