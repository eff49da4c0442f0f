import type { ResourceLink } from '../../core/content.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { CallState, Stage } from '../call-state.js';
import { type Rewrite, rewriteOf } from '../pipeline.js';
import { eachContent } from '../transform-result.js';

/** Appends the links that the handler gave its context. */
export const appendLinks: Stage = {
  name: 'append-links',
  summary: 'links from the context follow the content',
  applies: (spec) => spec.kind === 'tool',
  run(call) {
    const { links } = call.control;
    if (links.length === 0) return;
    const rewrite = rewriteOf(call);
    // They come after the text was cut, but what the policy hides is hidden in them too.
    if (rewrite !== undefined) return appendRewritten(call, links, rewrite);
    call.value = (call.value as ToolResult).append(...links);
  },
};

async function appendRewritten(call: CallState, links: readonly ResourceLink[], rewrite: Rewrite): Promise<void> {
  const shown = await eachContent(links, rewrite);
  call.value = (call.value as ToolResult).append(...shown);
}
