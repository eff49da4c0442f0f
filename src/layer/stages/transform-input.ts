import { isPromise, isRecord } from '../../core/guards.js';
import type { Pipeline } from '../../core/ports.js';
import type { CompletionRequest } from '../call-parts.js';
import type { Stage } from '../call-state.js';
import { startPipeline } from '../pipeline.js';
import { asText } from '../transform-result.js';

/** Lets the policy rewrite what comes in, before it is checked. */
export const transformInput: Stage = {
  name: 'transform-input',
  summary: 'the policy rewrites what comes in',
  applies: (_spec, { policy }) => policy.pipeline !== undefined,
  run(call) {
    const pipeline = startPipeline(call);
    if (pipeline.input === undefined) return;
    if (call.completion !== undefined) return rewriteCompletion(call.completion, pipeline);
    // What has to be waited for is waited for: a promise is not an argument that could be checked.
    const rewritten = pipeline.input(call.value, { part: call.rules.argumentsPart });
    if (isPromise(rewritten)) {
      return Promise.resolve(rewritten).then((value) => {
        call.value = value;
      });
    }
    call.value = rewritten;
  },
};

async function rewriteCompletion(completion: CompletionRequest, pipeline: Pipeline): Promise<void> {
  const { argument, given, text } = completion;
  completion.partial = asText(await pipeline.input?.(text, { part: 'completion', key: argument }));
  const known = await pipeline.input?.(given, { part: 'completion', key: 'given' });
  completion.known = isRecord(known)
    ? Object.fromEntries(Object.entries(known).map(([name, value]) => [name, asText(value)]))
    : {};
}
