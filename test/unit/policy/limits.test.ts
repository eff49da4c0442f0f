import {
  DocumentPolicy,
  MemoryRateLimitStore,
  type Primitive,
  Principal,
  RateLimitedError,
  type RateLimitStore,
  Registry,
} from 'cartouche';
import { fixedClock } from 'cartouche/testing';
import { layerOf, principal } from '../../support/layers.js';

const bucket = (key: string, burst = 1, perSecond = 1) => ({ key, burst, perSecond });

describe('MemoryRateLimitStore', () => {
  test('gives back what its rate says, fractions kept, and no more than the burst', () => {
    const clock = fixedClock();
    const store = new MemoryRateLimitStore({ clock });
    const take = () => store.take('n', [bucket('a', 2, 0.5)]);
    expect([take(), take()]).toEqual([{ allowed: true }, { allowed: true }]);
    expect(take()).toEqual({ allowed: false, key: 'a', retryAfterMs: 2000 });
    clock.advance(1500);
    expect(take()).toEqual({ allowed: false, key: 'a', retryAfterMs: 500 });
    clock.advance(500);
    expect([take().allowed, take().allowed]).toEqual([true, false]);
    clock.advance(60_000);
    expect([take().allowed, take().allowed, take().allowed]).toEqual([true, true, false]);
  });

  test('takes from all or from none, and tells the one that takes longest', () => {
    const store = new MemoryRateLimitStore({ clock: fixedClock() });
    store.take('n', [bucket('slow', 1, 0.1), bucket('fast', 1, 1)]);
    expect(store.take('n', [bucket('free', 1), bucket('fast', 1, 1), bucket('slow', 1, 0.1)])).toEqual({
      allowed: false,
      key: 'slow',
      retryAfterMs: 10_000,
    });
    expect(store.take('n', [bucket('free', 1)])).toEqual({ allowed: true });
  });

  test('a bucket that is named twice pays once', () => {
    const store = new MemoryRateLimitStore({ clock: fixedClock() });
    expect(store.take('n', [bucket('a', 2), bucket('a', 2)]).allowed).toBe(true);
    expect(store.take('n', [bucket('a', 2)]).allowed).toBe(true);
    expect(store.take('n', [bucket('a', 2)]).allowed).toBe(false);
  });

  test('namespaces are apart', () => {
    const store = new MemoryRateLimitStore({ clock: fixedClock() });
    expect([store.take('a', [bucket('k')]).allowed, store.take('b', [bucket('k')]).allowed]).toEqual([true, true]);
    expect(store.take('a', [bucket('k')]).allowed).toBe(false);
  });

  test('a clock that goes back gives nothing and takes nothing', () => {
    let now = 10_000;
    const store = new MemoryRateLimitStore({ clock: { now: () => 0, monotonic: () => now } });
    store.take('n', [bucket('a', 1, 1)]);
    now = 5000;
    expect(store.take('n', [bucket('a', 1, 1)])).toEqual({ allowed: false, key: 'a', retryAfterMs: 1000 });
    now = 11_000;
    expect(store.take('n', [bucket('a', 1, 1)]).allowed).toBe(true);
  });

  test('what was refused is not remembered', () => {
    const store = new MemoryRateLimitStore({ clock: fixedClock() });
    store.take('n', [bucket('a')]);
    for (let i = 0; i < 10; i++) store.take('n', [bucket('a'), bucket(`other-${i}`)]);
    expect(store.size).toBe(1);
  });

  test('buckets that are in use stay when the oldest go', () => {
    const store = new MemoryRateLimitStore({ clock: fixedClock(), maxBuckets: 2 });
    for (const key of ['a', 'b']) store.take('n', [bucket(key, 2)]);
    store.take('n', [bucket('a', 2)]);
    store.take('n', [bucket('c', 2)]);
    expect([store.size, store.take('n', [bucket('a', 2)]).allowed]).toEqual([2, false]);
  });

  test.each([{ maxBuckets: 0 }, { clock: {} }, { max: 5 }])('refuses %j', (options) => {
    expect(() => new MemoryRateLimitStore(options as never)).toThrow(/^MemoryRateLimitStore: /);
  });
});

describe('the limits of a policy', () => {
  const spec = (name: string) => new Registry().tool({ name, capabilities: [] }, () => 1);
  const ann = principal('ann');
  const bob = principal('bob');

  const admit = (policy: DocumentPolicy, of: Primitive, who: Principal): void => void policy.admit(of, who);

  function refusal(run: () => unknown): unknown {
    try {
      run();
      return undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(RateLimitedError);
      return { message: (error as Error).message, data: (error as RateLimitedError).data };
    }
  }

  test.each([
    ['principal', ['ann a', 'bob a'], ['ann b']],
    ['tool', ['ann a', 'ann b'], ['bob a']],
    ['principal_tool', ['ann a', 'ann b', 'bob a'], ['ann a']],
    ['global', ['ann a'], ['bob b']],
  ] as const)('by %s', (scope, allowed, refused) => {
    const policy = DocumentPolicy.load({ rateLimits: [{ rate: 1, per: 'hour', scope }] });
    const tools = { a: spec('a'), b: spec('b') };
    const call = (words: string): void => {
      const [who, what] = words.split(' ');
      admit(policy, tools[what as 'a'], who === 'ann' ? ann : bob);
    };
    for (const words of allowed) call(words);
    for (const words of refused) expect(() => call(words)).toThrow(RateLimitedError);
  });

  test('say by which limit, and when to come back', () => {
    const policy = DocumentPolicy.load({
      rateLimits: [
        { rate: 30, per: 'minute', burst: 1, name: 'gentle' },
        { rate: 3, per: 'minute', burst: 1 },
      ],
    });
    admit(policy, spec('a'), ann);
    expect(refusal(() => admit(policy, spec('a'), ann))).toEqual({
      message: 'Too often: the limit is 3/minute. Try again in 20 s.',
      data: { retry_after: expect.closeTo(20, 0) as number, limit: '3/minute', scope: 'principal' },
    });
  });

  test('hold for the tools and kinds that they name, tools where they name none', () => {
    const policy = DocumentPolicy.load({ rateLimits: [{ rate: 1, per: 'day', tools: ['get_*', '!get_free'] }] });
    const prompt = new Registry().prompt({ name: 'get_x' }, () => 'x');
    for (let i = 0; i < 3; i++) for (const each of [spec('other'), spec('get_free'), prompt]) admit(policy, each, ann);
    admit(policy, spec('get_it'), ann);
    expect(() => admit(policy, spec('get_it'), ann)).toThrow(RateLimitedError);
  });

  test('of a rule hold where it matches', () => {
    const policy = DocumentPolicy.load({ roles: { guest: { rateLimits: [{ rate: 1, per: 'day' }] } } });
    const guest = principal('g', 'guest');
    const tool = spec('a');
    for (let i = 0; i < 3; i++) admit(policy, tool, ann);
    admit(policy, tool, guest);
    expect(() => admit(policy, tool, guest)).toThrow(RateLimitedError);
  });

  test('burst is the rate rounded up', () => {
    const policy = DocumentPolicy.load({ rateLimits: [{ rate: 1.5, per: 'day' }] });
    expect(policy.explain(spec('a'), ann).rateLimits).toEqual([
      { name: '1.5/day', scope: 'principal', burst: 2, perSecond: 1.5 / 86_400 },
    ]);
  });

  test('are counted in the store of the layer, under its name, and may be waited for', async () => {
    const taken: unknown[] = [];
    const limits: RateLimitStore = {
      take: (namespace, buckets, now) => {
        taken.push([namespace, buckets.length, now]);
        return Promise.resolve(
          taken.length < 2 ? { allowed: true } : { allowed: false, key: buckets[0]?.key ?? '', retryAfterMs: 1500 },
        );
      },
    };
    const layer = layerOf((registry) => registry.tool({ name: 'a', capabilities: [] }, () => 1), {
      policy: { rateLimits: [{ rate: 9, per: 'second' }] },
      stores: { limits },
      clock: fixedClock(5),
    });
    expect((await layer.callTool('a')).isError).toBe(false);
    expect((await layer.callTool('a')).meta).toMatchObject({
      'cartouche/error_code': -31029,
      'cartouche/error_data': { retry_after: 1.5, limit: '9/second', scope: 'principal' },
    });
    expect(taken).toEqual([
      ['test', 1, 5],
      ['test', 1, 5],
    ]);
  });

  test('a store that fails lets nobody in', async () => {
    const layer = layerOf((registry) => registry.tool({ name: 'a', capabilities: [] }, () => 1), {
      policy: { rateLimits: [{ rate: 9, per: 'second' }] },
      stores: { limits: { take: () => Promise.reject(new Error('away')) } },
    });
    const result = await layer.callTool('a', {}, { principal: new Principal({ id: 'x' }) });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('away');
  });
});
