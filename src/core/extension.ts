import type { ClientCapabilities, ClientPort } from './client-port.js';
import type { LayerHandle, ToolContext } from './context.js';
import type { Principal } from './principal.js';

/** Two ways to speak MCP: a conversation opens with `initialize`, or every request says who it is (since 2026-07-28). */
export type ProtocolEra = ClientPort['era'];

/** A result as it is sent. */
export type ExtensionResult = Readonly<Record<string, unknown>>;

/** One request of a client that declared the extension. */
export interface ExtensionRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly era: ProtocolEra;
  /** The revision that the request is in. */
  readonly protocolVersion: string;
  readonly principal: Principal;
  readonly clientCapabilities: ClientCapabilities;
  /** What the client declared under the extension's id. */
  readonly clientSettings: ExtensionResult;
  readonly layer: LayerHandle;
  /** What handlers get: pass it on when you call the layer. */
  readonly context: ToolContext;
  /** Fires when the client withdraws the request. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this request, before its answer. */
  notify(method: string, params?: ExtensionResult): void;
}

/** A method that an extension adds. Clients that did not declare the extension are refused. */
export interface ExtensionMethod {
  /** Such as `example/ping`. Those of the protocol are taken. */
  readonly name: string;
  /** Default: those of the extension. */
  readonly eras?: readonly ProtocolEra[] | undefined;
  /** The parameter that clients repeat in the header `Mcp-Name`, over HTTP since 2026-07-28. */
  readonly nameParam?: string | undefined;
  /** Answers. Throw an `McpLayerError` for an answer that says what went wrong. */
  run(request: ExtensionRequest): ExtensionResult | Promise<ExtensionResult>;
}

/**
 * Wraps a method of the protocol for clients that declared the extension. `next` gives the result as it would be sent,
 * which must not be changed: return it, or another with a `resultType` of its own.
 */
export type ExtensionAround = (
  request: ExtensionRequest,
  next: () => Promise<ExtensionResult>,
) => ExtensionResult | Promise<ExtensionResult>;

/** A `subscriptions/listen` stream that asked for what an extension tells of. */
export interface ExtensionStream {
  readonly request: ExtensionRequest;
  /** Sends an event, tagged with the stream's id; after the acknowledgement, and nothing after the end. */
  notify(method: string, params?: ExtensionResult): void;
  /** Called once, when the stream ends, whoever ended it. */
  onEnd(listener: () => void): void;
}

/**
 * Judges what a client put under one key of a listen filter. Gives the part that is honoured, which the client is told;
 * `undefined` for none.
 */
export type ExtensionFilter = (value: unknown, stream: ExtensionStream) => unknown;

/**
 * What adds to the protocol beside tools, resources and prompts, once a server and a client have both declared it.
 * Source: MCP, "Extensions". Experimental: it may change in any version.
 */
export interface Extension {
  /** Such as `com.example/tasks`: a domain of your own in reverse, a slash, a name. */
  readonly id: string;
  /** Where it exists. Default: both. */
  readonly eras?: readonly ProtocolEra[] | undefined;
  /** What clients are told under `capabilities.extensions`. Default: `{}`. */
  settings?(layer: LayerHandle): ExtensionResult;
  readonly methods?: readonly ExtensionMethod[] | undefined;
  /** By the method of the protocol that is wrapped. */
  readonly around?: Readonly<Record<string, ExtensionAround>> | undefined;
  /** By the key of the filter of `subscriptions/listen`. */
  readonly listen?: Readonly<Record<string, ExtensionFilter>> | undefined;
  /** Called once when serving begins, after the services. */
  start?(layer: LayerHandle): void | Promise<void>;
  /** Called once when the layer closes, before the services, the last extension first. */
  close?(): void | Promise<void>;
}
