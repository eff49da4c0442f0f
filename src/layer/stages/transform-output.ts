import type { CompletionResult } from '../../core/middleware.js';
import type { CallState, Stage } from '../call-state.js';
import { reportOf, type Rewrite, rewriteOf } from '../pipeline.js';
import { transformCompletion, transformResult, withReport } from '../transform-result.js';

/** Lets the policy rewrite what leaves. */
export const transformOutput: Stage = {
  name: 'transform-output',
  summary: 'the policy rewrites what leaves',
  applies: (_spec, { policy }) => policy.pipeline !== undefined,
  run(call) {
    const rewrite = rewriteOf(call);
    if (rewrite !== undefined) return transform(call, rewrite);
    report(call);
  },
};

async function transform(call: CallState, rewrite: Rewrite): Promise<void> {
  const { completion } = call;
  if (completion === undefined) {
    call.value = await transformResult(call.value, rewrite, call.kind === 'resource' ? call.name : undefined);
    report(call);
  } else {
    call.value = await transformCompletion(call.value as CompletionResult, completion.argument, rewrite);
  }
}

/** A tool's report is written last of all, beside its duration. */
function report(call: CallState): void {
  if (call.kind !== 'prompt' && call.kind !== 'resource') return;
  const meta = reportOf(call);
  if (meta !== undefined) call.value = withReport(call.value, meta);
}
