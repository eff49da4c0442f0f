import type { ToolResult } from '../../core/tool-result.js';
import type { Stage } from '../call-state.js';

/** Appends the links that the handler gave its context. */
export const appendLinks: Stage = {
  name: 'append-links',
  summary: 'links from the context follow the content',
  applies: (spec) => spec.kind === 'tool',
  run(call) {
    const { links } = call.context;
    if (links.length > 0) call.value = (call.value as ToolResult).append(...links);
  },
};
