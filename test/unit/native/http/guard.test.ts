import { ConfigurationError, OriginHostGuard } from 'cartouche';

const status = (guard: OriginHostGuard, host: string | undefined, origin?: string) =>
  guard.check(host, origin)?.status ?? 200;

describe('a guard with its defaults', () => {
  const guard = new OriginHostGuard();

  it.each([
    ['localhost', undefined, 200],
    ['localhost:3000', undefined, 200],
    ['LOCALHOST:3000', undefined, 200],
    ['127.0.0.1:65535', undefined, 200],
    ['[::1]:80', undefined, 200],
    ['[::1]', undefined, 200],
    ['evil.example', undefined, 421],
    ['evil.example:3000', 'http://evil.example:3000', 421],
    ['localhost.evil.example', undefined, 421],
    ['127.0.0.1.evil.example', undefined, 421],
    ['localhost:x', undefined, 421],
    ['localhost@evil.example', undefined, 421],
    ['', undefined, 421],
    [undefined, undefined, 421],
    ['localhost:3000', 'http://localhost:3000', 200],
    ['localhost:3000', 'http://localhost:5173', 200],
    ['localhost:3000', 'https://127.0.0.1', 200],
    ['localhost:3000', 'null', 403],
    ['localhost:3000', '', 403],
    ['localhost:3000', 'http://evil.example', 403],
    ['localhost:3000', 'http://localhost.evil.example', 403],
    ['localhost:3000', 'http://localhost:3000.evil.example', 403],
    ['localhost:3000', 'file://localhost', 403],
  ])('host %j and origin %j: %d', (host, origin, expected) => {
    expect(status(guard, host, origin)).toBe(expected);
  });

  it('names the setting that would let a request pass', () => {
    expect(guard.check('evil.example', undefined)?.message).toContain('allowedHosts');
    expect(guard.check('localhost', 'https://a.example')?.message).toContain('allowedOrigins');
  });

  it('echoes nothing that a terminal or header would act on', () => {
    expect(guard.check('a\u001b[31m', undefined)?.message).toContain("'a?[31m'");
  });
});

describe('a guard that was told more', () => {
  const guard = new OriginHostGuard({
    allowedHosts: ['mcp.example', 'other.example:8443', 'any.example:*'],
    allowedOrigins: ['https://app.example', 'https://dev.example:*'],
  });

  it.each([
    ['mcp.example', undefined, 200],
    ['mcp.example:443', undefined, 200],
    ['other.example:8443', undefined, 200],
    ['other.example', undefined, 421],
    ['any.example:1', undefined, 200],
    ['localhost', undefined, 421],
    ['mcp.example', 'https://mcp.example', 200],
    ['mcp.example', 'https://app.example', 200],
    ['mcp.example', 'https://APP.example', 200],
    ['mcp.example', 'http://app.example', 403],
    ['mcp.example', 'https://app.example:444', 403],
    ['mcp.example', 'https://dev.example:444', 200],
    ['mcp.example', 'https://dev.example', 200],
    ['mcp.example', 'http://localhost:3000', 403],
  ])('host %j and origin %j: %d', (host, origin, expected) => {
    expect(status(guard, host, origin)).toBe(expected);
  });

  it('lets everything pass where it was told to', () => {
    const open = new OriginHostGuard({ allowedHosts: '*', allowedOrigins: '*' });
    expect(status(open, 'evil.example', 'null')).toBe(200);
  });

  it('refuses entries that can match nothing, all at once', () => {
    const make = () => new OriginHostGuard({ allowedHosts: ['https://a.example'], allowedOrigins: ['a.example'] });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/allowedHosts holds 'https:\/\/a\.example'/);
  });
});
