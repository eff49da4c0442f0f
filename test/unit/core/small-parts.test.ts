import { runInNewContext } from 'node:vm';
import { BUILT_IN_CLASSES, isClass } from '../../../src/core/class.js';
import { guarded, RANDOM_IDS, STDERR_LOGGER, SYSTEM_CLOCK } from '../../../src/core/defaults.js';
import { isStandardSchema } from '../../../src/core/json-schema.js';
import { ALLOW_ALL } from '../../../src/core/ports.js';
import { scopesOf } from '../../../src/core/access-token.js';
import { canonicalJson } from '../../../src/core/canonical-json.js';
import { type Capability, deriveHints, type ToolHints } from '../../../src/core/capabilities.js';
import { extensionProblems } from '../../../src/core/extension-problems.js';
import { forget, isPromise, isRecord } from '../../../src/core/guards.js';
import { causeOfLostType } from '../../../src/core/lost-type.js';
import { NAME_PATTERN, PREFIX_PATTERN, snakeCase } from '../../../src/core/names.js';
import { defaultPrincipal, Principal, principalOfToken, principalProblem, RequestInfo } from '../../../src/core/principal.js'; // prettier-ignore
import { readableJson } from '../../../src/core/readable-json.js';

const run = (): void => undefined;

describe('hints that capabilities answer', () => {
  const of = (readOnly: boolean, idempotent: true | undefined, openWorld: boolean): ToolHints => ({ readOnly, destructive: false, idempotent, openWorld }); // prettier-ignore

  test.each<[Capability[], ToolHints]>([
    [[], of(true, true, false)],
    [['read_state'], of(true, true, false)],
    [['read_fs'], of(true, true, false)],
    [['reveal'], of(true, true, false)],
    [['write_state'], of(false, undefined, false)],
    [['write_fs'], of(false, undefined, false)],
    [['exec'], of(false, undefined, true)],
    [['cloud_access'], of(true, undefined, true)],
  ])('%j', (capabilities, hints) => {
    expect(deriveHints(new Set(capabilities), {})).toEqual(hints);
    const declared = { readOnly: !hints.readOnly, destructive: true, idempotent: false, openWorld: !hints.openWorld };
    expect(deriveHints(new Set(capabilities), declared)).toEqual(declared);
  });

  test('are left alone where nobody declared any', () => {
    expect(deriveHints(undefined, { openWorld: true })).toEqual({ openWorld: true });
  });
});

describe('canonical JSON text', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  test.each<[string, unknown, string | undefined]>([
    [
      'keys in any order',
      { b: [1, 'x', true, false, null], a: { d: 1, c: 2 } },
      '{"a":{"c":2,"d":1},"b":[1,"x",true,false,null]}',
    ],
    ['nothing in them', [[], {}], '[[],{}]'],
    ['a key without a value', { a: undefined, b: 1 }, '{"b":1}'],
    ['a key to be escaped', { '"': 1 }, '{"\\"":1}'],
    ['no prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['an object of another realm', runInNewContext('({ a: 1 })'), '{"a":1}'],
    ['NaN', [Number.NaN], undefined],
    ['infinity', { a: Infinity }, undefined],
    ['a bigint', 1n, undefined],
    ['undefined', undefined, undefined],
    ['undefined in a list', [undefined], undefined],
    ['a date', new Date(0), undefined],
    ['an instance', new (class A {})(), undefined],
    ['what has one for its prototype', Object.create({ a: 1 }), undefined],
    ['200 levels', nested(200), `${'['.repeat(200)}1${']'.repeat(200)}`],
    ['201 levels', nested(201), undefined],
  ])('of %s', (_name, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

test.each([
  ['countAssets', 'count_assets'],
  ['parseHTTPBody', 'parse_http_body'],
  ['HTTPServer', 'http_server'],
  ['getA1B2', 'get_a1_b2'],
  ['already_snake', 'already_snake'],
  ['x', 'x'],
])('%s in snake_case is %s', (name, snake) => {
  expect(snakeCase(name)).toBe(snake);
});

test('names and prefixes have only so many characters, and only these', () => {
  const names = ['', 'aZ0_.-', 'a'.repeat(128), 'a'.repeat(129), 'a b', 'a/b', 'é', 'a\n'];
  expect(names.map((name) => NAME_PATTERN.test(name))).toEqual([false, true, true, false, false, false, false, false]);
  const prefixes = ['', 'aZ0_.-', 'a'.repeat(64), 'a'.repeat(65), ' a', 'a '];
  expect(prefixes.map((name) => PREFIX_PATTERN.test(name))).toEqual([true, true, true, false, false, false]);
});

test('JSON text for readers of lines escapes what ends, hides or turns round a line, and nothing else', () => {
  expect(readableJson('{"a":"b ~"}')).toBe('{"a":"b ~"}');
  expect(readableJson('é日😀')).toBe('é日😀');
  expect(readableJson('a\u2028b\u2029c\u202Ed\u200Be\u0085\u{E0001}')).toBe(
    'a\\u2028b\\u2029c\\u202ed\\u200be\\u0085\\udb40\\udc01',
  );
});

test('records, promises, and types that say nothing', async () => {
  expect([{}, [], null, 'a', run].map(isRecord)).toEqual([true, false, false, false, false]);
  expect([Promise.resolve(), { then: run }, { then: 1 }, null, run, 'a'].map(isPromise)).toEqual([true, true, false, false, false, false]); // prettier-ignore
  forget(Promise.reject(new Error('nobody waits for it')));
  await new Promise(setImmediate);
  expect([Function, Object, Date].map(causeOfLostType)).toEqual([
    expect.stringContaining('what "import type" leaves'),
    expect.stringContaining('an interface'),
    '',
  ]);
});

describe('who is calling', () => {
  const ana = new Principal({ id: 'ana' });

  test.each<[string, ConstructorParameters<typeof RequestInfo>[0], string, string[]]>([
    ['what was set in front', { transport: 'http', principal: ana, accessToken: { sub: 'ben' } }, 'ana', ['default']],
    [
      'whom a token is for',
      { transport: 'stdio', accessToken: { sub: 'ben', scopes: ['a'] } },
      'ben',
      ['default', 'a'],
    ],
    ['its client', { transport: 'http', accessToken: { azp: 'app' } }, 'app', ['default']],
    [
      'nobody it names',
      { transport: 'http', accessToken: { sub: '', clientId: 5 as never } },
      'oauth-client',
      ['default'],
    ],
    ['the user of stdio', { transport: 'stdio' }, 'local', ['default', 'local']],
    ['the user in memory', { transport: 'memory' }, 'local', ['default', 'local']],
    ['nobody over HTTP', { transport: 'http' }, 'anonymous', ['default']],
    ['nobody over SSE', { transport: 'sse' }, 'anonymous', ['default']],
    ['nobody from elsewhere', { transport: 'unknown' }, 'anonymous', ['default']],
  ])('is %s', (_name, init, id, roles) => {
    const { id: found, roles: has } = defaultPrincipal(new RequestInfo(init));
    expect([found, [...has]]).toEqual([id, roles]);
  });

  test.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc  ', 'abc'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer a b', undefined],
    ['xBearer abc', undefined],
    ['Basic abc', undefined],
    [undefined, undefined],
  ])('is told by a token: %s', (authorization, token) => {
    const info = new RequestInfo({ transport: 'http', headers: { authorization } });
    expect([info.bearerToken, info.header('AUTHORIZATION')]).toEqual([token, authorization]);
  });

  test('has the issuer before it where that is wanted and known', () => {
    expect(principalOfToken({ sub: 'ana', iss: 'https://a' }, true).id).toBe('https://a#ana');
    expect(principalOfToken({ sub: 'ana', iss: 'https://a' }).id).toBe('ana');
    expect(principalOfToken({ sub: 'ana' }, true).id).toBe('ana');
    expect(principalOfToken({ extra: { userId: 'ana', iss: 'i' }, client_id: 'c' }).attributes).toEqual({ auth: 'oauth', issuer: 'i', subject: 'ana', clientId: 'c', scopes: [] }); // prettier-ignore
    expect(principalOfToken({ extra: null }).attributes).toEqual({ auth: 'oauth', scopes: [] });
  });

  test('has what is known, and more of it later', () => {
    const info = new RequestInfo({
      transport: 'http',
      headers: { a: 'b' },
      sessionId: 's',
      clientInfo: { name: 'c' },
      raw: 1,
    });
    const more = info.with({ principal: ana });
    expect(more).toBeInstanceOf(RequestInfo);
    expect(Object.assign({}, more)).toEqual(Object.assign({}, info, { principal: ana }));
    expect(Object.assign({}, info)).toEqual({ transport: 'http', headers: { a: 'b' }, sessionId: 's', clientInfo: { name: 'c' }, raw: 1, accessToken: undefined, principal: undefined }); // prettier-ignore
    expect(new RequestInfo({ transport: 'http' }).headers).toEqual({});
  });

  test('must be somebody', () => {
    expect([ana, { key: 'a', roles: new Set() }].map(principalProblem)).toEqual([undefined, undefined]);
    const nobody = [undefined, null, 'ana', { key: 'a' }, { roles: new Set() }, { key: 'a', roles: [] }];
    expect(nobody.map(principalProblem)).toEqual(
      nobody.map(() => expect.stringContaining('must be a Principal. Pass')),
    );
  });

  test('may do what its scopes say, where they are texts', () => {
    const given = [['a'], 'a  b ', '', [], ['a', ''], ['a', 1], 5];
    expect(given.map((scope) => scopesOf({ scope }))).toEqual([
      ['a'],
      ['a', 'b'],
      [],
      [],
      undefined,
      undefined,
      undefined,
    ]);
    expect([scopesOf({}), scopesOf({ scopes: ['x'], scope: 'y' })]).toEqual([[], ['x']]);
  });
});

describe('what is wrong with extensions', () => {
  const id = 'com.example/a';
  const at = 'McpLayer: extensions[0]';
  const badId = (given: unknown): string => `${at}: id '${String(given)}' is not a valid id. Use a domain of your own in reverse and a name: 'com.example/tasks'. [CT108]`; // prettier-ignore

  test.each<[string, unknown, readonly string[]]>([
    ['nothing', [{ id, eras: ['modern'], settings: run, methods: [{ name: 'a/b', run, eras: ['handshake', 'modern'], nameParam: 'n' }], around: { x: run }, listen: { y: run }, start: run, close: run }], []], // prettier-ignore
    ['no list', undefined, []],
    ['something else', [5], [`${at} must be an object. Pass an Extension. [CT108]`]],
    ['null', [null], [`${at} must be an object. Pass an Extension. [CT108]`]],
    ['no id', [{}], [badId(undefined)]],
    [
      'eras',
      [{ id, eras: [] }],
      [`${at} '${id}': eras must be a list of eras. Pass 'handshake', 'modern' or both. [CT103]`],
    ],
    [
      'an era',
      [{ id, eras: ['old'] }],
      [`${at} '${id}': eras must be a list of eras. Pass 'handshake', 'modern' or both. [CT103]`],
    ],
    [
      'functions',
      [{ id, around: { a: 1 } }],
      [`${at} '${id}': around must be an object of functions. Pass one, by name. [CT103]`],
    ],
    [
      'no functions',
      [{ id, listen: null }],
      [`${at} '${id}': listen must be an object of functions. Pass one, by name. [CT103]`],
    ],
    ['methods', [{ id, methods: 5 }], [`${at} '${id}': methods must be a list. Pass an array. [CT103]`]],
    [
      'a method',
      [{ id, methods: [null] }],
      ['name', 'run'].map((key) => `${at} '${id}': methods[0]: no ${key}. Pass one. [CT108]`),
    ],
    ['parts of a method', [{ id, methods: [{ name: '', run: 1 }] }], [`${at} '${id}': methods[0]: name is empty. Pass a name. [CT103]`, `${at} '${id}': methods[0]: run must be a function. Pass one. [CT103]`]], // prettier-ignore
    [
      'what two of them claim',
      [
        { id, methods: [{ name: 'm', run }], listen: { k: run }, around: { w: run } },
        { id: 'com.example/b', methods: [{ name: 'm', run }], listen: { k: run }, around: { w: run } },
        { id },
        { id: 'com.example/c' },
      ],
      [
        `McpLayer: extensions[1]: the method 'm' is taken by '${id}'. Leave one of them out. [CT109]`,
        `McpLayer: extensions[1]: the listen key 'k' is taken by '${id}'. Leave one of them out. [CT109]`,
        `McpLayer: extensions[2]: the id '${id}' is taken by '${id}'. Leave one of them out. [CT109]`,
      ],
    ],
  ])('%s', (_name, extensions, problems) => {
    expect(extensionProblems(extensions)).toEqual(problems);
  });

  test.each([
    ...['a/b', 'com.example/a', 'com.ex-ample/a.b-c_d', 'c0m/0'].map((given) => [given, true] as const),
    ...['a', '/a', 'a/', 'a/b/c', '1a/b', 'a-/b', 'a..b/c', 'a/-b', 'a/b-', 'a/b\n', ' a/b'].map((given) => [given, false] as const), // prettier-ignore
  ])('the id %j is right: %s', (given, right) => {
    expect(extensionProblems([{ id: given }])).toEqual(right ? [] : [badId(given)]);
  });
});

test('classes and standard schemas are told from what only looks like one', () => {
  const old = function (): void {}; // what transpilers leave of a class
  expect([class {}, Date, old, run, { prototype: {} }, null, parseInt].map(isClass)).toEqual([true, true, true, false, false, false, false]); // prettier-ignore
  expect([Date, Object, Promise, RANDOM_IDS, class {}].map((cls) => BUILT_IN_CLASSES.has(cls))).toEqual([true, true, true, false, false]); // prettier-ignore
  const standard = { '~standard': {} };
  expect([standard, Object.assign(() => 1, standard), {}, run, null, 'a', { '~standard': 1 }].map(isStandardSchema)).toEqual([true, true, false, false, false, false, false]); // prettier-ignore
});

describe('what holds where nobody says otherwise', () => {
  test('lines of a log go to standard error, as JSON that a line can hold; debug messages nowhere', () => {
    const lines: unknown[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(text) > 0);
    try {
      STDERR_LOGGER.debug('a');
      STDERR_LOGGER.info('a');
      STDERR_LOGGER.warn('b', { c: 'd\u2028' });
      STDERR_LOGGER.error('e', { n: 1n });
    } finally {
      write.mockRestore();
    }
    expect(lines).toEqual(['cartouche info: a\n', 'cartouche warning: b {"c":"d\\u2028"}\n', 'cartouche error: e { n: 1n }\n']); // prettier-ignore
  });

  test('a logger that throws loses what it was to write, and nothing else', () => {
    const said: unknown[] = [];
    const failing = (...given: unknown[]): void => {
      said.push(given);
      throw new Error('full');
    };
    const logger = guarded({ debug: failing, info: failing, warn: failing, error: failing });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level, { a: 1 });
    expect(said).toEqual(['debug', 'info', 'warn', 'error'].map((level) => [level, { a: 1 }]));
  });

  test('everybody may do everything, clocks go on, and ids differ', () => {
    const [principal] = [Principal.anonymous()];
    expect([ALLOW_ALL.scopeOf(principal), ALLOW_ALL.decide({} as never, principal)]).toEqual(['', { allowed: true }]);
    expect(Math.abs(SYSTEM_CLOCK.now() - Date.now())).toBeLessThan(1000);
    expect(SYSTEM_CLOCK.monotonic()).toBeLessThanOrEqual(SYSTEM_CLOCK.monotonic());
    const ids = [RANDOM_IDS.next(), RANDOM_IDS.next()];
    expect([new Set(ids).size, ids.every((id) => /^[\w-]{10}$/.test(id))]).toEqual([2, true]);
  });
});
