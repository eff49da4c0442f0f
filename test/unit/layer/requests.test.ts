import { IsString } from 'class-validator';
import { type MiddlewareFunction, type Policy, Principal, RateLimitedError, type ToolContext } from 'cartouche';
import type { HandshakeClient } from '../../../src/core/client-port.js';
import { layerOf } from '../../support/layers.js';
import { ALL } from '../asking/support.js';

class Name {
  @IsString()
  name!: string;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const policyOf = (admit: Policy['admit']): Policy => ({
  name: 'house',
  scopeOf: () => '',
  decide: () => ({ allowed: true }),
  ...(admit && { admit }),
});

/** Tries three times. */
const stubborn: MiddlewareFunction = async (_call, next) => {
  for (let tries = 0; tries < 2; tries++) {
    try {
      return await next();
    } catch {
      // once more
    }
  }
  return next();
};

describe('a call that middleware tries again', () => {
  test.each<[when: string, admit: () => void | Promise<void>]>([
    ['at once', () => undefined],
    ['later', () => wait(1)],
  ])('is admitted once, be that %s', async (_when, admit) => {
    const counts = { admitted: 0, ran: 0 };
    const counted = (): void | Promise<void> => (counts.admitted++, admit());
    const layer = layerOf(
      (registry) =>
        void registry.tool({ name: 't' }, () => {
          if (++counts.ran < 3) throw new Error('flaky');
          return 'done';
        }),
      { policy: policyOf(counted), middleware: [stubborn] },
    );
    expect((await layer.callTool('t')).isError).toBe(false);
    expect(counts).toEqual({ admitted: 1, ran: 3 });
  });

  test.each<[when: string, admit: () => Promise<void>]>([
    ['at once', () => { throw new RateLimitedError('Too often.'); }], // prettier-ignore
    ['later', () => Promise.reject(new RateLimitedError('Too often.'))],
  ])('and that was refused %s never runs', async (_when, admit) => {
    let ran = 0;
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => ran++), {
      policy: policyOf(admit),
      middleware: [stubborn],
    });
    expect((await layer.callTool('t')).isError).toBe(true);
    expect(ran).toBe(0);
  });

  test('side by side, waits for the one admission', async () => {
    let admitted = 0;
    const seen: number[] = [];
    const twice: MiddlewareFunction = async (_call, next) => (await Promise.all([next(), next()]))[1] as never;
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => seen.push(admitted)), {
      policy: policyOf(async () => {
        await wait(5);
        admitted++;
      }),
      middleware: [twice],
    });
    await layer.callTool('t');
    expect(admitted).toBe(1);
    expect(new Set(seen)).toEqual(new Set([1]));
  });
});

describe('the time that a person takes', () => {
  const slow = (ms: number): HandshakeClient => ({
    era: 'handshake',
    version: '2025-11-25',
    capabilities: ALL,
    request: () => wait(ms).then(() => ({ action: 'decline' })),
  });
  const ask = { message: 'Who?' };

  test.each<[how: string, questions: (ctx: ToolContext) => Promise<unknown>]>([
    ['one question', (ctx) => ctx.elicit('who', Name, ask)],
    [
      'questions one after the other',
      async (ctx) => {
        await ctx.elicit('a', Name, ask);
        await ctx.elicit('b', Name, ask);
      },
    ],
    ['questions at once', (ctx) => Promise.all([ctx.elicit('a', Name, ask), ctx.elicit('b', Name, ask)])],
  ])('is added to the time of the handler, which still works after: %s', async (_how, questions) => {
    const layer = layerOf(
      (registry) =>
        void registry.tool({ name: 't', timeoutMs: 400 }, async (_args, ctx) => {
          await questions(ctx);
          await wait(40);
          return 'done';
        }),
    );
    const result = await layer.callTool('t', {}, { context: { client: slow(500) } });
    expect(result.content).toMatchObject([{ text: 'done' }]);
  });

  test('is not given to the handler besides', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const layer = layerOf(
      (registry) =>
        void registry.tool({ name: 't', timeoutMs: 30 }, async (_args, ctx) => {
          now += 10;
          await ctx.elicit('who', Name, ask);
          now += 25;
          await ctx.elicit('again', Name, ask);
          await new Promise(() => undefined);
        }),
      { clock },
    );
    const client: HandshakeClient = {
      ...slow(0),
      request: async () => {
        now += 1_000;
        return { action: 'decline' };
      },
    };
    const result = await layer.callTool('t', {}, { context: { client } });
    expect(result.meta).toMatchObject({ 'cartouche/error_code': 'timeout' });
  });
});

describe('who a call is made as', () => {
  const layer = layerOf((registry) => {
    registry.tool({ name: 'who' }, (_args, ctx) => ctx.principal.id);
    registry.resource({ uri: 'r://who' }, (ctx) => ctx.principal.id);
    registry.prompt({ name: 'who' }, (_args, ctx) => ctx.principal.id);
    registry.tool({ name: 'outer' }, async (_args, ctx) => {
      const own = await ctx.layer.callTool('who', {}, { context: ctx });
      const other = await ctx.layer.callTool('who', {}, { context: ctx, principal: mallory });
      return [own, other].map(({ content }) => content[0]);
    });
  });
  const ada = new Principal({ id: 'ada' });
  const mallory = new Principal({ id: 'mallory' });
  const text = (blocks: readonly object[]): unknown => (blocks[0] as { text?: string }).text;

  /** The principal that is named wins over that of a context, made or about to be made. */
  const ways = (): [way: string, options: object, who: string][] => [
    ['neither', {}, 'local'],
    ['a principal', { principal: ada }, 'ada'],
    ['an init with one', { context: { principal: ada } }, 'ada'],
    ['an init with one, and another', { context: { principal: ada }, principal: mallory }, 'mallory'],
    ['a context of one', { context: layer.context({ principal: ada }) }, 'ada'],
    ['a context of one, and the same', { context: layer.context({ principal: ada }), principal: ada }, 'ada'],
    ['a context of one, and another', { context: layer.context({ principal: ada }), principal: mallory }, 'mallory'],
  ];

  test.each(ways().map(([way], index) => [way, index] as const))('%s', async (_way, index) => {
    const way = (): [string, object, string] => ways()[index]!;
    const who = way()[2];
    expect(text((await layer.callTool('who', {}, way()[1])).content)).toBe(who);
    expect(text(await layer.readResource('r://who', way()[1]))).toBe(who);
    expect(await layer.getPrompt('who', {}, way()[1])).toMatchObject({ messages: [{ content: { text: who } }] });
  });

  test('a call inside a call is its parent’s caller, unless another is named', async () => {
    const { content } = await layer.callTool('outer', {}, { principal: ada });
    expect(content).toMatchObject([{ text: 'ada' }, { text: 'mallory' }]);
  });
});

describe('arguments', () => {
  const layer = layerOf((registry) => {
    registry.tool({ name: 't', openArguments: true }, () => 'done');
    registry.prompt({ name: 'p' }, () => 'done');
  });

  test.each([
    [undefined, true],
    [null, true],
    [{}, true],
    [[], false],
    ['text', false],
    [0, false],
    [false, false],
  ])('%p: an object, or nothing: %p', async (args, isGood) => {
    if (isGood) {
      expect((await layer.callTool('t', args)).isError).toBe(false);
      expect((await layer.getPrompt('p', args)).messages).toHaveLength(1);
      return;
    }
    await expect(layer.callTool('t', args)).rejects.toMatchObject({ code: -32602 });
    await expect(layer.getPrompt('p', args)).rejects.toMatchObject({ code: -32602 });
  });
});

test('a layer closes once, however often it is told to, and all who asked wait for that', async () => {
  const closed: string[] = [];
  const close = (name: string) => async (): Promise<void> => {
    await wait(5);
    closed.push(name);
  };
  const layer = layerOf(() => undefined, {
    policy: { ...policyOf(undefined), close: close('policy') },
    middleware: [{ name: 'm', close: close('middleware') }],
  });
  await Promise.all([layer.close(), layer.close()]);
  await layer.close();
  expect(closed).toEqual(['middleware', 'policy']);
});
