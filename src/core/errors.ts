import { codeOf } from './finding.js';

/** JSON-RPC and MCP error codes that this package writes. Source: JSON-RPC 2.0; MCP 2026-07-28, "Error codes". */
export const ErrorCode = Object.freeze({
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Handshake revisions only. */
  ResourceNotFound: -32002,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  AccessDenied: -31001,
  RateLimited: -31029,
});

const BRAND = Symbol.for('cartouche.error');

/** What an error was caused by. It is for logs: no client sees it. */
export interface CauseOptions {
  readonly cause?: unknown;
}

/**
 * Base of every error of this package. `code` is the JSON-RPC code, `data` what a client may see beside `message`. As
 * with any Error, `{ cause }` as the last argument says what caused it, in place of data or behind it.
 */
export class McpLayerError extends Error {
  /** Names the kind; shared between loaded copies of this package, unlike `instanceof`. */
  readonly [BRAND]: string = 'McpLayerError';
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, data?: unknown, options?: CauseOptions & { readonly code?: number }) {
    const isCause = isCauseOnly(data);
    super(message, isCause && options?.cause === undefined ? data : options);
    this.name = 'McpLayerError';
    this.code = options?.code ?? ErrorCode.InternalError;
    this.data = isCause ? undefined : data;
  }
}

/** Whoever writes `{ cause }` where other errors take their options means just that. */
function isCauseOnly(data: unknown): data is CauseOptions {
  if (typeof data !== 'object' || data === null) return false;
  const keys = Object.keys(data);
  return keys.length === 1 && keys[0] === 'cause';
}

/** A handler's value that cannot become an answer. Running the handler again would not change that. */
export class UnsendableError extends McpLayerError {
  override readonly [BRAND]: string = 'UnsendableError';

  /** @param problem What is wrong, behind the path that leads to it. */
  constructor(problem: string, data?: unknown, options?: CauseOptions) {
    super(`The result cannot be sent: ${problem}.`, data, options);
    this.name = 'UnsendableError';
  }
}

/** One thing that is wrong with a value. `loc` is a path of wire names (`items.0.sku`), empty for the value itself. */
export interface Issue {
  readonly loc: string;
  readonly msg: string;
  readonly type: string;
}

/** Arguments that do not fit. `data` is the list of issues; no input value is ever in it. */
export class InvalidArgumentsError extends McpLayerError {
  override readonly [BRAND]: string = 'InvalidArgumentsError';
  declare readonly data: readonly Issue[];

  /** @param issues A list of issues (the message is made of them), or a sentence of your own. */
  constructor(issues: readonly Issue[] | string, data: readonly Issue[] = []) {
    const list = typeof issues === 'string' ? data : issues;
    super(typeof issues === 'string' ? issues : describe(issues), list, { code: ErrorCode.InvalidParams });
    this.name = 'InvalidArgumentsError';
  }
}

function describe(issues: readonly Issue[]): string {
  return `Invalid arguments: ${issues.map(({ loc, msg }) => (loc === '' ? msg : `${loc}: ${msg}`)).join('; ')}`;
}

/** Something that is not there, or that this caller may not know of. */
export class NotFoundError extends McpLayerError {
  override readonly [BRAND]: string = 'NotFoundError';

  constructor(message: string, data?: unknown, options?: CauseOptions) {
    super(message, data, { ...options, code: ErrorCode.InvalidParams });
    this.name = 'NotFoundError';
  }
}

/** The caller may not do this. */
export class AccessDeniedError extends McpLayerError {
  override readonly [BRAND]: string = 'AccessDeniedError';

  constructor(message: string, data?: unknown, options?: CauseOptions) {
    super(message, data, { ...options, code: ErrorCode.AccessDenied });
    this.name = 'AccessDeniedError';
  }
}

/** The caller did this too often. */
export class RateLimitedError extends McpLayerError {
  override readonly [BRAND]: string = 'RateLimitedError';

  constructor(message: string, data?: unknown, options?: CauseOptions) {
    super(message, data, { ...options, code: ErrorCode.RateLimited });
    this.name = 'RateLimitedError';
  }
}

/** How a handler speaks to the model: the message reaches the client as it is, as an error result. */
export class ToolError extends McpLayerError {
  override readonly [BRAND]: string = 'ToolError';

  constructor(message: string, data?: unknown, options?: CauseOptions) {
    super(message, data, options);
    this.name = 'ToolError';
  }
}

/** A handler took longer than it may. */
export class TimeoutError extends McpLayerError {
  override readonly [BRAND]: string = 'TimeoutError';

  constructor(message: string, data?: unknown, options?: CauseOptions) {
    super(message, data, options);
    this.name = 'TimeoutError';
  }
}

/** The caller went away or withdrew the request. Never reaches a client. */
export class CancelledError extends McpLayerError {
  override readonly [BRAND]: string = 'CancelledError';

  constructor(message = 'The request was cancelled.') {
    super(message);
    this.name = 'CancelledError';
  }
}

/** Why a client was not asked, or gave no answer that could be used. */
export type AskingReason = 'no-client' | 'capability' | 'revision' | 'refused' | 'invalid-answer' | 'not-here';

/** The client cannot be asked, refused to be, or answered with something else. The message reaches the client as it is. */
export class AskingError extends McpLayerError {
  override readonly [BRAND]: string = 'AskingError';
  readonly reason: AskingReason;

  constructor(message: string, reason: AskingReason, data?: unknown) {
    super(message, data);
    this.name = 'AskingError';
    this.reason = reason;
  }
}

/** A modern request that cannot be served without a capability its client did not declare. `data` names it. */
export class MissingCapabilityError extends AskingError {
  override readonly [BRAND]: string = 'MissingCapabilityError';
  declare readonly data: { readonly requiredCapabilities: Readonly<Record<string, unknown>> };

  constructor(message: string, requiredCapabilities: Readonly<Record<string, unknown>>) {
    super(message, 'capability', { requiredCapabilities });
    this.name = 'MissingCapabilityError';
  }
}

/**
 * Not a failure: ends a modern request that needs answers first. `data` is the body of the `input_required` result.
 * Inside a handler it only unwinds; catching it changes nothing.
 */
export class InputRequiredError extends McpLayerError {
  override readonly [BRAND]: string = 'InputRequiredError';

  constructor(data?: unknown) {
    super('The client has to be asked first.', data);
    this.name = 'InputRequiredError';
  }
}

/** A retry carries a `requestState` that was changed, is too old or too large, or belongs to another request or caller. */
export class RequestStateError extends McpLayerError {
  override readonly [BRAND]: string = 'RequestStateError';

  constructor(message: string) {
    super(message, undefined, { code: ErrorCode.InvalidParams });
    this.name = 'RequestStateError';
  }
}

/** A handler asked other questions when it ran again than it asked before, or used a key twice. A mistake of its author. */
export class ReplayError extends McpLayerError {
  override readonly [BRAND]: string = 'ReplayError';

  constructor(message: string) {
    super(message);
    this.name = 'ReplayError';
  }
}

/** Something is wrong with what a developer wrote; found when a layer, a spec or a server is built. */
export class ConfigurationError extends McpLayerError {
  override readonly [BRAND]: string = 'ConfigurationError';
  // What is printed of an error is its message and its own properties: the message has the findings already.
  readonly #findings: readonly string[];

  constructor(findings: readonly string[] | string, options?: CauseOptions) {
    const list = typeof findings === 'string' ? [findings] : findings;
    const message =
      list.length === 1 ? String(list[0]) : `${list.length} findings:\n${list.map((f) => `- ${f}`).join('\n')}`;
    super(message, undefined, options);
    this.name = 'ConfigurationError';
    this.#findings = list;
  }

  /** Every finding, each as "site: problem. remedy. [code]". */
  get findings(): readonly string[] {
    return this.#findings;
  }

  /** The code of each finding, as docs/errors.md lists them; `CT000` for one of the user's own code. */
  get codes(): readonly string[] {
    return this.#findings.map(codeOf);
  }
}

/** The brand of an error of ours (its class name), from whichever loaded copy it comes; `undefined` for any other. */
export function errorKind(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    const kind = (error as { [BRAND]?: unknown })[BRAND];
    return typeof kind === 'string' ? kind : undefined;
  } catch {
    return undefined;
  }
}

/** Whether `error` was made by this package, or by another loaded copy of it. */
export function isLayerError(error: unknown): error is McpLayerError {
  return errorKind(error) !== undefined;
}

/**
 * Whether an error says what its author, or this package, meant a client to see. A nested call that was withdrawn, or a
 * mistake of the developer's, is not an answer to a request.
 */
export function isForClients(error: unknown): error is McpLayerError {
  const kind = errorKind(error);
  return kind !== undefined && kind !== 'ConfigurationError' && kind !== 'CancelledError';
}
