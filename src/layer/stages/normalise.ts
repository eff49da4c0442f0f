import type { Stage } from '../call-state.js';
import { toCompletionResult, toPromptResult, toResourceContents, toToolResult } from '../results.js';

/** Makes an answer of whatever the handler returned. */
export const normalise: Stage = {
  name: 'normalise',
  summary: 'whatever was returned becomes an answer',
  applies: () => true,
  run(call) {
    const { spec } = call.found();
    if (call.completion !== undefined) call.value = toCompletionResult(call.value);
    else if (spec.kind === 'tool') call.value = toToolResult(call.value, spec.output?.wrapped);
    else if (spec.kind === 'prompt') call.value = toPromptResult(call.value, spec);
    else call.value = toResourceContents(call.value, call.name, spec);
  },
};
