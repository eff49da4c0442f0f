import type { Stage } from '../call-state.js';
import { transformResult } from '../transform-result.js';

/** Lets the policy rewrite what leaves. */
export const transformOutput: Stage = {
  name: 'transform-output',
  summary: 'the policy rewrites what leaves',
  applies: (_spec, { policy }) => policy.transforms !== undefined,
  run(call) {
    const output = call.transforms?.output;
    if (output !== undefined) call.value = transformResult(call.value, (value) => output(value));
  },
};
