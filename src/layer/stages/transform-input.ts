import { isPromise } from '../../core/guards.js';
import type { Pipeline, Place } from '../../core/ports.js';
import type { CallState, Stage } from '../call-state.js';
import { pipelineOf, rewriteNowOf } from '../pipeline.js';
import { asText } from '../transform-result.js';

const NO_PIPELINE: Pipeline = Object.freeze({});

/** Lets the policy rewrite what comes in, before it is checked. */
export const transformInput: Stage = {
  name: 'transform-input',
  summary: 'the policy rewrites what comes in',
  applies: (_spec, { policy }) => policy.pipeline !== undefined,
  run(call) {
    if (call.pipeline === undefined) {
      const { policy } = call.runtime.options;
      call.pipeline = pipelineOf(policy, call.found().spec, call.principal) ?? NO_PIPELINE;
      call.control.rewriteWith(rewriteNowOf(call));
    }
    if (call.pipeline.input === undefined) return;
    if (call.completion !== undefined) return rewriteCompletion(call, call.pipeline, call.completion.argument);
    // What has to be waited for is waited for: a promise is not an argument that could be checked.
    const rewritten = call.pipeline.input(call.value, placeOf(call));
    if (isPromise(rewritten)) {
      return Promise.resolve(rewritten).then((value) => {
        call.value = value;
      });
    }
    call.value = rewritten;
  },
};

function placeOf(call: CallState): Place {
  return { part: call.kind === 'resource' ? 'variables' : 'arguments' };
}

async function rewriteCompletion(call: CallState, pipeline: Pipeline, argument: string): Promise<void> {
  const { completion } = call;
  if (completion === undefined) return;
  call.value = asText(await pipeline.input?.(call.value, { part: 'completion', key: argument }));
  const known = await pipeline.input?.(completion.given, { part: 'completion', key: 'given' });
  completion.known = known as typeof completion.known;
}
