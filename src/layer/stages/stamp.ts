import type { ToolResult } from '../../core/tool-result.js';
import type { Stage } from '../call-state.js';

/** Writes how long the call took into `_meta`. */
export const stamp: Stage = {
  name: 'stamp',
  summary: '_meta: how long it took',
  applies: (spec) => spec.kind === 'tool',
  run(call) {
    call.value = (call.value as ToolResult).withMeta({ [`${call.metaPrefix}duration_ms`]: call.elapsedMs });
  },
};
