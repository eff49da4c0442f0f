import type { ResourceContents } from '../../core/content.js';
import type { PromptResult } from '../../core/prompt-result.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { Stage } from '../call-state.js';
import { tooLong } from '../results.js';

/** Refuses an answer that would hold up everybody else while it is written. */
export const capAnswer: Stage = {
  name: 'cap-answer',
  summary: 'an answer over the limit becomes an error in words',
  applies: (_spec, { maxResultChars }) => maxResultChars !== Infinity,
  run({ result, runtime }) {
    const { maxResultChars } = runtime.options;
    const chars = lengthOf(result as ToolResult | PromptResult | readonly ResourceContents[]);
    if (chars > maxResultChars) throw tooLong(chars, maxResultChars);
  },
};

/** Completions are few and short; they have no length here. */
function lengthOf(result: Partial<ToolResult & PromptResult> | readonly ResourceContents[]): number {
  let chars = 0;
  if (Array.isArray(result)) for (const item of result as readonly ResourceContents[]) chars += charsOf(item as Texts);
  else {
    const { content, messages } = result as Partial<ToolResult & PromptResult>;
    for (const block of content ?? []) chars += charsOf(block as Texts);
    for (const message of messages ?? []) chars += charsOf(message.content as Texts);
  }
  return chars;
}

interface Texts {
  readonly text?: unknown;
  readonly data?: unknown;
  readonly blob?: unknown;
  readonly resource?: Texts;
}

function charsOf({ blob, data, resource, text }: Texts): number {
  const inside = resource === undefined ? 0 : charsOf(resource);
  return inside + sizeOf(text) + sizeOf(data) + sizeOf(blob);
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
