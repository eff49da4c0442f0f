import type { ResourceLink } from '../../core/content.js';
import type { CallState, ToolStage } from '../call-state.js';
import { rewriteOf } from '../pipeline.js';
import { eachContent, type Rewrite } from '../transform-result.js';

/** Appends the links that the handler gave its context. */
export const appendLinks: ToolStage = {
  name: 'append-links',
  summary: 'links from the context follow the content',
  only: 'tool',
  applies: () => true,
  run(call) {
    const { links } = call.control;
    if (links.length === 0) return;
    const rewrite = rewriteOf(call);
    // They come after the text was cut, but what the policy hides is hidden in them too.
    if (rewrite !== undefined) return appendRewritten(call, links, rewrite);
    call.result = call.result.append(...links);
  },
};

async function appendRewritten(
  call: CallState<'tool'>,
  links: readonly ResourceLink[],
  rewrite: Rewrite,
): Promise<void> {
  const shown = await eachContent(links, rewrite);
  call.result = call.result.append(...shown);
}
