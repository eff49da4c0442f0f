import type { StateSealer } from '../asking/sealer.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { CompletionHandler } from '../registry/spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { Deadlines } from './deadlines.js';
import type { ResolvedOptions } from './options.js';
import type { ServiceScopes } from './service-scopes.js';

/** What the names of each kind of request stand for. */
export interface SpecByCall {
  readonly tool: ToolSpec;
  readonly resource: ResourceSpec | ResourceTemplateSpec;
  readonly prompt: PromptSpec;
  readonly completion: PromptSpec | ResourceTemplateSpec;
  readonly list: never;
}

/** What every call of one layer shares. */
export interface Runtime {
  readonly options: ResolvedOptions;
  /** Where `_meta` says how long a call took. */
  readonly durationKey: string;
  readonly scopes: ServiceScopes;
  /** The calls whose handlers have not answered yet. */
  readonly deadlines: Deadlines;
  readonly sealer: StateSealer;
  /** Whether services have stopped, or are about to: nothing reaches them any more. */
  isClosed: boolean;
}

/** The same text, looked up as fast as one that is written out: what was put together is looked up ten times as slowly. */
export function propertyKey(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}

/** What is completed, and with what already known. */
export interface CompletionRequest {
  readonly argument: string;
  readonly handler: CompletionHandler;
  /** What is written so far, as it came. */
  readonly text: string;
  /** The same as the policy has it. */
  partial: string;
  /** The other arguments, as they came. */
  readonly given: Readonly<Record<string, string>>;
  /** The same as the policy has them. */
  known: Readonly<Record<string, string>>;
}
