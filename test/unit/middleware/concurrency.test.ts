import fc from 'fast-check';
import {
  CancelledError,
  concurrency,
  type ConcurrencyOptions,
  ConfigurationError,
  type McpLayer,
  type MiddlewareFunction,
} from 'cartouche';
import { FairSlots } from '../../../src/middleware/fair-slots.js';
import { deferred, layerOf, principal } from '../../support/layers.js';

function gated(options: ConcurrencyOptions) {
  const seen = { running: 0, most: 0, order: [] as string[] };
  const gates: (() => void)[] = [];
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 't' }, async (_args, ctx) => {
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        seen.order.push(ctx.principal.id);
        const gate = deferred();
        gates.push(gate.resolve);
        await gate.promise;
        seen.running -= 1;
        return ctx.principal.id;
      });
      registry.tool({ name: 'nested' }, (_args, ctx) => ctx.layer.callTool('quick', {}, { context: ctx }));
      registry.tool({ name: 'nested-as-local' }, (_args, ctx) => ctx.layer.callTool('quick'));
      registry.tool({ name: 'quick' }, () => 'quick');
    },
    { middleware: [concurrency(options)] },
  );
  const next = async (): Promise<void> => {
    gates.shift()?.();
    await settle();
  };
  return { layer, seen, next };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const as = (id: string) => ({ principal: principal(id) });
const call = (layer: McpLayer, id: string, signal?: AbortSignal) => layer.callTool('t', {}, { ...as(id), signal });

describe('concurrency', () => {
  test('so many run at once, the others wait their turn', async () => {
    const { layer, seen, next } = gated({ total: 2 });
    const calls = ['a', 'b', 'c', 'd'].map((id) => call(layer, id));
    await settle();
    expect(seen.order).toEqual(['a', 'b']);
    for (let i = 0; i < 4; i++) await next();
    expect((await Promise.all(calls)).map(({ structuredContent }) => structuredContent)).toEqual(
      ['a', 'b', 'c', 'd'].map((result) => ({ result })),
    );
    expect(seen.most).toBe(2);
  });

  test('a call that was cancelled before it came to the queue leaves it at once, and holds nobody up', async () => {
    const gate = deferred();
    const order: string[] = [];
    const late: MiddlewareFunction = async (_call, next) => {
      await gate.promise;
      return next();
    };
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'hold' }, () => new Promise<void>(() => undefined));
        registry.tool({ name: 't' }, (_args, ctx) => void order.push(ctx.principal.id));
      },
      { middleware: [late, concurrency({ total: 1, queueTimeoutMs: 60_000 })] },
    );
    const held = layer.callTool('hold').catch(() => undefined);
    const aborter = new AbortController();
    const cancelled = layer.callTool('t', {}, { ...as('a'), signal: aborter.signal });
    aborter.abort();
    gate.resolve();
    await expect(cancelled).rejects.toThrow(CancelledError);
    expect(order).toEqual([]);
    await layer.close();
    await held;
  });

  test('a busy caller does not starve the rest', async () => {
    const { layer, seen, next } = gated({ total: 1 });
    const calls = ['busy', 'busy', 'busy', 'busy', 'calm', 'quiet'].map((id) => call(layer, id));
    await settle();
    for (let i = 0; i < 6; i++) await next();
    await Promise.all(calls);
    expect(seen.order).toEqual(['busy', 'busy', 'calm', 'quiet', 'busy', 'busy']);
  });

  test('each caller has its own limit', async () => {
    const { layer, seen, next } = gated({ perPrincipal: 1 });
    const calls = ['a', 'a', 'b', 'b'].map((id) => call(layer, id));
    await settle();
    expect(seen.order).toEqual(['a', 'b']);
    for (let i = 0; i < 4; i++) await next();
    await Promise.all(calls);
    expect(seen.order).toEqual(['a', 'b', 'a', 'b']);
  });

  test('who waits too long is refused', async () => {
    const { layer, next } = gated({ total: 1, queueTimeoutMs: 5 });
    const first = call(layer, 'a');
    expect((await call(layer, 'b')).toWire()).toMatchObject({
      isError: true,
      content: [{ text: 'The server is busy: no slot became free in time.' }],
      _meta: { 'cartouche/error_code': -31029, 'cartouche/error_data': { limit: 'concurrency' } },
    });
    await next();
    expect((await first).isError).toBe(false);
  });

  test('who finds the queue full is refused at once', async () => {
    const { layer, next } = gated({ total: 1, maxQueue: 1 });
    const calls = [call(layer, 'a'), call(layer, 'b')];
    await settle();
    expect((await call(layer, 'c')).content).toMatchObject([
      { text: 'The server is busy: too many requests wait already.' },
    ]);
    await next();
    await next();
    await Promise.all(calls);
  });

  test('a cancelled call gives its slot back at once, though its handler goes on', async () => {
    const { layer, seen, next } = gated({ total: 1 });
    const controller = new AbortController();
    const first = call(layer, 'a', controller.signal);
    const second = call(layer, 'b');
    await settle();
    controller.abort();
    await expect(first).rejects.toMatchObject({ name: 'CancelledError' });
    await settle();
    expect(seen.order).toEqual(['a', 'b']);
    await next();
    await next();
    expect((await second).isError).toBe(false);
  });

  test('a call that is cancelled while it waits leaves the queue', async () => {
    const { layer, seen, next } = gated({ total: 1 });
    const controller = new AbortController();
    const first = call(layer, 'a');
    const second = call(layer, 'b', controller.signal);
    const third = call(layer, 'c');
    await settle();
    controller.abort();
    await expect(second).rejects.toMatchObject({ name: 'CancelledError' });
    await next();
    await next();
    await Promise.all([first, third]);
    expect(seen.order).toEqual(['a', 'c']);
  });

  test.each(['nested', 'nested-as-local'])(
    'a call that a handler makes needs no slot of its own (%s)',
    async (name) => {
      const { layer } = gated({ total: 1, queueTimeoutMs: 100 });
      expect((await layer.callTool(name)).toWire()).toMatchObject({ isError: false });
    },
  );

  test('lists and completions need no slot, unless it is said', async () => {
    const { layer, next } = gated({ total: 1 });
    const first = call(layer, 'a');
    expect(await layer.list('tools')).toHaveLength(4);
    await next();
    await first;
    const strict = gated({ total: 1, kinds: ['tool', 'list'], queueTimeoutMs: 5 });
    const held = call(strict.layer, 'a');
    await expect(strict.layer.list('tools')).rejects.toMatchObject({ code: -31029 });
    await strict.next();
    await held;
  });

  test.each([
    [{}],
    [{ total: 0 }],
    [{ total: 1.5 }],
    [{ perPrincipal: -1 }],
    [{ total: 1, kinds: ['tools'] }],
    [{ total: 1, totals: 2 }],
    [undefined],
  ])('%p is a mistake', (options) => {
    expect(() => concurrency(options as ConcurrencyOptions)).toThrow(ConfigurationError);
  });
});

describe('FairSlots', () => {
  test('never gives more than it has, loses none, and serves everybody', () => {
    const action = fc.record({
      kind: fc.constantFrom('take', 'release', 'leave'),
      holder: fc.constantFrom('a', 'b', 'c'),
      pick: fc.nat(20),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(action, { maxLength: 60 }),
        (total, each, actions) => {
          const slots = new FairSlots(total, each, 5);
          const held: string[] = [];
          const waiting: { holder: string; leave: (reason: Error) => void; taken: boolean }[] = [];
          const served = (): void => {
            for (const place of waiting.filter(({ taken }) => taken)) {
              held.push(place.holder);
              waiting.splice(waiting.indexOf(place), 1);
            }
          };
          const step = (kind: string, holder: string, pick: number): void => {
            if (kind === 'take') {
              if (slots.take(holder)) held.push(holder);
              else {
                const entry = { holder, leave: (_reason: Error): void => undefined, taken: false };
                const place = slots.queue(holder);
                if (place === undefined) return;
                place.free.catch(() => undefined);
                entry.leave = (reason) => place.leave(reason);
                waiting.push(entry);
              }
            } else if (kind === 'release' && held.length > 0) {
              const before = slots.waiting;
              const [released] = held.splice(pick % held.length, 1);
              slots.release(released as string);
              // Promises settle later; who was served is known by the queue alone.
              if (slots.waiting < before) held.push('?');
            } else if (kind === 'leave' && waiting.length > 0) {
              const [place] = waiting.splice(pick % waiting.length, 1);
              place?.leave(new Error('left'));
            }
            served();
          };
          for (const { kind, holder, pick } of actions) {
            if (held.includes('?')) break;
            step(kind, holder, pick);
            expect(slots.held).toBeLessThanOrEqual(total);
            expect(slots.held).toBe(held.length);
          }
        },
      ),
    );
  });

  test('drained, it holds nothing', async () => {
    const slots = new FairSlots(1, 1, 10);
    expect(slots.take('a')).toBe(true);
    const places = ['b', 'a', 'b'].map((holder) => ({ holder, place: slots.queue(holder) }));
    const order: string[] = [];
    const all = places.map(async ({ holder, place }) => {
      await place?.free;
      order.push(holder);
      slots.release(holder);
    });
    slots.release('a');
    await Promise.all(all);
    expect(order).toEqual(['b', 'a', 'b']);
    expect([slots.held, slots.waiting]).toEqual([0, 0]);
  });
});
