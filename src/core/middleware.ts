import type { ResourceContents, Wire } from './content.js';
import type { LayerHandle, ToolContext } from './context.js';
import type { Change, Clock, Logger, Primitive } from './ports.js';
import type { Principal } from './principal.js';
import type { PromptResult } from './prompt-result.js';
import type { Stores } from './stores.js';
import type { ToolResult } from './tool-result.js';

/** The values to offer: at most 100, with the number there are. */
export interface CompletionResult {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** What each kind of request answers with. */
export interface ResultByKind {
  readonly tool: ToolResult;
  readonly resource: readonly ResourceContents[];
  readonly prompt: PromptResult;
  readonly completion: CompletionResult;
  /** Definitions as they go over the wire. */
  readonly list: readonly Wire[];
}

/** The kinds of requests that pass through a layer. */
export type CallKind = keyof ResultByKind;

/** Every kind of request. */
export const CALL_KINDS: readonly CallKind[] = Object.freeze(['tool', 'resource', 'prompt', 'completion', 'list']);

/** One request on its way through the middleware. */
export interface Call<K extends CallKind = CallKind> {
  readonly kind: K;
  /** The exposed name of a tool or prompt, the URI of a resource, the name of a list (`tools`, `resources`, `templates`, `prompts`), or what is completed for. */
  readonly name: string;
  /** What the name stands for; `undefined` for lists, and for names that are not there or that this caller may not see. */
  readonly primitive: Primitive | undefined;
  /** Whether running it twice does no harm: a tool that is read-only and idempotent, or a resource; no longer once it asked its client. */
  readonly repeatable: boolean;
  /** Whether it changes nothing: a tool whose hints say so, and every other kind of request. */
  readonly readOnly: boolean;
  /** Whether a handler makes this request while it serves another one. What waits for a slot must let it pass. */
  readonly nested: boolean;
  /** The arguments as they came, before validation. Never write values of it anywhere. */
  readonly args: unknown;
  /** The argument names that the primitive declares. */
  readonly argumentNames: ReadonlySet<string>;
  readonly principal: Principal;
  readonly context: ToolContext;
  /** When the call's time is up, on the layer's monotonic clock. */
  readonly deadline: number;
  /** What the layer's `_meta` keys begin with. */
  readonly metaPrefix: string;
  /** Under which the log has what a client is not told, should this request fail unexpectedly. */
  readonly errorId: string;
  /**
   * Asks the policy now, once per call, instead of when the handler is about to run. For what answers without it.
   *
   * @throws {AccessDeniedError} When this caller may not do this.
   * @throws {RateLimitedError} When this caller did it too often.
   */
  admit(): void | Promise<void>;
}

/** Runs the rest of the chain. What fails there is thrown: it becomes an error result only outside the middleware. */
export type Next<K extends CallKind = CallKind> = () => Promise<ResultByKind[K]>;

/** Wraps every request, of whatever kind. */
export type MiddlewareFunction = <K extends CallKind>(call: Call<K>, next: Next<K>) => Promise<ResultByKind[K]>;

/** What a middleware that needs more than the request is told when its layer is built. */
export interface MiddlewareHost {
  readonly layer: LayerHandle;
  readonly metaPrefix: string;
  /** What the layer keeps outside itself, under its name as the namespace. */
  readonly stores: Stores;
  readonly logger: Logger;
  readonly clock: Clock;
  onChange(listener: (change: Change) => void): () => void;
  /** Whether the policy lets a caller know of a primitive. */
  canSee(primitive: Primitive, principal: Principal): boolean;
  /**
   * The policy's version and scope: what is kept for a caller belongs under it. `undefined` when nothing may be kept.
   */
  viewOf(principal: Principal): string | undefined;
  /** Serves a value under a URI of the middleware's own. */
  addResource(
    uri: string,
    options: { readonly title: string; readonly description: string },
    read: (context: ToolContext) => unknown,
  ): void;
}

/** A middleware with a function per kind of request; kinds it leaves out pass by at no cost. */
export type MiddlewareObject = {
  /** Names it where the chain is printed. */
  readonly name: string;
  /** Called once, when the layer is built. */
  attach?(host: MiddlewareHost): void;
  /** Called once, when the layer closes. */
  close?(): void | Promise<void>;
  /** Every kind that has no function of its own. */
  readonly all?: MiddlewareFunction;
} & { readonly [K in CallKind]?: (call: Call<K>, next: Next<K>) => Promise<ResultByKind[K]> };

/** What `middleware` and `layer.use` take; the first is outermost. */
export type Middleware = MiddlewareFunction | MiddlewareObject;
