import { defaultPrincipal, type HttpOptions, Principal, RequestInfo, toAuthInfo } from 'cartouche';
import { callerOf, principalOfUser, resolvePrincipal } from '../../../src/core/identity.js';
import { MemoryLogger } from '../../support/layers.js';

const token = (claims: object) =>
  defaultPrincipal(
    new RequestInfo({ transport: 'http', accessToken: { clientId: 'app', scopes: ['read'], ...claims } }),
  );

describe('whom a token was issued for', () => {
  it('is its subject, and the roles are its scopes', () => {
    const ana = token({ sub: 'ana', iss: 'https://as.example' });
    expect(ana.id).toBe('ana');
    expect([...ana.roles]).toEqual(['default', 'read']);
    expect(ana.attributes).toEqual({
      auth: 'oauth',
      issuer: 'https://as.example',
      subject: 'ana',
      clientId: 'app',
      scopes: ['read'],
    });
  });

  it.each<[string, object, object]>([
    ['two subjects', { sub: 'ana' }, { sub: 'ben' }],
    ['one subject of two issuers', { sub: 'ana', iss: 'https://a' }, { sub: 'ana', iss: 'https://b' }],
    ['one subject behind two clients', { sub: 'ana', clientId: 'app' }, { sub: 'ana', clientId: 'other' }],
    ['a subject that is named like a client', { sub: 'app' }, { sub: undefined }],
    ['two subjects where an SDK keeps them', { extra: { sub: 'ana' } }, { extra: { sub: 'ben' } }],
  ])('differs for %s', (_what, one, other) => {
    expect(token(one).key).not.toBe(token(other).key);
  });

  it('stays the same caller with another scope', () => {
    expect(token({ sub: 'ana', scopes: ['read'] }).key).toBe(token({ sub: 'ana', scopes: ['write'] }).key);
  });

  it.each<[string, object, string[]]>([
    ['a text of OAuth', { scopes: undefined, scope: 'read write' }, ['default', 'read', 'write']],
    ['a text where a list is meant', { scopes: 'admin' }, ['default', 'admin']],
    ['something else', { scopes: [1, {}] }, ['default']],
  ])('reads scopes from %s', (_what, claims, roles) => {
    expect([...token(claims).roles]).toEqual(roles);
  });

  it('is told apart by what the application adds', () => {
    expect(new Principal({ id: 'ana', tenant: 'a' }).key).not.toBe(new Principal({ id: 'ana', tenant: 'b' }).key);
    expect(new Principal({ id: '["ana",null,null,null,null]' }).key).not.toBe(new Principal({ id: 'ana' }).key);
  });
});

describe('what stands in front of a handler', () => {
  const ana = new Principal({ id: 'ana', roles: ['admin'], attributes: { team: 'a' } });

  it.each<[string, object]>([
    ['principal', { principal: ana }],
    ['auth that carries a principal', { auth: toAuthInfo(ana) }],
    ['user that carries a principal', { user: toAuthInfo(ana) }],
    ['a principal as user', { user: ana }],
    ['principal before the others', { principal: ana, auth: { clientId: 'app' }, user: { id: 'ben' } }],
    ['auth that carries a principal before user', { auth: toAuthInfo(ana), user: { id: 'ben' } }],
  ])('names the caller whole: %s', (_what, slots) => {
    expect(callerOf(slots).principal).toBe(ana);
  });

  it('takes a token at auth, and a user only where there is none', () => {
    expect(callerOf({ auth: { clientId: 'app', scopes: [] }, user: { id: 'ben' } })).toEqual({
      principal: undefined,
      accessToken: { clientId: 'app', scopes: [] },
    });
    expect(callerOf({ user: { id: 'ben', roles: ['x'] } }).principal?.roles).toEqual(new Set(['default', 'x']));
    expect(callerOf({ auth: { sub: 'ana', scope: 'read' } }).accessToken).toEqual({ sub: 'ana', scope: 'read' });
  });

  it.each([undefined, null, 'ana', 5, {}, { clientId: '' }, []])('says nothing: %p', (value) => {
    expect(callerOf({ principal: value, auth: value, user: value })).toEqual({
      principal: undefined,
      accessToken: undefined,
    });
  });

  it('tells users of two issuers apart', () => {
    const [one, other] = ['https://a', 'https://b'].map((iss) => principalOfUser({ sub: 'ana', iss }));
    expect(one?.key).not.toBe(other?.key);
  });
});

describe('a principal resolver', () => {
  const resolve = (
    resolver: unknown,
    logger = new MemoryLogger(),
    onResolverError: HttpOptions['onResolverError'] = 'refuse',
  ) => {
    const info = new RequestInfo({ transport: 'http', accessToken: { clientId: 'app', scopes: ['admin'] } });
    const principalResolver = resolver as HttpOptions['principalResolver'];
    return resolvePrincipal({ principalResolver, onResolverError }, info, logger);
  };

  it.each<[string, () => unknown, string]>([
    ['a promise', () => Promise.resolve(new Principal({ id: 'ana' })), 'returned a promise'],
    ['a promise that fails', () => Promise.reject(new Error('no')), 'returned a promise'],
    ['an object without an id', () => ({ roles: new Set() }), 'must return a Principal'],
    ['an empty id', () => new Principal({ id: '' }), 'must return a Principal'],
    ['an empty id of another copy', () => ({ id: '', roles: new Set() }), 'must return a Principal'],
    ['a text', () => 'ana', 'must return a Principal'],
    [
      'an error',
      () => {
        throw new Error('secret');
      },
      'threw',
    ],
  ])('that gives %s serves nobody', (_what, resolver, logged) => {
    const logger = new MemoryLogger();
    expect(() => resolve(resolver, logger)).toThrow('Who is calling could not be determined.');
    expect(logger.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      expect.stringMatching(`^error principalResolver ${logged}`),
    ]);
  });

  it('that throws leaves a caller to the default, unless that is not wanted', () => {
    const fail = () => {
      throw new Error('secret');
    };
    expect(resolve(fail, new MemoryLogger(), 'default').id).toBe('app');
    expect(() => resolve(fail)).toThrow('could not be determined');
  });

  it('leaves a caller to the default by returning nothing', () => {
    expect(resolve(() => undefined).id).toBe('app');
  });

  it('may return what another copy of the package made', () => {
    const found = resolve(() => ({ id: 'ana', roles: new Set(['x']), attributes: { subject: 's' }, tenant: 't' }));
    expect(found.key).toBe(new Principal({ id: 'ana', attributes: { subject: 's' }, tenant: 't' }).key);
  });

  it('warns once of tokens without a subject', () => {
    const logger = new MemoryLogger();
    resolve(undefined, logger);
    resolve(undefined, logger);
    expect(logger.lines).toEqual([expect.objectContaining({ level: 'warn', message: expect.stringContaining('sub') })]);
  });
});

describe('a user that a host found', () => {
  it.each<[string, object, string, string[], object]>([
    ['sub first', { sub: 'a', id: 'b' }, 'a', [], { auth: 'host' }],
    ['an id that is a number', { sub: '', id: 0 }, '0', [], { auth: 'host' }],
    ['userId', { userId: 'c', username: 'd', iss: 'i' }, 'c', [], { auth: 'host', issuer: 'i' }],
    ['username', { username: 'd', iss: 5 }, 'd', [], { auth: 'host' }],
    ['roles and scopes', { id: 'a', roles: ['r', '', 5], scopes: 's  t', scope: ['u'] }, 'a', ['r', 's', 't', 'u'], { auth: 'host' }], // prettier-ignore
  ])('is named by %s', (_what, user, id, roles, attributes) => {
    const found = principalOfUser(user);
    expect([found?.id, [...(found?.roles ?? [])], found?.attributes]).toEqual([id, ['default', ...roles], attributes]);
  });

  it.each([[{}], [{ id: '' }], [{ id: {} }], [null], ['ana'], [5]])('is nobody: %j', (user) => {
    expect(principalOfUser(user)).toBeUndefined();
  });
});
