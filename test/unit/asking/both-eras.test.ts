import fc from 'fast-check';
import { IsString } from 'class-validator';
import { answeringClient, type ClientAnswers } from '../../../src/asking/answering-client.js';
import type { ToolContext } from '../../../src/core/context.js';
import { ToolError } from '../../../src/core/errors.js';
import type { McpLayer } from '../../../src/mcp-layer.js';
import { converse, layerOf, turn } from './support.js';

class Word {
  @IsString()
  word!: string;
}

/** What a random handler does. Keys are given by where an operation stands. */
type Op =
  | { readonly do: 'form' | 'url' | 'sample' | 'roots' | 'batch' }
  | { readonly do: 'step'; readonly fails: boolean; readonly slow: boolean }
  /** Asks, and goes on as the answer says. */
  | { readonly do: 'branch'; readonly yes: readonly Op[]; readonly no: readonly Op[] }
  | { readonly do: 'aside'; readonly parts: readonly (readonly Op[])[] }
  | { readonly do: 'swallow'; readonly inner: readonly Op[] };

const { ops } = fc.letrec<{ ops: Op[]; op: Op }>((tie) => ({
  ops: fc.array(tie('op'), { maxLength: 4 }),
  op: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ do: fc.constantFrom('form', 'url', 'sample', 'roots', 'batch') }) as fc.Arbitrary<Op>,
    fc.record({ do: fc.constant('step'), fails: fc.boolean(), slow: fc.boolean() }) as fc.Arbitrary<Op>,
    fc.record({ do: fc.constant('branch'), yes: tie('ops'), no: tie('ops') }) as fc.Arbitrary<Op>,
    fc.record({ do: fc.constant('aside'), parts: fc.array(tie('ops'), { maxLength: 3 }) }) as fc.Arbitrary<Op>,
    fc.record({ do: fc.constant('swallow'), inner: tie('ops') }) as fc.Arbitrary<Op>,
  ),
}));

/** Runs a script and gives what it saw, in its own order. */
async function run(script: readonly Op[], ctx: ToolContext, ran: Map<string, number>, at = ''): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const [index, op] of script.entries()) {
    const key = `${at}${index}`;
    const message = `Word for ${key}?`;
    switch (op.do) {
      case 'form':
        seen.push(await ctx.elicit(key, Word, { message }));
        break;
      case 'url':
        seen.push(await ctx.elicitUrl(key, `https://example.com/${key}`, { message }));
        break;
      case 'sample':
        seen.push(await ctx.ask({ [key]: { sample: { messages: message, maxTokens: 1 } } }));
        break;
      case 'roots':
        seen.push(await ctx.ask({ [key]: { roots: true } }));
        break;
      case 'batch':
        seen.push(await ctx.ask({ [`${key}a`]: { form: Word, message }, [`${key}b`]: { roots: true } }));
        break;
      case 'step':
        seen.push(await ctx.step(key, () => work(key, op, ran)).catch((error: unknown) => outcomeOf(error)));
        break;
      case 'branch': {
        const { action } = await ctx.elicit(key, Word, { message });
        seen.push(await run(action === 'accept' ? op.yes : op.no, ctx, ran, `${key}.`));
        break;
      }
      case 'aside':
        seen.push(await Promise.all(op.parts.map((part, n) => run(part, ctx, ran, `${key}.${n}.`))));
        break;
      case 'swallow':
        seen.push(await run(op.inner, ctx, ran, `${key}.`).catch(() => 'swallowed'));
    }
  }
  return seen;
}

async function work(key: string, op: Extract<Op, { do: 'step' }>, ran: Map<string, number>): Promise<unknown> {
  ran.set(key, (ran.get(key) ?? 0) + 1);
  if (op.slow) await turn();
  if (op.fails) throw new ToolError(`no ${key}`, { key });
  return { key, at: new Date(0) };
}

/** What a handler may see of an error that it catches; what unwinds it is thrown on. */
function outcomeOf(error: unknown): unknown {
  if (!(error instanceof ToolError)) throw error;
  return [error.message, error.data];
}

/** Answers that depend on the question only. */
const answers: ClientAnswers = {
  elicit: ({ message }) =>
    message.length % 3 === 0 ? { action: 'decline' } : { action: 'accept', content: { word: message.toUpperCase() } },
  elicitUrl: ({ url }) => ({ action: url.length % 2 === 0 ? 'accept' : 'cancel' }),
  sample: ({ messages }) => JSON.stringify(messages),
  roots: [{ uri: 'file:///root' }],
};

interface Outcome {
  readonly result: unknown;
  readonly ran: readonly (readonly [string, number])[];
}

async function outcome(script: readonly Op[], drive: (layer: McpLayer) => Promise<unknown>): Promise<Outcome> {
  const ran = new Map<string, number>();
  const layer = layerOf((_args, ctx) => run(script, ctx, ran));
  const result = (await drive(layer)) as { structuredContent: unknown; content: unknown; isError: boolean };
  return {
    result: [result.isError, result.structuredContent ?? result.content],
    ran: [...ran].sort(([a], [b]) => a.localeCompare(b)),
  };
}

test('whatever a handler asks and does, both eras end with the same result and every step ran once', async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (script) => {
      const client = answeringClient(answers);
      const handshake = await outcome(script, async (layer) =>
        (await layer.callTool('work', {}, { context: { client } })).toWire(),
      );
      const modern = await outcome(script, async (layer) => (await converse(layer, answers, {}, 200)).result);
      expect(modern).toEqual(handshake);
      expect(handshake.result).toMatchObject([false, {}]);
      expect(modern.ran.filter(([, times]) => times !== 1)).toEqual([]);
    }),
    { numRuns: Number(process.env['ASKING_RUNS'] ?? 200) },
  );
}, 300_000);
