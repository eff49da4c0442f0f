import { IsIn } from 'class-validator';
import { type Policy, Principal } from 'cartouche';
import type { CALL_BOUNDS } from '../../../src/core/bounds/calls.js';
import { canonicalJson } from '../../../src/core/canonical-json.js';
import { toJsonValue } from '../../../src/core/json-value.js';
import { nearest } from '../../../src/core/nearest.js';
import { toCompletionResult } from '../../../src/layer/results.js';
import { StateSealer } from '../../../src/asking/sealer.js';
import { fixedClock } from '../../../src/testing/deterministic.js';
import { layerOf } from '../layers.js';
import { type Probe, TEXT, works } from './probe.js';

class Right {
  @IsIn(['yes'])
  word!: string;
}

/** As it is, and not a copy of its names: what is spied on here is seen by whoever imports it. */
const crypto = jest.requireActual<typeof import('node:crypto')>('node:crypto');
const KEY = TEXT(32);

/** A client of a handshake revision, asked in the middle of a call. */
function asked(answer: (times: number, options: { timeoutMs: number }) => unknown) {
  let times = 0;
  return {
    era: 'handshake' as const,
    version: '2025-11-25',
    capabilities: { elicitation: { form: {}, url: {} } },
    request: (_method: string, _params: object, options: { timeoutMs: number }) =>
      Promise.resolve({ action: 'accept', content: answer(++times, options) }),
  };
}

/** Whether a call that asks under `key` gets its answer. */
async function asks(options: object, answer: Parameters<typeof asked>[0], key = 'k'): Promise<boolean> {
  const layer = layerOf(
    (registry) =>
      registry.tool({ name: 'ask' }, (_args, context) => context.elicit(key, Right, { message: 'Say yes' })),
    options,
  );
  const { isError } = await layer.callTool('ask', {}, { context: { client: asked(answer) as never } });
  return !isError;
}

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** A policy by which every caller sees what is its own to see. */
function counting(): { policy: Policy; asked: () => number } {
  let count = 0;
  const decide = (): { allowed: boolean } => {
    count++;
    return { allowed: true };
  };
  const policy = { name: 'counting', decide, scopeOf: ({ id }: Principal) => id } as unknown as Policy;
  return { policy, asked: () => count };
}

export const CALL_PROBES: Readonly<Record<keyof typeof CALL_BOUNDS, Probe>> = {
  defaultTimeoutMs: {
    limit: 60_000,
    fits: async (count, limit) => {
      const clock = fixedClock(0);
      let left = 0;
      const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => 1), {
        clock,
        defaultTimeoutMs: limit,
        middleware: [
          (call, next) => {
            left = call.deadline - clock.monotonic();
            return next();
          },
        ],
      });
      await layer.callTool('one');
      return count <= left;
    },
  },
  askTimeoutMs: {
    limit: 5000,
    fits: async (count, limit) => {
      let given = 0;
      await asks({ askTimeoutMs: limit }, (_times, { timeoutMs }) => {
        given = timeoutMs;
        return { word: 'yes' };
      });
      return count <= given;
    },
  },
  maxOutputChars: {
    limit: 100,
    fits: async (count, limit) => {
      const layer = layerOf((registry) => registry.tool({ name: 'text' }, () => TEXT(count)), {
        maxOutputChars: limit,
      });
      const { content } = (await layer.callTool('text')).toWire() as { content: { text: string }[] };
      return content[0]?.text === TEXT(count);
    },
  },
  maxResultChars: {
    limit: 1000,
    fits: (count, limit) => {
      const layer = layerOf((registry) => registry.resource({ uri: 'r://a', name: 'a' }, () => TEXT(count)), {
        maxResultChars: limit,
      });
      return works(() => layer.readResource('r://a'));
    },
  },
  stateTtlMs: {
    limit: 1000,
    fits: (count, limit) => {
      const clock = fixedClock(0);
      const sealer = new StateSealer({ keys: [KEY], ttlMs: limit }, clock);
      const state = sealer.seal({});
      // Its last millisecond is the one before.
      clock.advance(count - 1);
      return works(() => sealer.open(state));
    },
  },
  maxStateChars: {
    limit: 500,
    fits: (count, limit) => {
      const sealer = new StateSealer({ keys: [KEY], maxChars: limit }, fixedClock(0));
      try {
        sealer.open(TEXT(count));
      } catch (error) {
        return !(error as Error).message.includes('too long');
      }
      return true;
    },
  },
  formTries: { fits: (count) => asks({}, (times) => ({ word: times === count ? 'yes' : 'no' })) },
  questionKeyChars: { fits: (count) => asks({}, () => ({ word: 'yes' }), TEXT(count)) },
  completions: { fits: (count) => !toCompletionResult(Array.from({ length: count }, String)).hasMore },
  resultDepth: { fits: (count) => works(() => toJsonValue(nested(count))) },
  iterated: {
    fits: (count) =>
      works(() =>
        toJsonValue(
          (function* () {
            for (let i = 0; i < count; i++) yield i;
          })(),
        ),
      ),
  },
  listScopes: {
    fits: (count) => {
      const { policy, asked: decisions } = counting();
      const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => 1), { policy });
      for (let i = 0; i < count; i++) layer.listTools(new Principal({ id: `p${i}` }));
      const before = decisions();
      layer.listTools(new Principal({ id: 'p0' }));
      return decisions() === before;
    },
  },
  comparedNames: {
    fits: async (count) => {
      const layer = layerOf((registry) => {
        for (let i = 1; i < count; i++) registry.tool({ name: `${i}` }, () => i);
        registry.tool({ name: 'the_last_of_all' }, () => 1);
      });
      const error = await Promise.resolve(layer.callTool('the_last_of_al')).catch((thrown: unknown) => thrown);
      return (error as Error).message.includes('the_last_of_all');
    },
  },
  comparedNameChars: { fits: (count) => nearest(`${TEXT(count - 1)}y`, [TEXT(count)]) !== undefined },
  canonicalDepth: { fits: (count) => canonicalJson(nested(count)) !== undefined },
  sealingKeys: {
    fits: (count) => {
      const derived = jest.spyOn(crypto, 'hkdfSync');
      const keys = Array.from({ length: count }, (_, i) => KEY + String(i));
      const sealer = new StateSealer({ keys }, fixedClock(0));
      sealer.seal({});
      derived.mockClear();
      sealer.seal({});
      const again = derived.mock.calls.length;
      derived.mockRestore();
      return again === 0;
    },
  },
};
