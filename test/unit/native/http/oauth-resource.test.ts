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
    ['none', undefined, false],
    ['an empty list', [], false],
    ['no URL', 'mcp', false],
  ])('judges the audience: %s', async (_what, aud, passes) => {
    const outcome = await judge({ ...GOOD, aud });
    expect(outcome.status ?? 200).toBe(passes ? 200 : 401);
    if (!passes) expect(outcome.challenge).toContain('error="invalid_token"');
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
