import type { Wire } from '../core/content.js';
import type { CallOptions, ContextInit, LayerHandle, Looked, ToolContext } from '../core/context.js';
import type { CompletionResult } from '../core/middleware.js';
import type { Change, Clock, Ids, Logger, Policy } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { ListName } from './catalog.js';
import type { ResolvedOptions } from './options.js';
import type { CompleteOptions } from './call-kinds.js';

/** What is completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };

/**
 * A layer as a carrier of requests sees it: a transport, a mount in a foreign server, an export to a model's API. The
 * carrier says who calls, in the {@link ContextInit} of the call; the layer does the rest. Starting it before the first
 * request and closing it after the last is the carrier's part too.
 */
export interface Layer extends LayerHandle {
  readonly version: string;
  /** What the layer was built from, with every default filled in. */
  readonly options: ResolvedOptions;
  /** Every primitive, filtered out or not, visible to a caller or not. */
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Decides what each caller sees: lists may differ between callers unless it is the default. */
  readonly policy: Policy;
  /** What stands before the names of tools and prompts. */
  readonly prefix: string;

  /** Renames every tool and prompt. @throws {ConfigurationError} When the prefix cannot stand before a name. */
  setPrefix(prefix: string): void;

  /** Offers values for an argument. Empty for what is not there or fails; a refusal by the policy is thrown. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    options?: CompleteOptions,
  ): Promise<CompletionResult>;

  /** A list as a client's request gets it, through the middleware. */
  list(list: ListName, options?: CallOptions): Promise<readonly Wire[]>;

  /** What a caller sees, as it was declared. */
  listTools(principal?: Principal): readonly ToolSpec[];
  listResources(principal?: Principal): readonly ResourceSpec[];
  listResourceTemplates(principal?: Principal): readonly ResourceTemplateSpec[];
  listPrompts(principal?: Principal): readonly PromptSpec[];

  /** What a caller sees, ready to be sent: the same array until something changes. Middleware does not see it. */
  toolsWire(principal?: Principal): readonly Wire[];
  resourcesWire(principal?: Principal): readonly Wire[];
  resourceTemplatesWire(principal?: Principal): readonly Wire[];
  promptsWire(principal?: Principal): readonly Wire[];

  /**
   * What a caller's name stands for, for carriers that have to know before they make the call: passed on as `looked`, it
   * keeps the policy from being asked twice.
   */
  look(kind: 'tool', name: string, principal: Principal): Looked<ToolSpec>;
  look(kind: 'prompt', name: string, principal: Principal): Looked<PromptSpec>;
  look(kind: 'resource', uri: string, principal: Principal): Looked<ResourceSpec | ResourceTemplateSpec>;
  look(kind: 'template', text: string, principal: Principal): Looked<ResourceTemplateSpec>;

  /** The tool that a caller reaches by an exposed name. */
  findTool(name: string, principal?: Principal): ToolSpec | undefined;
  /** The prompt that a caller reaches by an exposed name. */
  findPrompt(name: string, principal?: Principal): PromptSpec | undefined;
  /** The resource or template that a caller reaches by a URI. */
  findResource(uri: string, principal?: Principal): ResourceSpec | ResourceTemplateSpec | undefined;

  /** Makes the context of a request. */
  context(init?: ContextInit): ToolContext;

  /** Hears of changes until the returned function is called. */
  onChange(listener: (change: Change) => void): () => void;

  /** Calls a carrier's end when this layer closes, unless the returned function is called before. */
  onClose(listener: () => void): () => void;

  /** Makes the shared services and starts what needs it, once however often it is called. */
  start(): Promise<void>;
  /** Ends what runs, once however often it is called. */
  close(): Promise<void>;
}
