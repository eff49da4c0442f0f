import type { CompletionResult } from '../../core/middleware.js';
import type { Stage } from '../call-state.js';
import { transformCompletion, transformResult } from '../transform-result.js';

/** Lets the policy rewrite what leaves. */
export const transformOutput: Stage = {
  name: 'transform-output',
  summary: 'the policy rewrites what leaves',
  applies: (_spec, { policy }) => policy.transforms !== undefined,
  run(call) {
    const output = call.transforms?.output?.bind(call.transforms);
    if (output === undefined) return;
    call.value =
      call.completion === undefined
        ? transformResult(call.value, output)
        : transformCompletion(call.value as CompletionResult, call.completion.argument, output);
  },
};
