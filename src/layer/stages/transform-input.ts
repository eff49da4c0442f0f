import type { Transforms } from '../../core/ports.js';
import type { CallState, Stage } from '../call-state.js';

/** Lets the policy rewrite what comes in, before it is checked. */
export const transformInput: Stage = {
  name: 'transform-input',
  summary: 'the policy rewrites what comes in',
  applies: (_spec, { policy }) => policy.transforms !== undefined,
  run(call) {
    const transforms = call.runtime.options.policy.transforms?.(call.found().spec, call.principal);
    call.transforms = transforms;
    call.context.rewriteWith(transforms?.output?.bind(transforms));
    if (transforms?.input !== undefined) rewrite(call, transforms);
  },
};

function rewrite(call: CallState, transforms: Transforms): void {
  call.value = transforms.input?.(call.value);
  const { completion } = call;
  if (completion === undefined) return;
  completion.given = transforms.input?.(completion.given) as typeof completion.given;
}
