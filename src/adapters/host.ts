import type { Wire } from '../core/content.js';

/** A handler as both SDK majors keep it: the raw request, then what the SDK knows of its exchange. */
export type RawHandler = (request: HostRequest, extra: unknown) => unknown;

/** A request as it reaches a handler. Nothing of its parameters has been checked. */
export interface HostRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A server's capabilities, as it advertises them. */
export type Capabilities = Record<string, Record<string, unknown> | undefined>;

/**
 * The low-level server of either SDK major, by shape alone. `_requestHandlers`, `_capabilities` and `_loggingLevels` are
 * private by TypeScript's word only, and the same in 1.x and 2.x: they are all that mounting needs beyond the public API.
 */
export interface ProtocolServer {
  readonly _requestHandlers: Map<string, RawHandler>;
  _capabilities: Capabilities;
  readonly _loggingLevels?: Map<string | undefined, string>;
  readonly transport?: object | undefined;
  fallbackRequestHandler?: RawHandler | undefined;
  setRequestHandler(...args: unknown[]): unknown;
  removeRequestHandler(method: string): unknown;
  assertCanSetRequestHandler(method: string): void;
  registerCapabilities(capabilities: Capabilities): void;
  notification(notification: { readonly method: string }, options?: unknown): Promise<void>;
  getClientVersion?(): Readonly<Record<string, unknown>> | undefined;
  getClientCapabilities?(): Readonly<Record<string, unknown>> | undefined;
  isMessageIgnored?(level: string, sessionId: string | undefined): boolean;
  /** 2.x only. */
  getNegotiatedProtocolVersion?(): string | undefined;
  projectCallToolResult?(result: Wire, outputSchema?: unknown): Wire;
}

/** Something that a high-level server registered under a name or URI. */
export interface Registered {
  readonly resourceTemplate?: { readonly uriTemplate: { match(uri: string): unknown; toString(): string } };
}

/** The high-level server of either SDK major, by shape alone. */
export interface HighLevelServer {
  readonly server: ProtocolServer;
  readonly _registeredTools: Readonly<Record<string, Registered>>;
  readonly _registeredPrompts: Readonly<Record<string, Registered>>;
  readonly _registeredResources: Readonly<Record<string, Registered>>;
  readonly _registeredResourceTemplates: Readonly<Record<string, Registered>>;
  readonly _toolHandlersInitialized?: boolean;
  readonly _promptHandlersInitialized?: boolean;
  readonly _resourceHandlersInitialized?: boolean;
  /** 2.x only: what the HTTP entry compares `Mcp-Param-*` headers with, before it dispatches a call. */
  toolInputSchemaJson?: (name: string) => unknown;
}

/** A key of an object that is one of two things: a function of its own, or one that its class gives it. */
type Methods = Record<string, unknown>;

/** Whether `value` is an object whose `names` are functions. */
export function hasMethods(value: unknown, ...names: readonly string[]): value is Methods {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Methods)[name] === 'function');
}

/** Whether `value` is a key-value map, from whichever realm. */
function isMap(value: unknown): boolean {
  return hasMethods(value, 'get', 'set', 'has', 'delete');
}

const PROTOCOL_METHODS = [
  'setRequestHandler',
  'removeRequestHandler',
  'assertCanSetRequestHandler',
  'registerCapabilities',
  'notification',
] as const;

/** Whether `value` is meant to be a low-level server, of whichever version. */
export function looksLikeProtocol(value: unknown): boolean {
  return hasMethods(value, 'setRequestHandler', 'registerCapabilities');
}

/** What keeps a low-level server from being mounted into; nothing for those that were tested. */
export function protocolFault(value: unknown): string | undefined {
  const missing: string[] = PROTOCOL_METHODS.filter((name) => !hasMethods(value, name));
  const { _requestHandlers: handlers, _capabilities: capabilities } = value as Partial<ProtocolServer>;
  if (!isMap(handlers)) missing.push('_requestHandlers');
  if (typeof capabilities !== 'object') missing.push('_capabilities');
  return missing.length === 0 ? undefined : missing.join(', ');
}

/** The major version of the SDK that a low-level server comes from. */
export function majorOf(server: ProtocolServer): 1 | 2 {
  return hasMethods(server, 'getNegotiatedProtocolVersion') || hasMethods(server, 'projectCallToolResult') ? 2 : 1;
}
