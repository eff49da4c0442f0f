import {
  ConfigurationError,
  Principal,
  RequestInfo,
  TokenAuth,
  type TokenAuthOptions,
  type TokenSource,
} from 'cartouche';

const judge = (auth: TokenAuth, authorization?: string): any =>
  auth.authenticate({
    info: new RequestInfo({ transport: 'http', headers: authorization === undefined ? {} : { authorization } }),
    method: 'POST',
    path: '/mcp',
  });

describe('static tokens', () => {
  const ana = new Principal({ id: 'ana', roles: ['analyst'] });
  const auth = new TokenAuth({ 't-analyst': ana });

  it('stand for the principals they were given with', () => {
    expect(judge(auth, 'Bearer t-analyst')).toEqual({ principal: ana });
    expect(judge(auth, 'bearer   t-analyst ')).toEqual({ principal: ana });
  });

  it.each([undefined, 'Basic dDp0', 'Bearer', 'Bearer '])('are missing in %j: 401 without an error code', (header) => {
    expect(judge(auth, header)).toMatchObject({ status: 401, challenge: 'Bearer realm="mcp"' });
  });

  it.each(['Bearer nope', 'Bearer t-analyst2', 'Bearer T-ANALYST'])('are wrong in %j: 401 invalid_token', (header) => {
    expect(judge(auth, header)).toMatchObject({ status: 401, challenge: 'Bearer realm="mcp", error="invalid_token"' });
  });

  it('that are not required let callers without one through, and nobody with a wrong one', () => {
    const optional = new TokenAuth({ 't-analyst': ana }, { required: false });
    expect(judge(optional)).toEqual({});
    expect(judge(optional, 'Bearer nope')).toMatchObject({ status: 401 });
    expect(judge(optional, 'Basic dDp0')).toMatchObject({ status: 401 });
  });

  it('are kept as digests only', () => {
    expect(JSON.stringify(auth, (_key, value) => value) + String(Object.values(auth))).not.toContain('t-analyst');
  });
});

describe('token specs', () => {
  const one = (spec: string, token: string, options: TokenAuthOptions = {}) =>
    new TokenAuth([spec], options).principalFor(token);

  it('are read from the right: id, roles, and the rest is the token', () => {
    expect(one('secret', 'secret')).toMatchObject({ roles: new Set(['default']) });
    expect(one('secret:admin, reader', 'secret')).toMatchObject({ roles: new Set(['admin', 'reader']) });
    expect(one('secret:admin:ana', 'secret')).toMatchObject({ id: 'ana', roles: new Set(['admin']) });
    expect(one('se:cr:et:admin:ana', 'se:cr:et')).toMatchObject({ id: 'ana', roles: new Set(['admin']) });
    expect(one('secret::ana', 'secret')).toMatchObject({ id: 'ana', roles: new Set(['default']) });
  });

  it('give a caller without an id one that does not say the token', () => {
    expect(one('secret', 'secret')?.id).toMatch(/^token-[0-9a-f]{8}$/);
  });

  it('take a token from the environment', () => {
    const env = { MY_TOKEN: 'from:env' };
    expect(one('env:MY_TOKEN:admin:ana', 'from:env', { env })).toMatchObject({ id: 'ana', roles: new Set(['admin']) });
    expect(one('env:MY_TOKEN', 'from:env', { env })).toMatchObject({ roles: new Set(['default']) });
  });

  it.each<[string, TokenSource]>([
    ['no token at all', []],
    ['an empty token', [':admin']],
    ['a variable that is not set', ['env:NOT_SET:admin']],
    ['a variable that is empty', ['env:EMPTY']],
  ])('are refused with %s', (_what, tokens) => {
    expect(() => new TokenAuth(tokens, { env: { EMPTY: '' } })).toThrow(ConfigurationError);
  });
});
