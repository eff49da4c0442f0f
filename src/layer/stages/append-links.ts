import type { ToolResult } from '../../core/tool-result.js';
import type { Stage } from '../call-state.js';
import { transformContent } from '../transform-result.js';

/** Appends the links that the handler gave its context. */
export const appendLinks: Stage = {
  name: 'append-links',
  summary: 'links from the context follow the content',
  applies: (spec) => spec.kind === 'tool',
  run(call) {
    const { links } = call.context;
    if (links.length === 0) return;
    const output = call.transforms?.output?.bind(call.transforms);
    // They come after the text was cut, but what the policy hides is hidden in them too.
    const shown = output === undefined ? links : links.map((link) => transformContent(link, output));
    call.value = (call.value as ToolResult).append(...shown);
  },
};
