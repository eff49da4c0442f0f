import {
  cache,
  type CacheEntry,
  type CacheStore,
  type McpLayerOptions,
  type Middleware,
  type Pipeline,
  type Policy,
  Principal,
  type ToolResult,
} from 'cartouche';
import { layerOf, MemoryLogger, principal } from '../../support/layers.js';

const isTrusted = ({ attributes }: Principal): boolean => attributes['hr'] === true;
const caller = (hr: boolean, init: { tenant?: string } = {}): { principal: Principal } => ({
  principal: new Principal({ id: 'ann', roles: ['default'], attributes: { hr }, ...init }),
});
const CACHE = ['cartouche/cache', 'hit'];

/** Shows salaries to some, and counts what it does. */
function masking(changes: Partial<Policy> = {}): Policy & { made: number } {
  const policy = {
    name: 'masking',
    made: 0,
    scopeOf: (asking: Principal): string | undefined => String(asking.attributes['hr']),
    decide: () => ({ allowed: true as const }),
    pipeline(_primitive: unknown, asking: Principal): Pipeline {
      policy.made += 1;
      let seen = 0;
      return {
        output(value) {
          seen += 1;
          if (isTrusted(asking)) return value;
          return JSON.parse(JSON.stringify(value).replaceAll('4711', '****')) as unknown;
        },
        report: () => ({ seen }),
      };
    },
    ...changes,
  };
  return policy;
}

function paying(policy: Policy, options: Partial<McpLayerOptions> = {}, store?: CacheStore) {
  const seen = { runs: 0 };
  const kept = store === undefined ? {} : { store };
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 'pay' }, (_args, context) => {
        context.link('r://pay/4711', 'pay of 4711');
        return { runs: ++seen.runs, salary: '4711' };
      });
      registry.resource({ uri: 'r://pay' }, () => ({ runs: ++seen.runs, salary: '4711' }));
      registry.tool({ name: 'long' }, () => `4711${'x'.repeat(100)}`);
    },
    {
      defaultCapabilities: ['read_state'],
      policy,
      middleware: [cache({ resources: true, ...kept })],
      ...options,
    },
  );
  return { layer, seen };
}

const shown = ({ content, structuredContent }: ToolResult): unknown => ({
  content: content.map((block) => block.toWire()),
  structuredContent,
});

/** Keeps everything where a test can look at it. */
function openStore(): CacheStore & { readonly kept: Map<string, CacheEntry> } {
  const kept = new Map<string, CacheEntry>();
  return {
    kept,
    get: (_namespace, key) => kept.get(key),
    set: (_namespace, key, entry) => void kept.set(key, entry),
    clear: () => kept.clear(),
  };
}

describe('what a caller is shown of an answer that was kept', () => {
  test.each([
    [true, false],
    [false, true],
  ])('is its own view, whoever asked first (trusted: %p, then %p)', async (first, second) => {
    const { layer } = paying(masking());
    for (const hr of [first, second, first, second]) {
      const result = await layer.callTool('pay', {}, caller(hr));
      expect(JSON.stringify(shown(result)).includes('4711')).toBe(hr);
      const [contents] = await layer.readResource('r://pay', caller(hr));
      expect(JSON.stringify(contents?.toWire()).includes('4711')).toBe(hr);
    }
  });

  test('is its own view also where the policy says that both have one scope', async () => {
    const { layer, seen } = paying(masking({ scopeOf: () => '' }));
    for (const hr of [true, false, true]) {
      const result = await layer.callTool('pay', {}, caller(hr));
      expect(JSON.stringify(shown(result)).includes('4711')).toBe(hr);
    }
    expect(seen.runs).toBe(1);
  });

  test('is what it would be without the cache: links, cut text and the report', async () => {
    const { layer, seen } = paying(masking(), { maxOutputChars: 50 });
    for (const name of ['pay', 'long']) {
      const [first, second] = [
        await layer.callTool(name, {}, caller(false)),
        await layer.callTool(name, {}, caller(false)),
      ];
      expect(second.meta).toHaveProperty(CACHE, true);
      expect(shown(second)).toEqual(shown(first));
      expect(second.meta).toHaveProperty(['cartouche/transforms'], first.meta?.['cartouche/transforms']);
      expect(first.meta).toHaveProperty(['cartouche/transforms', 'seen'], expect.any(Number));
    }
    expect(seen.runs).toBe(1);
    const [read, again] = [
      await layer.readResource('r://pay', caller(false)),
      await layer.readResource('r://pay', caller(false)),
    ];
    expect(again.map((contents) => contents.toWire())).toEqual(read.map((contents) => contents.toWire()));
    expect(seen.runs).toBe(2);
  });

  test('takes one pipeline for each call', async () => {
    const policy = masking();
    const { layer } = paying(policy);
    for (let i = 1; i <= 3; i++) {
      await layer.callTool('pay', {}, caller(true));
      expect(policy.made).toBe(i);
    }
  });

  test('is an error where the pipeline fails, and nothing of the answer', async () => {
    let fails = false;
    const policy = masking({
      pipeline: () => ({
        output(value) {
          if (fails) throw new Error('no key');
          return value;
        },
      }),
    });
    const logger = new MemoryLogger();
    const { layer } = paying(policy, { logger });
    await layer.callTool('pay', {}, caller(true));
    fails = true;
    const result = await layer.callTool('pay', {}, caller(true));
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.toWire())).not.toContain('4711');
  });
});

describe('what is kept', () => {
  test('belongs to a scope; where there is none, nothing is kept', async () => {
    const { layer, seen } = paying(masking());
    for (const hr of [true, false, true, false]) await layer.callTool('pay', {}, caller(hr));
    expect(seen.runs).toBe(2);
    const without = paying(masking({ scopeOf: () => undefined }));
    for (let i = 0; i < 2; i++) await without.layer.callTool('pay', {}, caller(true));
    expect(without.seen.runs).toBe(2);
  });

  test('belongs to a scope without a pipeline, too', async () => {
    const { layer, seen } = paying(masking({ pipeline: undefined }));
    for (const hr of [true, false, true, false]) await layer.callTool('pay', {}, caller(hr));
    expect(seen.runs).toBe(2);
  });

  test('belongs to a tenant, and to all else that makes a caller', async () => {
    const { layer, seen } = paying(masking());
    for (const tenant of ['a', 'b', 'a']) await layer.callTool('pay', {}, caller(true, { tenant }));
    expect(seen.runs).toBe(2);
  });

  test('is of no use once the policy has another version, in answers and in lists', async () => {
    const policy = { ...masking({ scopeOf: () => '' }), version: 1 as number | string };
    let hidden = false;
    policy.decide = () => (hidden ? { allowed: false, hidden: true, reason: 'no' } : { allowed: true }) as never;
    const { layer, seen } = paying(policy);
    await layer.callTool('pay', {}, caller(true));
    await layer.callTool('pay', {}, caller(true));
    expect([seen.runs, (await layer.list('tools')).length]).toEqual([1, 2]);
    policy.version = '1';
    await layer.callTool('pay', {}, caller(true));
    expect(seen.runs).toBe(2);
    hidden = true;
    policy.version = 2;
    expect(await layer.list('tools')).toEqual([]);
  });

  test('is what the handler gave: the pipeline has not been there', async () => {
    const store = openStore();
    const { layer } = paying(masking(), {}, store);
    await layer.callTool('pay', {}, caller(false));
    expect([...store.kept.values()].map(({ json }) => json.includes('4711'))).toEqual([true]);
  });

  test('is nothing where a middleware further in changed the answer under a pipeline', async () => {
    const signing: Middleware = {
      name: 'signing',
      tool: async (_call, next) => (await next()).withMeta({ 'acme.example/by': 'x' }),
    };
    const changed = paying(masking(), { middleware: [cache(), signing] });
    const plain = paying(masking({ pipeline: undefined }), { middleware: [cache(), signing] });
    for (const { layer } of [changed, plain]) for (let i = 0; i < 2; i++) await layer.callTool('pay', {}, caller(true));
    expect([changed.seen.runs, plain.seen.runs]).toEqual([2, 1]);
    expect((await plain.layer.callTool('pay', {}, caller(true))).meta).toHaveProperty(['acme.example/by'], 'x');
  });

  test('is not read by a policy that lets data leave in another way', async () => {
    const store = openStore();
    const plain = paying(masking({ pipeline: undefined }), {}, store);
    const masked = paying(masking(), {}, store);
    await plain.layer.callTool('pay', {}, caller(true));
    await masked.layer.callTool('pay', {}, caller(true));
    expect([plain.seen.runs, masked.seen.runs]).toEqual([1, 1]);
  });

  test('and cannot be read is asked for again', async () => {
    const store = openStore();
    const logger = new MemoryLogger();
    const { layer, seen } = paying(masking(), { logger }, store);
    await layer.callTool('pay', {}, { principal: principal('ann') });
    for (const [key, { storedAt }] of store.kept) store.kept.set(key, { storedAt, json: '{"content":[]}' });
    await layer.callTool('pay', {}, { principal: principal('ann') });
    expect(seen.runs).toBe(2);
    expect(logger.lines.map(({ message }) => message)).toContain('cache: the store could not be read');
  });
});
