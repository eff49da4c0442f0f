import type { ToolResult } from '../../core/tool-result.js';
import type { Stage } from '../call-state.js';
import { reportOf } from '../pipeline.js';

/** Writes how long the call took into `_meta`, and what the policy did. */
export const stamp: Stage = {
  name: 'stamp',
  summary: '_meta: how long it took',
  applies: (spec) => spec.kind === 'tool',
  run(call) {
    const duration = { [`${call.metaPrefix}duration_ms`]: call.elapsedMs };
    const report = call.pipeline === undefined ? undefined : reportOf(call);
    call.value = (call.value as ToolResult).withMeta(report === undefined ? duration : { ...duration, ...report });
  },
};
