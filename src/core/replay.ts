import type { ResourceContents, ResourceLink } from './content.js';
import type { ToolResult } from './tool-result.js';

/** What a handler gave, before a policy's pipeline saw it. */
export interface Given {
  readonly answer: ToolResult | readonly ResourceContents[];
  /** What its context got beside it. */
  readonly links: readonly ResourceLink[];
}

/** For what keeps answers of calls whose data a policy rewrites: each caller is shown them in its own way. */
export interface Replay {
  /** What the handler gave; `undefined` when `answer` is not what became of that. */
  givenFor(answer: Given['answer']): Given | undefined;
  /** What this call's caller is shown of what a handler gave to another call. */
  show(given: Given): Promise<Given['answer']>;
}
