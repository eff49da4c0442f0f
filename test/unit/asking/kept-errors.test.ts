import type { AskKind } from '../../../src/core/asking.js';
import type { ClientCapabilities } from '../../../src/core/client-port.js';
import {
  AccessDeniedError,
  InvalidArgumentsError,
  McpLayerError,
  NotFoundError,
  RateLimitedError,
  ToolError,
} from '../../../src/core/errors.js';
import { canBeAsked } from '../../../src/asking/may-ask.js';
import { keepFailure, likeKept } from '../../../src/asking/steps.js';
import { ALL, converse, layerOf } from './support.js';

const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
const ask = { message: 'Who?' };
const answers = { elicit: () => ({ action: 'accept', content: { name: 'x' } }) as const };

class Own extends Error {
  override name = 'Own';
}

/** What a step may throw, and the class that the handler meets when it runs again. */
const failures: readonly (readonly [thrown: unknown, cls: new (...args: never[]) => Error])[] = [
  [new ToolError('tool', { left: 0 }), ToolError],
  [new NotFoundError('not found', { uri: 'x' }), NotFoundError],
  [new AccessDeniedError('denied', { why: 'x' }), AccessDeniedError],
  [new RateLimitedError('too often', { retry_after: 1 }), RateLimitedError],
  [new InvalidArgumentsError([{ loc: 'a', msg: 'is wrong', type: 'x' }]), InvalidArgumentsError],
  [new McpLayerError('own code', { a: 1 }, { code: -32099 }), McpLayerError],
  [new McpLayerError('no data', undefined), McpLayerError],
  [new TypeError('type'), Error],
  [new Own('own'), Error],
  ['text', Error],
];

describe('what a step failed with', () => {
  test.each(failures)('%p', (thrown, cls) => {
    const kept: unknown = JSON.parse(JSON.stringify(keepFailure(thrown)));
    const again = likeKept(kept);
    expect(again).toBeInstanceOf(cls);
    const { code, data, message, name } = (typeof thrown === 'string' ? new Error(thrown) : thrown) as McpLayerError;
    expect({ code: (again as McpLayerError).code, data: (again as McpLayerError).data, message: again.message, name: again.name }).toEqual({ code, data, message, name }); // prettier-ignore
    expect(JSON.parse(JSON.stringify(keepFailure(again)))).toEqual(kept);
  });

  test('is met again through the rounds, by class and with all that it says', async () => {
    const layer = layerOf(async (_args, ctx) => {
      const met: unknown[] = [];
      for (const [index, [thrown, cls]] of failures.entries()) {
        const failing = ctx.step(String(index), () => {
          throw thrown;
        });
        await failing.catch((error: unknown) => {
          const { code = null, data = null } = error as { code?: unknown; data?: unknown };
          met.push([
            error instanceof cls || error === thrown,
            error instanceof Error ? error.message : error,
            code,
            data,
          ]);
        });
      }
      await ctx.elicit('a', form, ask);
      return met;
    });
    const { result } = await converse(layer, answers);
    expect(result.structuredContent.result).toEqual(
      failures.map(([thrown]) => {
        const { code = null, data = null, message } = thrown as Partial<McpLayerError>;
        return [true, message ?? thrown, code, data];
      }),
    );
  });

  test('whose data JSON cannot say is kept without it', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(keepFailure(new ToolError('x', cycle))).not.toHaveProperty('data');
    expect(keepFailure(new ToolError('x', cycle))).toMatchObject({ kind: 'ToolError', message: 'x' });
  });

  test('is not the question that it has to ask: that is asked, and the step runs again', async () => {
    let runs = 0;
    const layer = layerOf(async (_args, ctx) => {
      const named = await ctx.step('naming', async () => {
        runs++;
        return (await ctx.elicit('who', form, ask)).action;
      });
      return named;
    });
    const { result, rounds } = await converse(layer, answers);
    expect([result.structuredContent, rounds, runs]).toEqual([{ result: 'accept' }, 2, 2]);
  });
});

describe('whether a client can be asked', () => {
  const kinds: readonly AskKind[] = ['form', 'url', 'sample', 'sample-tools', 'roots'];
  const modern = (capabilities: ClientCapabilities) =>
    ({
      era: 'modern',
      version: '2026-07-28',
      capabilities,
      inputResponses: undefined,
      requestState: undefined,
    }) as const;
  const handshake = (version: string, capabilities: ClientCapabilities) =>
    ({ era: 'handshake', version, capabilities, request: () => Promise.resolve() }) as const;

  test.each<[what: string, client: unknown, can: readonly AskKind[]]>([
    ['nobody', undefined, []],
    ['one that does all', modern(ALL), kinds],
    ['one that does nothing', modern({}), []],
    ['one with forms alone', modern({ elicitation: { form: {} } }), ['form']],
    ['one with addresses alone', modern({ elicitation: { url: {} } }), ['url']],
    ['one that samples without tools', modern({ sampling: {} }), ['sample']],
    ['one that samples with tools', modern({ sampling: { tools: {} } }), ['sample', 'sample-tools']],
    ['one with roots', modern({ roots: {} }), ['roots']],
    ['an old one that does all', handshake('2025-11-25', ALL), kinds],
    ['one before tools in sampling', handshake('2025-06-18', ALL), ['form', 'sample', 'roots']],
    ['one before elicitation', handshake('2025-03-26', ALL), ['sample', 'roots']],
  ])('%s', (_what, client, can) => {
    const asked = (mayAsk: boolean): readonly AskKind[] =>
      kinds.filter((kind) => canBeAsked({ site: 't', client: client as never, mayAsk }, kind));
    expect(asked(true)).toEqual(can);
    expect(asked(false)).toEqual([]);
  });
});
