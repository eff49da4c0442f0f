import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { ToolError } from '../../../src/core/errors.js';
import { Principal } from '../../../src/core/principal.js';
import type { ToolContext } from '../../../src/core/context.js';
import { converse, layerOf, round, SILENT, turn } from './support.js';

class Name {
  @IsString()
  @MaxLength(10)
  name!: string;
}

class Count {
  @IsInt()
  @Min(1)
  count!: number;
}

const accept = (content: object) => ({ action: 'accept', content });
const ask = { message: 'Who?' };

describe('a modern client', () => {
  test('is asked by the result, and the handler runs again with the answer', async () => {
    let runs = 0;
    const layer = layerOf(async (_args, ctx) => {
      runs++;
      const answer = await ctx.elicit('who', Name, ask);
      return answer.action === 'accept'
        ? { name: answer.content.name, isName: answer.content instanceof Name }
        : answer;
    });
    const first = await round(layer);
    expect(first.asked).toEqual({
      who: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Who?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string', maxLength: 10 } },
            required: ['name'],
          },
        },
      },
    });
    const second = await round(layer, { requestState: first.state, inputResponses: { who: accept({ name: 'Ada' }) } });
    expect(second.result.structuredContent).toEqual({ name: 'Ada', isName: true });
    expect(runs).toBe(2);
  });

  test.each([50, 150, 2000, 20_000, 100_000])(
    'that comes back with other arguments, which nest %i deep, is refused in words',
    async (levels) => {
      const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
      const { state } = await round(layer);
      const deep = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
      const retry = { requestState: state, inputResponses: { who: accept({ name: 'Ada' }) } };
      await expect(round(layer, retry, deep)).rejects.toThrow('it belongs to another request');
    },
  );

  test.each(['decline', 'cancel'])('may %s', async (action) => {
    const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
    const { state } = await round(layer);
    const { result } = await round(layer, { requestState: state, inputResponses: { who: { action } } });
    expect(result.structuredContent).toEqual({ action });
  });

  test('that answers nothing, something else or nonsense is asked again', async () => {
    const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
    const { state } = await round(layer);
    const nonsense = [undefined, null, 12, 'x', [], {}, { other: accept({ name: 'Ada' }) }];
    const wrong = [
      12,
      null,
      'accept',
      [],
      {},
      { action: 'yes' },
      { action: 'accept', content: 'Ada' },
      accept([] as object),
    ];
    for (const inputResponses of [...nonsense, ...wrong.map((who) => ({ who }))]) {
      const again = await round(layer, { requestState: state, inputResponses });
      expect(Object.keys(again.asked ?? {})).toEqual(['who']);
    }
  });

  test('that fills in a form wrongly is told what to correct, three times', async () => {
    const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
    let { state } = await round(layer);
    for (let tries = 0; tries < 2; tries++) {
      const again = await round(layer, {
        requestState: state,
        inputResponses: { who: accept({ name: 'x'.repeat(11) }) },
      });
      expect(again.asked?.who?.params.message).toMatch(/^Who\?\n\nPlease correct: name: .*10 char/s);
      state = again.state;
    }
    const last = await round(layer, { requestState: state, inputResponses: { who: accept({ name: 12 }) } });
    expect(last.result.isError).toBe(true);
    expect(last.result.content[0].text).toBe("work: the answer to 'who' does not fit: name: expected string");
  });

  test('answers round by round, each round with its own state only', async () => {
    const layer = layerOf(async (_args, ctx) => {
      const a = await ctx.elicit('a', Name, ask);
      const b = await ctx.elicit('b', Count, { message: 'How many?' });
      return [a, b];
    });
    const first = await round(layer);
    const second = await round(layer, { requestState: first.state, inputResponses: { a: accept({ name: 'Ada' }) } });
    expect(Object.keys(second.asked!)).toEqual(['b']);
    expect(second.state).not.toBe(first.state);
    const third = await round(layer, { requestState: second.state, inputResponses: { b: accept({ count: 3 }) } });
    expect(third.result.structuredContent.result).toEqual([accept({ name: 'Ada' }), accept({ count: 3 })]);
  });

  test('is asked several things in one round, by ctx.ask or side by side', async () => {
    const together = layerOf((_args, ctx) =>
      ctx.ask({ a: { form: Name, ...ask }, b: { sample: { messages: 'Hi', maxTokens: 5 } }, c: { roots: true } }),
    );
    expect(Object.keys((await round(together)).asked!)).toEqual(['a', 'b', 'c']);
    const aside = layerOf((_args, ctx) => Promise.all([ctx.elicit('a', Name, ask), ctx.elicit('b', Name, ask)]));
    const { asked, state } = await round(aside);
    expect(Object.keys(asked!)).toEqual(['a', 'b']);
    const half = await round(aside, { requestState: state, inputResponses: { b: accept({ name: 'B' }) } });
    expect(Object.keys(half.asked!)).toEqual(['a']);
    const done = await round(aside, { requestState: half.state, inputResponses: { a: accept({ name: 'A' }) } });
    expect(done.result.structuredContent.result).toEqual([accept({ name: 'A' }), accept({ name: 'B' })]);
  });

  test('is asked also when the handler catches what unwinds it, or forgets to wait', async () => {
    const swallows = layerOf(async (_args, ctx) => {
      try {
        return await ctx.elicit('who', Name, ask);
      } catch {
        return 'nobody';
      }
    });
    const wraps = layerOf(async (_args, ctx) => {
      await ctx.elicit('who', Name, ask).catch((error: unknown) => {
        throw new ToolError('wrapped', { error: String(error) });
      });
    });
    const forgets = layerOf((_args, ctx) => {
      void ctx.elicit('who', Name, ask);
      return 'too early';
    });
    for (const layer of [swallows, wraps, forgets]) expect(Object.keys((await round(layer)).asked!)).toEqual(['who']);
    await turn();
  });

  test('runs what is behind `finally` in every run', async () => {
    let open = 0;
    const layer = layerOf(async (_args, ctx) => {
      open++;
      try {
        return await ctx.elicit('who', Name, ask);
      } finally {
        open--;
      }
    });
    await round(layer);
    expect(open).toBe(0);
  });

  test('that lacks a capability gets an error that names it as an object, before anything is asked', async () => {
    const asks = {
      form: (ctx: ToolContext) => ctx.elicit('k', Name, ask),
      url: (ctx: ToolContext) => ctx.elicitUrl('k', 'https://example.com', ask),
      sample: (ctx: ToolContext) => ctx.sample('k', { messages: 'Hi', maxTokens: 1 }),
      tools: (ctx: ToolContext) => ctx.sample('k', { messages: 'Hi', maxTokens: 1, tools: [] }),
      roots: (ctx: ToolContext) => ctx.listRoots('k'),
      all: (ctx: ToolContext) => ctx.ask({ a: { form: Name, ...ask }, b: { roots: true } }),
    };
    const missing = async (kind: keyof typeof asks, capabilities: object): Promise<unknown> => {
      const layer = layerOf((_args, ctx) => asks[kind](ctx));
      const error: any = await round(layer, { capabilities: capabilities as never }).catch((thrown: unknown) => thrown);
      return error.name === 'MissingCapabilityError' ? error.data.requiredCapabilities : error;
    };
    expect(await missing('form', {})).toEqual({ elicitation: {} });
    expect(await missing('form', { elicitation: { url: {} } })).toEqual({ elicitation: { form: {} } });
    expect(await missing('url', { elicitation: {} })).toEqual({ elicitation: { url: {} } });
    expect(await missing('sample', {})).toEqual({ sampling: {} });
    expect(await missing('tools', { sampling: {} })).toEqual({ sampling: { tools: {} } });
    expect(await missing('roots', {})).toEqual({ roots: {} });
    expect(await missing('all', {})).toEqual({ elicitation: {}, roots: {} });
  });

  test('without a capability may be served another way', async () => {
    const layer = layerOf(async (_args, ctx) => (ctx.canAsk('form') ? ctx.elicit('who', Name, ask) : 'nobody asked'));
    const { result } = await round(layer, { capabilities: { sampling: {} } });
    expect(result.content[0].text).toBe('nobody asked');
  });
});

describe('the state that a modern client carries', () => {
  const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
  const answer = { who: accept({ name: 'Ada' }) };
  const refusal = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      (value) => value,
      (error: unknown) => {
        const { code, message, name } = error as { code: number; message: string; name: string };
        return [name, code, message];
      },
    );

  test('is bound to the caller, the arguments, the primitive and the layer', async () => {
    const { state } = await round(layer, {}, { a: 1, b: 2 });
    const retry = { requestState: state, inputResponses: answer };
    const foreign = ['RequestStateError', -32602, expect.stringContaining('another request or another caller')];
    expect(await refusal(round(layer, retry, { a: 1 }))).toEqual(foreign);
    expect(await refusal(round(layer, retry, { a: 1, b: 2 }, new Principal({ id: 'mallory' })))).toEqual(foreign);
    const renamed = layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { name: 'other' });
    expect(await refusal(round(renamed, retry, { a: 1, b: 2 }))).toEqual(foreign);
    const other = layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { prefix: 'my_' });
    expect(await refusal(round(other, retry, { a: 1, b: 2 }))).not.toHaveProperty('asked');
    // The order of keys says nothing.
    expect((await round(layer, retry, { b: 2, a: 1 })).result.isError).toBe(false);
  });

  test('is refused when it was changed, is no text or too long, whatever the handler would do', async () => {
    const idle = layerOf(() => 'done');
    const { state } = await round(layer);
    for (const requestState of [`${state}-TAMPERED`, 12, null, {}, '', 'x'.repeat(100_000)]) {
      expect(await refusal(round(layer, { requestState, inputResponses: answer }))).toEqual([
        'RequestStateError',
        -32602,
        expect.stringContaining('Invalid requestState'),
      ]);
      expect(await refusal(round(idle, { requestState }))).toEqual(['RequestStateError', -32602, expect.anything()]);
    }
  });

  test('is refused when it is too old', async () => {
    const clock = { time: 0, now: () => clock.time, monotonic: () => 0 };
    const short = layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { clock, requestState: { ttlMs: 50 } });
    const { state } = await round(short);
    clock.time = 50;
    expect(await refusal(round(short, { requestState: state, inputResponses: answer }))).toEqual([
      'RequestStateError',
      -32602,
      'Expired requestState: begin again.',
    ]);
  });

  test('tells its client nothing of what was answered and done', async () => {
    const secretive = layerOf(async (_args, ctx) => {
      await ctx.step('find', () => 'kingfisher');
      return ctx.elicit('who', Name, ask);
    });
    const { state } = await round(secretive);
    expect(Buffer.from(state!.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('kingfisher');
  });

  test('that would be too large is an error that says so', async () => {
    const large = layerOf(
      async (_args, ctx) => {
        await ctx.step('much', () => 'x'.repeat(2_000));
        return ctx.elicit('who', Name, ask);
      },
      { requestState: { maxChars: 1_000 } },
    );
    const { result } = await round(large);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/more than 1000\. Carry less/);
  });

  test('is warned of once over HTTP when only this process can open it', async () => {
    const warnings: string[] = [];
    const logger = { ...SILENT, warn: (text: string) => void warnings.push(text) };
    const { RequestInfo } = await import('../../../src/core/principal.js');
    const web = layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { logger, defaultCapabilities: [] });
    const client = { era: 'modern', version: '2026-07-28', capabilities: { elicitation: {} } } as never;
    for (const transport of ['stdio', 'http', 'http'] as const) {
      await web
        .callTool('work', {}, { context: { client, info: new RequestInfo({ transport }) } })
        .catch(() => undefined);
    }
    expect(warnings).toEqual([expect.stringContaining('requestState: { keys }')]);
  });
});

describe('an answer that comes unasked', () => {
  test('counts where nothing depends on the question having been asked', async () => {
    const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
    const { result } = await round(layer, { inputResponses: { who: accept({ name: 'Ada' }), more: 1 } });
    expect(result.structuredContent).toEqual(accept({ name: 'Ada' }));
  });

  test('does not count beside a state that does not know the question', async () => {
    const layer = layerOf(async (_args, ctx) => [await ctx.elicit('a', Name, ask), await ctx.elicit('b', Name, ask)]);
    const { state } = await round(layer);
    const both = { a: accept({ name: 'A' }), b: accept({ name: 'B' }) };
    expect(Object.keys((await round(layer, { requestState: state, inputResponses: both })).asked!)).toEqual(['b']);
  });
});

describe('a step', () => {
  test('runs once, and later runs find its result as JSON has it', async () => {
    let booked = 0;
    const layer = layerOf(async (_args, ctx) => {
      const booking = await ctx.step('book', () => ({ number: ++booked, at: new Date(0) }));
      await ctx.elicit('a', Name, ask);
      const nothing = await ctx.step<unknown>('void', () => undefined);
      await ctx.elicit('b', Name, ask);
      return { booking, nothing: nothing === undefined };
    });
    const { result, rounds } = await converse(layer, { elicit: () => ({ action: 'accept', content: { name: 'x' } }) });
    expect(rounds).toBe(3);
    expect(result.structuredContent).toEqual({ booking: { number: 1, at: '1970-01-01T00:00:00.000Z' }, nothing: true });
  });

  test('that fails has failed for good, with an error of the same kind', async () => {
    let tries = 0;
    const layer = layerOf(async (_args, ctx) => {
      const caught: unknown[] = [];
      const failing = (key: string, error: Error) =>
        ctx
          .step(key, () => {
            tries++;
            throw error;
          })
          .catch((thrown: unknown) => {
            const { data = null, message, name } = thrown as ToolError;
            caught.push([name, message, data, thrown instanceof ToolError]);
          });
      await failing('tool', new ToolError('sold out', { left: 0 }));
      await failing('plain', new TypeError('boom'));
      await ctx.elicit('a', Name, ask);
      return caught;
    });
    const { result } = await converse(layer, { elicit: () => ({ action: 'accept', content: { name: 'x' } }) });
    expect(tries).toBe(2);
    expect(result.structuredContent.result).toEqual([
      ['ToolError', 'sold out', { left: 0 }, true],
      ['TypeError', 'boom', null, false],
    ]);
  });

  test('that runs beside a question has ended before the client is asked', async () => {
    let runs = 0;
    const layer = layerOf(async (_args, ctx) => {
      const [value] = await Promise.all([
        ctx.step('slow', async () => {
          await turn();
          return ++runs;
        }),
        ctx.elicit('who', Name, ask),
      ]);
      return value;
    });
    const { result } = await converse(layer, { elicit: () => ({ action: 'accept', content: { name: 'x' } }) });
    expect([runs, result.structuredContent]).toEqual([1, { result: 1 }]);
  });

  test('needs no client at all, and its result must be plain JSON', async () => {
    const layer = layerOf((_args, ctx) => ctx.step('count', () => 42));
    expect((await layer.callTool('work')).structuredContent).toEqual({ result: 42 });
    const wrong = layerOf((_args, ctx) => ctx.step('promise', () => ({ later: Promise.resolve(1) })), {
      exposeErrors: true,
    });
    const { content } = (await wrong.callTool('work')).toWire() as any;
    expect(content[0].text).toMatch(/work, step 'promise': its result cannot be carried/);
  });
});

describe('a handler that asks differently when it runs again', () => {
  const answers = { a: accept({ name: 'A' }), b: accept({ name: 'B' }) };
  const second = async (handler: (ctx: ToolContext, run: number) => unknown): Promise<string> => {
    let run = 0;
    const logged: unknown[] = [];
    const logger = { ...SILENT, error: (text: string, fields: unknown) => void logged.push([text, fields]) };
    const layer = layerOf((_args, ctx) => handler(ctx, ++run), { logger });
    const { state } = await round(layer);
    const { result } = await round(layer, { requestState: state, inputResponses: answers });
    expect(result.isError).toBe(true);
    expect(logged).toHaveLength(1);
    return result.content[0].text as string;
  };

  test('in another order', async () => {
    expect(
      await second(async (ctx, run) => {
        for (const key of run === 1 ? ['a', 'b'] : ['b', 'a']) await ctx.elicit(key, Name, ask);
      }),
    ).toMatch(/^question 'b' comes where question 'a' came before\. A handler runs again/);
  });

  test('with other words', async () => {
    expect(await second((ctx, run) => ctx.elicit('a', Name, { message: `Run ${run}?` }))).toMatch(
      /^question 'a' asks something else than before/,
    );
  });

  test('with another form', async () => {
    expect(await second((ctx, run) => ctx.elicit<object>('a', run === 1 ? Name : Count, ask))).toMatch(
      /asks something else/,
    );
  });

  test('of another kind', async () => {
    expect(await second((ctx, run) => (run === 1 ? ctx.elicit('a', Name, ask) : ctx.listRoots('a')))).toMatch(
      /^'a' was of kind form before and is of kind roots now/,
    );
  });

  test('after steps in another order', async () => {
    expect(
      await second(async (ctx, run) => {
        for (const key of run === 1 ? ['x', 'y'] : ['y', 'x']) await ctx.step(key, () => key);
        await ctx.elicit('a', Name, ask);
      }),
    ).toMatch(/^step 'y' comes where step 'x' came before/);
  });

  test('even when it catches the error', async () => {
    expect(
      await second(async (ctx, run) => {
        try {
          return await ctx.elicit('a', Name, { message: `Run ${run}?` });
        } catch {
          return 'caught';
        }
      }),
    ).toMatch(/asks something else/);
  });

  test('or uses a key twice, which is found in the first run', async () => {
    const layer = layerOf(async (_args, ctx) => {
      await ctx.step('k', () => 1);
      return ctx.step('k', () => 2);
    });
    const { content, isError } = (await layer.callTool('work')).toWire() as any;
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining("step 'k' comes twice")]);
  });
});
