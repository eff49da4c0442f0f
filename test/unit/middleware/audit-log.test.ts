import { createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import {
  AccessDeniedError,
  auditLog,
  type AuditEntry,
  type AuditLogOptions,
  ConfigurationError,
  type McpLayer,
  type McpLayerOptions,
  Principal,
  RateLimitedError,
  RequestInfo,
  ToolError,
  ToolResult,
} from 'cartouche';
import { KeyedHash } from '../../../src/core/keyed-hash.js';
import { layerOf, MemoryLogger, principal } from '../../support/layers.js';

const SALT = 'a salt of some length';
const hmac = (value: unknown): string => createHmac('sha256', SALT).update(JSON.stringify(value)).digest('hex');
const hashed = (text: string): string => createHmac('sha256', SALT).update(text).digest('hex');
const wellFormed = (text: string): string => Buffer.from(text).toString();
const throws = (error: unknown) => () => {
  throw error;
};

function audited(options: Partial<AuditLogOptions> = {}, layerOptions: Partial<McpLayerOptions> = {}) {
  const entries: AuditEntry[] = [];
  const sink = options.path ?? options.stream ?? options.logger;
  const write = sink === undefined ? { write: (entry: AuditEntry) => void entries.push(entry) } : {};
  const layer = layerOf(
    (registry) => {
      const input = { type: 'object', properties: { a: {}, b: {} } };
      registry.tool({ name: 'echo', input }, (args) => args);
      registry.tool(
        { name: 'strict', input: { type: 'object', properties: { n: { type: 'integer' } } } },
        (args) => args,
      );
      registry.tool({ name: 'fails' }, throws(new ToolError('no')));
      registry.tool({ name: 'returns-error' }, () => ToolResult.error('no'));
      registry.tool({ name: 'throws' }, throws(new Error('postgres://u:pw@host')));
      registry.tool({ name: 'denied' }, throws(new AccessDeniedError('no')));
      registry.tool({ name: 'limited' }, throws(new RateLimitedError('no')));
      registry.tool({ name: 'hangs', timeoutMs: 10 }, () => new Promise(() => undefined));
      registry.resource({ uri: 'r://x' }, () => 'x');
      registry.resourceTemplate({ uriTemplate: 'r://t/{id}' }, ({ id }) => id);
      registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => ['x'] } }, () => 'x');
    },
    {
      clock: { now: () => 0, monotonic: () => performance.now() },
      defaultCapabilities: ['read_state'],
      middleware: [auditLog({ salt: SALT, ...write, ...options })],
      ...layerOptions,
    },
  );
  return { entries, layer };
}

const attempt = (request: Promise<unknown>): Promise<unknown> => request.catch(() => undefined);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartouche-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a line of the audit log', () => {
  test('says who asked for what, when, and how it ended', async () => {
    const { entries, layer } = audited();
    const context = {
      principal: principal('ann', 'default', 'admin'),
      requestId: 7,
      session: 's-1',
      info: new RequestInfo({ transport: 'http' }),
    };
    await layer.callTool('echo', { a: 'secret', b: [1, { y: 1, x: 2 }] }, { context });
    expect(entries).toEqual([
      {
        time: '1970-01-01T00:00:00.000Z',
        layer: 'test',
        kind: 'tool',
        name: 'echo',
        principal: 'ann',
        roles: ['default', 'admin'],
        transport: 'http',
        session: hashed('s-1'),
        request: 7,
        outcome: 'ok',
        durationMs: expect.any(Number),
        arguments: { a: hmac('secret'), b: hmac([1, { x: 2, y: 1 }]) },
      },
    ]);
  });

  test('names every outcome', async () => {
    const { entries, layer } = audited({}, {});
    await layer.callTool('echo');
    await layer.callTool('fails');
    await layer.callTool('returns-error');
    await layer.callTool('throws');
    await layer.callTool('denied');
    await layer.callTool('limited');
    await layer.callTool('strict', { n: 'x' });
    await layer.callTool('hangs');
    await attempt(layer.callTool('missing'));
    const controller = new AbortController();
    const hanging = layer.callTool('hangs', {}, { signal: controller.signal });
    controller.abort();
    await attempt(hanging);
    expect(entries.map(({ name, outcome, code, errorId }) => [name, outcome, code, errorId])).toEqual([
      ['echo', 'ok', undefined, undefined],
      ['fails', 'error', 'handler_error', undefined],
      ['returns-error', 'error', undefined, undefined],
      ['throws', 'exception', undefined, 'id-1'],
      ['denied', 'denied', -31001, undefined],
      ['limited', 'rate_limited', -31029, undefined],
      ['strict', 'rejected', -32602, undefined],
      ['hangs', 'error', 'timeout', undefined],
      [`#${hashed('missing')}`, 'rejected', -32602, undefined],
      ['hangs', 'cancelled', -32603, undefined],
    ]);
  });

  test('has the id under which the log has the exception, and the client is told it', async () => {
    const logger = new MemoryLogger();
    const { entries, layer } = audited({}, { logger });
    const result = await layer.callTool('throws');
    const id = entries[0]?.errorId as string;
    expect(JSON.stringify(result.toWire())).toContain(id);
    expect(logger.lines[0]?.fields['errorId']).toBe(id);
    expect(JSON.stringify(entries)).not.toContain('pw');
  });

  test('an exception that the error hook maps is no exception', async () => {
    const { entries, layer } = audited({}, { onError: () => new ToolError('Try later.') });
    await layer.callTool('throws');
    expect(entries[0]).toMatchObject({ outcome: 'error', code: 'handler_error' });
  });

  test('covers every kind but lists, and lists where asked to', async () => {
    const { entries, layer } = audited();
    await layer.readResource('r://x');
    await layer.readResource('r://t/hunter2');
    await layer.getPrompt('p', { a: 'hunter2' });
    await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: 'hunter2' });
    await layer.list('tools');
    expect(entries.map(({ kind, name, arguments: hashes }) => [kind, name, hashes])).toEqual([
      ['resource', 'r://x', {}],
      ['resource', 'r://t/{id}', { id: hmac('hunter2') }],
      ['prompt', 'p', { a: hmac('hunter2') }],
      ['completion', 'p#a', { a: hmac('hunter2') }],
    ]);
    const lists = audited({ kinds: ['list'] });
    await lists.layer.list('tools');
    await lists.layer.callTool('echo');
    expect(lists.entries.map(({ kind, name }) => [kind, name])).toEqual([['list', 'tools']]);
  });

  test.each([
    ['a number', 7, 7],
    ['a short plain text', 'req_1:a-b.c', 'req_1:a-b.c'],
    ['a text of 64 characters', 'x'.repeat(64), 'x'.repeat(64)],
    ['a longer one', 'x'.repeat(65), `#${hashed('x'.repeat(65))}`],
    ['what ends a line elsewhere', 'a\u2028b', `#${hashed('a\u2028b')}`],
    ['what turns text round', '\u202eb', `#${hashed('\u202eb')}`],
    ['what looks like a part of the line', '","outcome":"ok', `#${hashed('","outcome":"ok')}`],
  ])('names its request as the client did where that is %s, else by a hash', async (_what, requestId, shown) => {
    const { entries, layer } = audited();
    await layer.callTool('echo', {}, { context: { requestId } });
    expect(entries[0]?.request).toBe(shown);
  });

  test('what a client made up is hashed or counted', async () => {
    const { entries, layer } = audited();
    await attempt(layer.callTool('sk-live-1234'));
    await attempt(layer.callTool('a name with spaces'));
    await attempt(layer.readResource('r://unknown/secret'));
    await attempt(layer.complete({ type: 'ref/prompt', name: 'secret' }, { name: 'secret', value: 'secret' }));
    await layer.callTool('strict', { secret: 1, n: 2 });
    expect(entries.map(({ name, arguments: hashes, undeclared }) => [name, hashes, undeclared])).toEqual([
      [`#${hashed('sk-live-1234')}`, {}, undefined],
      [`#${hashed('a name with spaces')}`, {}, undefined],
      [`#${hashed('r://unknown/secret')}`, {}, undefined],
      [`#${hashed('secret#secret')}`, {}, undefined],
      ['strict', { n: hmac(2) }, 1],
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  test('names that an argument of a completion was given are shown where they are declared, else hashed', async () => {
    const { entries, layer } = audited();
    await attempt(layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'secret', value: 'x' }));
    await attempt(layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'secret#a', value: 'x' }));
    expect(entries.map(({ name, arguments: hashes }) => [name, hashes])).toEqual([
      [`#${hashed('p#secret')}`, {}],
      [`#${hashed('p#secret#a')}`, {}],
    ]);
  });

  test('no line grows with what a client or its token says', async () => {
    const lines: string[] = [];
    const stream = new PassThrough().on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    const { layer } = audited({ stream });
    const huge = 'x'.repeat(3_000_000);
    const caller = new Principal({ id: huge, roles: [huge, ...Array.from({ length: 10_000 }, (_, i) => `role ${i}`)] });
    await layer.callTool('echo', { [huge]: huge }, { context: { requestId: huge, session: huge }, principal: caller });
    await attempt(layer.callTool(huge, {}, { principal: caller }));
    await attempt(layer.readResource(`r://${huge}`, { principal: caller }));
    await layer.close();
    expect(
      lines
        .join('')
        .split('\n')
        .map(({ length }) => length < 4000),
    ).toEqual([true, true, true, true]);
    const { principal: id, roles } = JSON.parse(lines.join('').split('\n')[0] as string) as AuditEntry;
    expect([id, roles[0], roles[1], roles.length]).toEqual([`#${hashed(huge)}`, `#${hashed(huge)}`, 'role 0', 101]);
  });

  test('a line is one line to everybody, and is read in one direction', async () => {
    const lines: string[] = [];
    const stream = new PassThrough().on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    const { layer } = audited({ stream });
    const id = 'a\u2028b\u2029c\u202ed\u2066e\u200bf\u0085g\u007fh\u{e0041}i\ufeffj\u3164ké漢';
    await layer.callTool('echo', {}, { principal: new Principal({ id, roles: [`r${id}`] }) });
    await layer.close();
    expect(lines.join('')).toContain(
      '"a\\u2028b\\u2029c\\u202ed\\u2066e\\u200bf\\u0085g\\u007fh\\udb40\\udc41i\\ufeffj\\u3164ké漢"',
    );
    expect(JSON.parse(lines.join(''))).toMatchObject({ principal: id, roles: [`r${id}`] });
  });

  test('no argument value is ever in it', async () => {
    const { entries, layer } = audited();
    // A sign that no line has any other use for.
    const secret = fc.string({ maxLength: 30, unit: 'binary' }).map((text) => `∎${text}∎`);
    const value = fc.oneof(
      secret,
      secret.map((text) => [text]),
      secret.map((text) => ({ [text]: text })),
      fc.tuple(secret, secret).map(([a, b]) => ({ deep: [{ a }, b] })),
    );
    await fc.assert(
      fc.asyncProperty(value, value, secret, async (a, b, key) => {
        entries.length = 0;
        await layer.callTool('echo', { a, b, [key]: b });
        await layer.callTool('strict', { n: a });
        await layer.callTool('throws', { a });
        await attempt(layer.getPrompt('p', { a }));
        await attempt(layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: key }));
        await attempt(layer.readResource(`r://t/${encodeURIComponent(wellFormed(key))}`));
        await attempt(layer.readResource(`r://unknown/${encodeURIComponent(wellFormed(key))}`));
        expect(entries).toHaveLength(7);
        const shown = JSON.stringify(entries);
        expect(shown).not.toContain('∎');
        expect(shown).not.toContain(encodeURIComponent('∎'));
      }),
    );
  });

  test('arguments that JSON cannot say are hashed all the same', async () => {
    const { entries, layer } = audited();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await layer.callTool('echo', { a: new Date(0), b: cycle });
    expect(entries[0]?.arguments).toEqual({ a: hmac('1970-01-01T00:00:00.000Z'), b: hashed('object') });
  });
});

describe('the salt', () => {
  const withSalt = (value: string | undefined, work: () => void): void => {
    const before = process.env['CARTOUCHE_AUDIT_SALT'];
    if (value === undefined) delete process.env['CARTOUCHE_AUDIT_SALT'];
    else process.env['CARTOUCHE_AUDIT_SALT'] = value;
    try {
      work();
    } finally {
      if (before === undefined) delete process.env['CARTOUCHE_AUDIT_SALT'];
      else process.env['CARTOUCHE_AUDIT_SALT'] = before;
    }
  };
  const hashOf = async (layer: McpLayer, entries: AuditEntry[]): Promise<string | undefined> => {
    await layer.callTool('echo', { a: 1 });
    return entries.at(-1)?.arguments['a'];
  };

  test('comes from the environment', async () => {
    let made!: ReturnType<typeof audited>;
    withSalt('a salt of the environment', () => (made = audited({ salt: undefined })));
    expect(await hashOf(made.layer, made.entries)).toBe(
      createHmac('sha256', 'a salt of the environment').update('1').digest('hex'),
    );
  });

  test('is random without one, and that is said once', async () => {
    const logger = new MemoryLogger();
    let one!: ReturnType<typeof audited>;
    let other!: ReturnType<typeof audited>;
    withSalt(undefined, () => {
      one = audited({ salt: undefined }, { logger });
      other = audited({ salt: undefined });
    });
    expect(await hashOf(one.layer, one.entries)).not.toBe(await hashOf(other.layer, other.entries));
    expect(await hashOf(one.layer, one.entries)).toBe(await hashOf(one.layer, one.entries));
    expect(logger.lines.filter(({ message }) => message.includes('random key'))).toHaveLength(1);
  });

  test('must be long enough', () => {
    expect(() => auditLog({ write: () => undefined, salt: 'short' })).toThrow('salt is too short');
    withSalt('short', () =>
      expect(() => auditLog({ write: () => undefined })).toThrow('CARTOUCHE_AUDIT_SALT is too short'),
    );
  });
});

describe('KeyedHash', () => {
  test('is HMAC-SHA256 for every key and text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 300 }), (key, text) => {
        const hash = new KeyedHash(key);
        const expected = createHmac('sha256', key).update(text).digest('hex');
        expect([hash.digest(text), hash.digest(text)]).toEqual([expected, expected]);
      }),
    );
  });

  test('and for text keys, which have a shorter way', () => {
    for (const key of ['', 'x', SALT, 'k'.repeat(64), 'k'.repeat(65), 'ключ']) {
      expect(new KeyedHash(Buffer.from(key)).digest('text')).toBe(
        createHmac('sha256', key).update('text').digest('hex'),
      );
    }
  });
});

describe('where the lines go', () => {
  test('a file, which only its owner may read', async () => {
    const path = join(folder, 'new.log');
    const { layer } = audited({ path });
    for (let i = 0; i < 500; i++) await layer.callTool('echo', { a: i });
    await layer.close();
    const lines = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(lines.map((line) => line.arguments['a'])).toEqual(Array.from({ length: 500 }, (_, i) => hmac(i)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a file that was there is appended to, and closed to others', async () => {
    const path = join(folder, 'old.log');
    writeFileSync(path, 'before\n');
    chmodSync(path, 0o644);
    const { layer } = audited({ path });
    await layer.callTool('echo');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(readFileSync(path, 'utf8')).toMatch(/^before\n\{"time":.*\}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await layer.close();
  });

  test('a file that cannot be opened is found when the layer is built', () => {
    expect(() => audited({ path: join(folder, 'no', 'such', 'folder') })).toThrow(ConfigurationError);
  });

  test('a full disk costs lines, never a call, and is said once', async () => {
    const logger = new MemoryLogger();
    const { layer } = audited({ path: '/dev/full' }, { logger });
    for (let i = 0; i < 3; i++) {
      expect((await layer.callTool('echo')).isError).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await layer.close();
    expect(logger.lines.map(({ message }) => message)).toEqual(['auditLog: lines are lost']);
  });

  test('a stream, which stays open', async () => {
    const stream = new PassThrough();
    const { layer } = audited({ stream });
    await layer.callTool('echo', { a: 1 });
    expect(JSON.parse(String(stream.read()))).toMatchObject({ name: 'echo', arguments: { a: hmac(1) } });
    await layer.close();
    expect(stream.writableEnded).toBe(false);
    expect(stream.listenerCount('error')).toBe(0);
  });

  test('a stream that fails or has ended costs lines, never a call', async () => {
    for (const stream of [
      new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) }),
      new PassThrough().end(),
    ]) {
      const logger = new MemoryLogger();
      const { layer } = audited({ stream }, { logger });
      for (let i = 0; i < 3; i++) {
        expect((await layer.callTool('echo')).isError).toBe(false);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await layer.close();
      expect(logger.lines.filter(({ message }) => message === 'auditLog: lines are lost')).toHaveLength(1);
    }
  });

  test("a logger: one's own, or the layer's", async () => {
    const own = new MemoryLogger();
    await audited({ logger: own }).layer.callTool('echo', { a: 1 });
    const ofLayer = new MemoryLogger();
    await audited({ logger: true }, { logger: ofLayer }).layer.callTool('echo', { a: 1 });
    for (const { lines } of [own, ofLayer])
      expect(lines).toMatchObject([
        { level: 'info', message: 'audit', fields: { name: 'echo', arguments: { a: hmac(1) } } },
      ]);
  });

  test.each([throws(new Error('x')), async () => Promise.reject(new Error('x'))])(
    'a function that fails costs lines, never a call (%#)',
    async (write) => {
      const logger = new MemoryLogger();
      const { layer } = audited({ write: write }, { logger });
      for (let i = 0; i < 3; i++) expect((await layer.callTool('echo')).isError).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      expect(logger.lines.map(({ message }) => message)).toEqual(['auditLog: lines are lost']);
    },
  );

  test.each<[unknown, string]>([
    [{}, 'nowhere to write'],
    [{ path: 'a', logger: true }, 'path and logger at once'],
    [{ path: '' }, 'path is empty'],
    [{ stream: {} }, 'stream lacks write()'],
    [{ logger: 'console' }, 'logger lacks info()'],
    [{ write: 5 }, 'write must be a function'],
    [{ logger: true, kinds: ['tools'] }, "knows no 'tools'"],
    [{ logger: true, salted: 'x' }, "Did you mean 'salt'?"],
    [undefined, 'the options must be an object'],
  ])('%p is a mistake', (options, message) => {
    expect(() => auditLog(options as AuditLogOptions)).toThrow(ConfigurationError);
    expect(() => auditLog(options as AuditLogOptions)).toThrow(message);
  });
});
