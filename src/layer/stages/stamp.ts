import type { ToolStage } from '../call-state.js';
import { reportOf } from '../pipeline.js';

/** Writes how long the call took into `_meta`, and what the policy did. */
export const stamp: ToolStage = {
  name: 'stamp',
  summary: '_meta: how long it took',
  only: 'tool',
  applies: () => true,
  run(call) {
    const duration = { [call.runtime.durationKey]: call.elapsedMs };
    const report = call.pipeline === undefined ? undefined : reportOf(call);
    call.result = call.result.withMeta(report === undefined ? duration : { ...duration, ...report });
  },
};
