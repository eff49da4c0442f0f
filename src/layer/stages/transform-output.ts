import type { CallState, Stage } from '../call-state.js';
import { reportOf, rewriteOf } from '../pipeline.js';
import type { Rewrite } from '../transform-result.js';

/** Lets the policy rewrite what leaves. */
export const transformOutput: Stage = {
  name: 'transform-output',
  summary: 'the policy rewrites what leaves',
  applies: (_spec, { policy }) => policy.pipeline !== undefined,
  run(call) {
    call.given = call.result;
    const rewrite = rewriteOf(call);
    if (rewrite !== undefined) return transform(call, rewrite);
    report(call);
  },
};

async function transform(call: CallState, rewrite: Rewrite): Promise<void> {
  call.result = await call.rules.rewritten(call, rewrite);
  report(call);
}

/** A tool's report is written last of all, beside its duration. */
function report(call: CallState): void {
  if (call.rules.withReport === undefined) return;
  const meta = reportOf(call);
  if (meta !== undefined) call.result = call.rules.withReport(call.result, meta);
}
