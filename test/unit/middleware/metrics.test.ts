import {
  AccessDeniedError,
  ConfigurationError,
  InvalidArgumentsError,
  McpLayer,
  metrics,
  type MetricsLine,
  type MetricsOptions,
  type Policy,
  RateLimitedError,
  ToolError,
  ToolResult,
} from 'cartouche';
import { deferred, layerOf, principal } from '../../support/layers.js';

function measured(options: MetricsOptions = {}, policy?: Policy) {
  const seen = { now: 0 };
  const counts = metrics(options);
  const throws = (error: unknown) => () => {
    throw error;
  };
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 'takes', input: { type: 'object' } }, ({ ms }) => {
        seen.now += ms as number;
        return 'ok';
      });
      registry.tool({ name: 'fails' }, throws(new ToolError('no')));
      registry.tool({ name: 'returns-error' }, () => ToolResult.error('no'));
      registry.tool({ name: 'throws' }, throws(new Error('boom')));
      registry.tool({ name: 'denied' }, throws(new AccessDeniedError('no')));
      registry.tool({ name: 'limited' }, throws(new RateLimitedError('no')));
      registry.tool({ name: 'rejected' }, throws(new InvalidArgumentsError('no')));
      registry.tool({ name: 'hangs', timeoutMs: 60_000 }, () => new Promise(() => undefined));
      registry.resource({ uri: 'r://x' }, () => 'x');
      registry.resourceTemplate({ uriTemplate: 'r://t/{id}' }, ({ id }) => id);
      registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => ['x'] } }, () => 'x');
    },
    {
      middleware: [counts],
      clock: { now: () => 0, monotonic: () => seen.now },
      ...(policy === undefined ? {} : { policy }),
    },
  );
  const line = (kind: string, name: string): MetricsLine | undefined =>
    counts.snapshot().find((entry) => entry.kind === kind && entry.name === name);
  return { counts, layer, line };
}

describe('metrics', () => {
  test('counts how calls ended', async () => {
    const { layer, line } = measured();
    await layer.callTool('takes', { ms: 1 });
    await layer.callTool('takes', { ms: 1 });
    for (const name of [
      'fails',
      'returns-error',
      'throws',
      'denied',
      'limited',
      'rejected',
      'missing',
      'missing too',
    ]) {
      await layer.callTool(name).catch(() => undefined);
    }
    const controller = new AbortController();
    const hanging = layer.callTool('hangs', {}, { signal: controller.signal });
    expect(line('tool', 'hangs')).toMatchObject({ calls: 0, inFlight: 1 });
    controller.abort();
    await hanging.catch(() => undefined);
    expect(line('tool', 'takes')).toMatchObject({
      calls: 2,
      inFlight: 0,
      errors: 0,
      rejections: 0,
      outcomes: { ok: 2 },
    });
    expect(line('tool', 'fails')).toMatchObject({ errors: 1, outcomes: { error: 1 } });
    expect(line('tool', 'returns-error')).toMatchObject({ errors: 1, outcomes: { error: 1 } });
    expect(line('tool', 'throws')).toMatchObject({ errors: 1, outcomes: { exception: 1 } });
    expect(line('tool', 'denied')).toMatchObject({ rejections: 1, outcomes: { denied: 1 } });
    expect(line('tool', 'limited')).toMatchObject({ rejections: 1, outcomes: { rate_limited: 1 } });
    expect(line('tool', 'rejected')).toMatchObject({ rejections: 1, outcomes: { rejected: 1 } });
    expect(line('tool', '(unknown)')).toMatchObject({ calls: 2, rejections: 2 });
    expect(line('tool', 'hangs')).toMatchObject({ calls: 1, inFlight: 0, errors: 0, outcomes: { cancelled: 1 } });
  });

  test('has a line for each kind, and one for all URIs of a template', async () => {
    const { counts, layer } = measured();
    await layer.readResource('r://x');
    await layer.readResource('r://t/1');
    await layer.readResource('r://t/2');
    await layer.getPrompt('p');
    await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
    await layer.list('tools');
    expect(counts.snapshot().map(({ kind, name, calls }) => [kind, name, calls])).toEqual([
      ['resource', 'r://x', 1],
      ['resource', 'r://t/{id}', 2],
      ['prompt', 'p', 1],
      ['completion', 'p', 1],
      ['list', 'tools', 1],
    ]);
  });

  test('percentiles are within one in a hundred', async () => {
    const { layer, line } = measured();
    for (let ms = 1; ms <= 1000; ms++) await layer.callTool('takes', { ms });
    const { mean, p50, p95, p99, max } = line('tool', 'takes')?.latencyMs as MetricsLine['latencyMs'];
    expect(mean).toBeCloseTo(500.5, 1);
    for (const [found, exact] of [
      [p50, 500],
      [p95, 950],
      [p99, 990],
      [max, 1000],
    ] as const) {
      expect(Math.abs(found - exact) / exact).toBeLessThan(0.011);
    }
  });

  test('is a resource, where each caller sees what it may see', async () => {
    const policy: Policy = {
      name: 'p',
      scopeOf: ({ id }) => id,
      decide: ({ id }, { id: who }) =>
        who === 'ann' || id !== 'fails' ? { allowed: true } : { allowed: false, hidden: true, reason: '' },
    };
    const { layer } = measured({}, policy);
    await layer.callTool('fails', {}, { principal: principal('ann') });
    await layer.callTool('takes', { ms: 1 }, { principal: principal('ann') });
    const read = async (id: string): Promise<string[]> => {
      const [contents] = await layer.readResource('cartouche://metrics', { principal: principal(id) });
      return (JSON.parse(contents?.toWire()['text'] as string) as { metrics: MetricsLine[] }).metrics.map(
        ({ name }) => name,
      );
    };
    expect(await read('ann')).toEqual(['fails', 'takes', 'cartouche://metrics']);
    expect(await read('bob')).toEqual(['takes', 'cartouche://metrics']);
  });

  test('the resource has the URI that it is given, or is left out', () => {
    expect(
      measured({ resource: 'app://numbers' })
        .layer.listResources()
        .map(({ uri }) => uri),
    ).toContain('app://numbers');
    expect(measured({ resource: false }).layer.listResources()).toHaveLength(1);
  });

  test('is text for Prometheus', async () => {
    const { counts, layer } = measured();
    layer.registry.tool({ name: 'quick' }, () => 1);
    layer.registry.resource({ uri: 'r://"quoted"\\\n' }, () => 1);
    await layer.callTool('takes', { ms: 500 });
    await layer.readResource('r://"quoted"\\\n');
    const text = counts.prometheus();
    expect(text).toContain('cartouche_requests_total{kind="tool",name="takes",outcome="ok"} 1\n');
    expect(text).toContain('cartouche_request_duration_seconds_sum{kind="tool",name="takes"} 0.5\n');
    expect(text).toContain('cartouche_request_duration_seconds_count{kind="tool",name="takes"} 1\n');
    expect(text).toMatch(/cartouche_request_duration_seconds\{kind="tool",name="takes",quantile="0.99"\} 0\.(49|50)/);
    expect(text).toContain(String.raw`name="r://\"quoted\"\\\n"`);
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+\{.+\} [\d.e-]+)$/);
    expect(text.endsWith('\n')).toBe(true);
  });

  test('keeps so many lines and no more', async () => {
    const { counts, layer } = measured({ maxSeries: 3 });
    for (let i = 0; i < 10; i++) {
      layer.registry.tool({ name: `t${i}` }, () => 1);
      await layer.callTool(`t${i}`);
    }
    expect(counts.snapshot().map(({ name, calls }) => [name, calls])).toEqual([
      ['t0', 1],
      ['t1', 1],
      ['t2', 1],
      ['(other)', 7],
    ]);
  });

  test('a replaced tool keeps its line', async () => {
    const { layer, line } = measured();
    layer.registry.tool({ name: 'x' }, () => 1);
    await layer.callTool('x');
    layer.registry.tool({ name: 'x', replace: true }, () => 2);
    await layer.callTool('x');
    expect(line('tool', 'x')?.calls).toBe(2);
  });

  test('can begin anew, even with calls under way', async () => {
    const { counts, layer } = measured();
    const gate = deferred();
    layer.registry.tool({ name: 'waits' }, () => gate.promise);
    const waiting = layer.callTool('waits');
    counts.reset();
    gate.resolve();
    await waiting;
    expect(counts.snapshot()).toEqual([]);
  });

  test('one metrics serves one layer', () => {
    const shared = metrics();
    const make = (): McpLayer => layerOf(() => undefined, { middleware: [shared] });
    make();
    expect(make).toThrow('metrics: two layers would share its counts');
  });

  test.each([[{ maxSeries: 0 }], [{ resource: 5 }], [{ series: 5 }]])('%p is a mistake', (options) => {
    expect(() => metrics(options as never)).toThrow(ConfigurationError);
  });
});
