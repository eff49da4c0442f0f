import fc from 'fast-check';
import {
  cache,
  type CacheEntry,
  type CacheOptions,
  type CacheStore,
  ConfigurationError,
  type McpLayerOptions,
  MemoryCacheStore,
  type Policy,
  Principal,
  RateLimitedError,
  type Registry,
  ToolError,
  ToolResult,
} from 'cartouche';
import { deferred, layerOf, MemoryLogger, principal } from '../../support/layers.js';

function counting(
  options: CacheOptions = {},
  layerOptions: Partial<McpLayerOptions> = {},
  more: (registry: Registry) => void = () => undefined,
) {
  const seen = { runs: 0, now: 1_000_000 };
  const clock = { now: () => seen.now, monotonic: () => performance.now() };
  const layer = layerOf(
    (registry) => {
      const run = (args: unknown): object => ({ runs: ++seen.runs, args });
      registry.tool({ name: 'read' }, run);
      registry.tool({ name: 'write', capabilities: ['write_state'] }, () => 'written');
      registry.tool({ name: 'cloud', capabilities: ['cloud_access'] }, run);
      registry.resource({ uri: 'r://x' }, () => ({ runs: ++seen.runs }));
      registry.resourceTemplate({ uriTemplate: 'r://t/{id}' }, ({ id }) => ({ runs: ++seen.runs, id }));
      registry.prompt({ name: 'p' }, () => `${++seen.runs}`);
      more(registry);
    },
    { clock, defaultCapabilities: ['read_state'], middleware: [cache(options)], ...layerOptions },
  );
  return { layer, seen };
}

const open = { type: 'object' };

describe('cache', () => {
  test('answers the same call again, and says so', async () => {
    const { layer, seen } = counting();
    const first = await layer.callTool('read');
    seen.now += 250;
    const second = await layer.callTool('read');
    expect(seen.runs).toBe(1);
    expect(second.structuredContent).toEqual(first.structuredContent);
    expect(first.meta).not.toHaveProperty('cartouche/cache');
    expect(second.meta).toEqual({
      'cartouche/cache': { hit: true, age_ms: 250 },
      'cartouche/duration_ms': expect.any(Number),
    });
  });

  test('tells apart callers, roles, names and arguments, but not the order of keys', async () => {
    const { layer, seen } = counting({}, {}, (registry) => {
      registry.tool({ name: 'other', input: open }, () => ++seen.runs);
      registry.tool({ name: 'args', input: open }, () => ++seen.runs);
    });
    const as = (id: string, ...roles: string[]) => ({ principal: principal(id, ...roles) });
    await layer.callTool('args', { a: 1, b: { c: [1], d: 2 } }, as('ann', 'x', 'y'));
    await layer.callTool('args', { b: { d: 2, c: [1] }, a: 1 }, as('ann', 'y', 'x'));
    expect(seen.runs).toBe(1);
    await layer.callTool('args', { a: 1, b: { c: [1], d: 2 } }, as('bob', 'x', 'y'));
    await layer.callTool('args', { a: 1, b: { c: [1], d: 2 } }, as('ann', 'x'));
    await layer.callTool('args', { a: 1, b: { c: [1, 1], d: 2 } }, as('ann', 'x', 'y'));
    await layer.callTool('args', { a: '1', b: { c: [1], d: 2 } }, as('ann', 'x', 'y'));
    await layer.callTool('other', { a: 1, b: { c: [1], d: 2 } }, as('ann', 'x', 'y'));
    expect(seen.runs).toBe(6);
  });

  test('tells apart those whom the policy shows different things, and shares nothing where it has no word for it', async () => {
    const hr = (value: boolean | undefined) => ({
      principal: new Principal({ id: 'ann', attributes: { hr: value } }),
    });
    const policy: Policy = {
      name: 'hr',
      scopeOf: ({ attributes }) => (typeof attributes['hr'] === 'boolean' ? String(attributes['hr']) : undefined),
      decide: () => ({ allowed: true }),
      pipeline: (_primitive, { attributes }) => ({
        output: (value) => (attributes['hr'] === true ? value : { masked: true }),
      }),
    };
    const { layer, seen } = counting({}, { policy });
    expect((await layer.callTool('read', {}, hr(true))).structuredContent).toEqual({ runs: 1, args: {} });
    expect((await layer.callTool('read', {}, hr(false))).structuredContent).toEqual({ masked: true });
    expect((await layer.callTool('read', {}, hr(true))).structuredContent).toEqual({ runs: 1, args: {} });
    expect(seen.runs).toBe(2);
    for (let i = 0; i < 2; i++) await layer.callTool('read', {}, hr(undefined));
    expect(seen.runs).toBe(4);
  });

  test.each([
    ['a promise', () => Promise.reject(new Error('later'))],
    ['no text', () => 5],
  ])('a policy whose scope is %s keeps nothing: the call says so', async (what, scopeOf) => {
    const policy = { name: 'hr', scopeOf: scopeOf as never, decide: () => ({ allowed: true }) as const };
    const { layer, seen } = counting({}, { policy });
    await expect(layer.callTool('read')).resolves.toMatchObject({ isError: true });
    expect(() => layer.listTools()).toThrow(
      `policy 'hr': scopeOf returned ${what}. Return text, or undefined. [CT911]`,
    );
    expect(seen.runs).toBe(0);
  });

  test('tells apart people of one id from different issuers', async () => {
    const { layer, seen } = counting();
    for (const issuer of ['https://a.example', 'https://b.example', 'https://a.example'])
      await layer.callTool('read', {}, { principal: new Principal({ id: 'ann', attributes: { issuer } }) });
    expect(seen.runs).toBe(2);
  });

  test('whatever the arguments are, a hit is what the handler gave for them', async () => {
    const { layer } = counting(
      {},
      {},
      (registry) => void registry.tool({ name: 'echo', input: open }, (args) => ({ args })),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (args) => {
        const plain = JSON.parse(JSON.stringify(args)) as object;
        const results = [await layer.callTool('echo', plain), await layer.callTool('echo', plain)];
        for (const { structuredContent, isError } of results) {
          if (!isError) expect(JSON.parse(JSON.stringify(structuredContent))).toEqual({ args: plain });
        }
      }),
    );
  });

  test('arguments that JSON cannot tell apart are not kept', async () => {
    const { layer, seen } = counting(
      {},
      {},
      (registry) => void registry.tool({ name: 'args', input: open }, () => ++seen.runs),
    );
    for (const value of [new Date(0), 1n, Number.NaN, new Map()]) {
      const before = seen.runs;
      await layer.callTool('args', { value });
      await layer.callTool('args', { value });
      expect(seen.runs - before).not.toBe(1);
    }
  });

  test('keeps nothing of tools that are not read-only and idempotent, nor of prompts', async () => {
    const { layer, seen } = counting();
    await layer.callTool('cloud');
    await layer.callTool('cloud');
    await layer.getPrompt('p');
    await layer.getPrompt('p');
    expect(seen.runs).toBe(4);
  });

  test('keeps resources only where asked to', async () => {
    const without = counting();
    await without.layer.readResource('r://x');
    await without.layer.readResource('r://x');
    expect(without.seen.runs).toBe(2);
    const { layer, seen } = counting({ resources: true });
    for (const uri of ['r://x', 'r://t/1', 'r://t/2']) {
      const first = await layer.readResource(uri);
      const second = await layer.readResource(uri);
      expect(second.map((contents) => contents.toWire())).toEqual(first.map((contents) => contents.toWire()));
    }
    expect(seen.runs).toBe(3);
  });

  test('keeps only what `include` lets it', async () => {
    const { layer, seen } = counting({ resources: true, include: ({ kind }) => kind === 'resource' });
    for (let i = 0; i < 2; i++) {
      await layer.callTool('read');
      await layer.readResource('r://x');
    }
    expect(seen.runs).toBe(3);
  });

  test('forgets after its time', async () => {
    const { layer, seen } = counting({ ttlMs: 100 });
    await layer.callTool('read');
    seen.now += 99;
    await layer.callTool('read');
    expect(seen.runs).toBe(1);
    seen.now += 1;
    await layer.callTool('read');
    expect(seen.runs).toBe(2);
  });

  test('forgets everything when something may have changed', async () => {
    const { layer, seen } = counting();
    const causes: (() => unknown)[] = [
      () => layer.callTool('write'),
      () => layer.notifyChange('resource', 'r://x'),
      () => layer.notifyChange('tools'),
      () => layer.registry.tool({ name: `new-${seen.runs}` }, () => 1),
    ];
    for (const [index, cause] of causes.entries()) {
      await layer.callTool('read');
      await layer.callTool('read');
      expect(seen.runs).toBe(index + 1);
      await cause();
      await Promise.resolve();
    }
    await layer.callTool('read');
    expect(seen.runs).toBe(causes.length + 1);
  });

  test('a write that fails in its handler clears too; one that was refused does not', async () => {
    const { layer, seen } = counting({}, {}, (registry) => {
      registry.tool({ name: 'half', capabilities: ['write_state'] }, () => {
        throw new Error('half way');
      });
      const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
      registry.tool({ name: 'strict', capabilities: ['write_state'], input }, () => 1);
    });
    await layer.callTool('read');
    await layer.callTool('strict', {});
    await layer.callTool('read');
    expect(seen.runs).toBe(1);
    await layer.callTool('half');
    await layer.callTool('read');
    expect(seen.runs).toBe(2);
  });

  test('an answer that was begun before a write is not kept after it', async () => {
    const gate = deferred();
    const { layer, seen } = counting({}, {}, (registry) => {
      registry.tool({ name: 'slow' }, async () => {
        const runs = ++seen.runs;
        await gate.promise;
        return runs;
      });
    });
    const slow = layer.callTool('slow');
    await layer.callTool('write');
    gate.resolve();
    expect((await slow).structuredContent).toEqual({ result: 1 });
    await layer.callTool('slow');
    expect(seen.runs).toBe(2);
  });

  test('a nested write clears', async () => {
    const { layer, seen } = counting({}, {}, (registry) => {
      registry.tool({ name: 'outer', capabilities: ['cloud_access'] }, (_args, ctx) =>
        ctx.layer.callTool('write', {}, { context: ctx }),
      );
    });
    await layer.callTool('read');
    await layer.callTool('outer');
    await layer.callTool('read');
    expect(seen.runs).toBe(2);
  });

  test('errors are never kept', async () => {
    const { layer, seen } = counting({}, {}, (registry) => {
      registry.tool({ name: 'throws' }, () => {
        seen.runs += 1;
        throw new ToolError('no');
      });
      registry.tool({ name: 'returns' }, () => {
        seen.runs += 1;
        return ToolResult.error('no');
      });
    });
    for (const name of ['throws', 'throws', 'returns', 'returns']) await layer.callTool(name);
    expect(seen.runs).toBe(4);
  });

  test('a hit passes the policy: access and limits', async () => {
    const state = { allowed: true, admitted: 0 };
    const policy: Policy = {
      name: 'p',
      scopeOf: () => '',
      decide: () => (state.allowed ? { allowed: true } : { allowed: false, hidden: false, reason: 'r' }),
      admit: () => {
        state.admitted += 1;
        if (state.admitted > 3) throw new RateLimitedError('Too often.');
      },
    };
    const { layer, seen } = counting({}, { policy });
    for (let i = 0; i < 3; i++) expect((await layer.callTool('read')).isError).toBe(false);
    expect(state.admitted).toBe(3);
    expect((await layer.callTool('read')).meta).toMatchObject({ 'cartouche/error_code': -31029 });
    state.allowed = false;
    expect((await layer.callTool('read')).meta).toMatchObject({ 'cartouche/error_code': -31001 });
    expect(seen.runs).toBe(1);
  });

  test('what a handler goes on changing, and what a caller changes, is not in later answers', async () => {
    const shared = { list: [1] };
    const { layer } = counting({}, {}, (registry) => void registry.tool({ name: 'shared' }, () => shared));
    await layer.callTool('shared');
    shared.list.push(2);
    const hit = await layer.callTool('shared');
    expect(hit.structuredContent).toEqual({ list: [1] });
    expect(() => (hit.structuredContent as typeof shared).list.push(3)).toThrow(TypeError);
  });

  test('every kind of content comes back', async () => {
    const full = ToolResult.text('a', { annotations: { priority: 1 } })
      .image('AA', 'image/png')
      .audio('AA', 'audio/wav')
      .link('a://b', 'B', { size: 3 })
      .withMeta({ mine: 1 });
    const { layer } = counting({}, {}, (registry) => void registry.tool({ name: 'full' }, () => full));
    const { _meta: _first, ...first } = (await layer.callTool('full')).toWire();
    const { _meta: meta, ...second } = (await layer.callTool('full')).toWire();
    expect(second).toEqual(first);
    expect(meta).toMatchObject({ mine: 1, 'cartouche/cache': { hit: true } });
  });

  test('a store elsewhere, that answers later, works as well', async () => {
    const kept = new Map<string, string>();
    const store: CacheStore = {
      get: async (_namespace, key) => (kept.has(key) ? (JSON.parse(kept.get(key) ?? '') as CacheEntry) : undefined),
      set: async (_namespace, key, entry) => void kept.set(key, JSON.stringify(entry)),
      clear: async () => kept.clear(),
    };
    const { layer, seen } = counting({ store, resources: true });
    await layer.callTool('read');
    expect((await layer.callTool('read')).meta).toHaveProperty(['cartouche/cache', 'hit'], true);
    await layer.readResource('r://x');
    expect((await layer.readResource('r://x'))[0]?.toWire()).toMatchObject({ text: '{"runs":2}' });
    expect(seen.runs).toBe(2);
    await layer.callTool('write');
    expect(kept.size).toBe(0);
  });

  test.each([true, false])('a store that fails (at once: %p) costs hits, never calls', async (atOnce) => {
    const fail = (): never => {
      throw new Error('store down');
    };
    const later = async (): Promise<never> => fail();
    const store = (atOnce
      ? { get: fail, set: fail, clear: fail }
      : { get: later, set: later, clear: later }) as unknown as CacheStore;
    const logger = new MemoryLogger();
    const { layer, seen } = counting({ store }, { logger });
    for (let i = 0; i < 2; i++) expect((await layer.callTool('read')).isError).toBe(false);
    expect((await layer.callTool('write')).isError).toBe(false);
    expect(seen.runs).toBe(2);
    expect(logger.lines.map(({ level }) => level)).toContain('warn');
    await layer.close();
  });

  test('layers that share a store hit their own answers only, and clear no other layer', async () => {
    const store = new MemoryCacheStore();
    const make = (name: string) => counting({}, { name, stores: { cache: store } });
    const [one, other, twin] = [make('one'), make('other'), make('one')];
    await one.layer.callTool('read');
    await other.layer.callTool('read');
    expect((await twin.layer.callTool('read')).meta).toHaveProperty(['cartouche/cache', 'hit'], true);
    expect([one.seen.runs, other.seen.runs, twin.seen.runs]).toEqual([1, 1, 0]);
    await one.layer.callTool('write');
    expect(store.size).toBe(1);
    await other.layer.close();
    expect(store.size).toBe(1);
  });

  test('one cache serves one layer', () => {
    const shared = cache();
    layerOf(() => undefined, { middleware: [shared] });
    expect(() => layerOf(() => undefined, { middleware: [shared] })).toThrow(
      'cache: two layers would share its answers',
    );
  });

  test.each([[{ ttlMs: 0 }], [{ ttl: 5 }], [{ store: {} }], [{ resources: 'yes' }], [{ include: true }]])(
    '%p is a mistake',
    (options) => {
      expect(() => cache(options as CacheOptions)).toThrow(ConfigurationError);
    },
  );
});

describe('MemoryCacheStore', () => {
  const entry = (json: string): CacheEntry => ({ storedAt: 0, json });

  test('keeps so many entries, and lets go of those that were not asked for the longest', () => {
    const store = new MemoryCacheStore({ maxEntries: 2 });
    store.set('x', 'a', entry('1'));
    store.set('x', 'b', entry('2'));
    store.get('x', 'a');
    store.set('x', 'c', entry('3'));
    expect([store.get('x', 'a'), store.get('x', 'b'), store.get('x', 'c')]).toEqual([
      entry('1'),
      undefined,
      entry('3'),
    ]);
  });

  test('keeps so much text', () => {
    const store = new MemoryCacheStore({ maxChars: 100 });
    store.set('x', 'a', entry('x'.repeat(60)));
    store.set('x', 'b', entry('x'.repeat(60)));
    store.set('x', 'c', entry('x'.repeat(600)));
    expect(store.size).toBeLessThanOrEqual(1);
    expect(store.get('x', 'c')).toBeUndefined();
  });

  test('forgets everything of one namespace', () => {
    const store = new MemoryCacheStore();
    store.set('x', 'a', entry('1'));
    store.clear('x');
    expect(store.size).toBe(0);
  });

  test('keeps namespaces apart, whatever their names', () => {
    const store = new MemoryCacheStore();
    for (const namespace of ['a', 'a b', 'ab']) store.set(namespace, 'k', entry(namespace));
    store.clear('a');
    expect(['a', 'a b', 'ab'].map((namespace) => store.get(namespace, 'k')?.json)).toEqual([undefined, 'a b', 'ab']);
  });

  test('wrong sizes are mistakes', () => {
    expect(() => new MemoryCacheStore({ maxEntries: 0 })).toThrow(ConfigurationError);
  });
});
