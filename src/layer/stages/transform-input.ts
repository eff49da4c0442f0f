import type { Stage } from '../call-state.js';

/** Lets the policy rewrite what comes in, before it is checked. */
export const transformInput: Stage = {
  name: 'transform-input',
  summary: 'the policy rewrites what comes in',
  applies: (_spec, { policy }) => policy.transforms !== undefined,
  run(call) {
    call.transforms = call.runtime.options.policy.transforms?.(call.found().spec, call.principal);
    if (call.transforms?.input !== undefined) call.value = call.transforms.input(call.value);
  },
};
