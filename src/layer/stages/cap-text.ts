import { TextContent } from '../../core/content.js';
import type { ToolStage } from '../call-state.js';

/** Cuts text blocks that no model could use, and says so at their end. */
export const capText: ToolStage = {
  name: 'cap-text',
  summary: 'text blocks over the limit are cut, and marked',
  only: 'tool',
  applies: (_spec, { maxOutputChars }) => maxOutputChars !== Infinity,
  run(call) {
    const limit = call.runtime.options.maxOutputChars;
    const { result } = call;
    if (!result.content.some((block) => block instanceof TextContent && block.text.length > limit)) return;
    const content = result.content.map((block) =>
      block instanceof TextContent && block.text.length > limit
        ? new TextContent(cut(block.text, limit), block.options)
        : block,
    );
    call.result = result.with({ content });
  },
};

function cut(text: string, limit: number): string {
  // Half of a surrogate pair is not text.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}\n… [cut: ${text.length - end} of ${text.length} characters]`;
}
