import { BOUNDS } from '../core/bounds.js';
import { ErrorCode } from '../core/errors.js';
import { isRecord } from '../core/guards.js';

/** What ties a response to its request: text or a whole number, never null. */
export type RequestId = string | number;

/** The parameters of a message: MCP passes them by name. */
export type Params = Readonly<Record<string, unknown>>;

/** A message that wants an answer. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A message that must not be answered. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Params;
}

/** An answer. */
export interface JsonRpcSuccess {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: Params;
}

/** What went wrong. `code` is a JSON-RPC or MCP code, see `ErrorCode`. */
export interface JsonRpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer that says what went wrong. `id` is null where the request's could not be read. */
export interface JsonRpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: JsonRpcErrorBody;
}

/** What answers a request. */
export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure;

/** Anything that may go over a transport, in either direction. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** What answers one line or body: a list only where a batch was asked, in 2025-03-26. */
export type Reply = JsonRpcResponse | readonly JsonRpcResponse[];

/** What a parsed value is, as far as JSON-RPC is concerned. */
export type MessageKind = 'request' | 'notification' | 'response' | 'batch' | 'invalid';

/** Answers and logs repeat what clients call their requests. */
const MAX_ID_CHARS = BOUNDS.idChars.default;

/** Whether `id` may stand in a request. A number beyond 2^53 would come back as another one, so it may not. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= MAX_ID_CHARS : Number.isSafeInteger(id);
}

/**
 * Says what a parsed value is; allocates nothing. `params: null`, which some clients send, counts as no parameters.
 * Source: JSON-RPC 2.0, "Request object"; MCP 2026-07-28, "Messages".
 */
export function kindOf(value: unknown): MessageKind {
  if (typeof value !== 'object' || value === null) return 'invalid';
  if (Array.isArray(value)) return 'batch';
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return 'invalid';
  if (typeof method === 'string') {
    if (params !== undefined && params !== null && !isRecord(params)) return 'invalid';
    if (id === undefined) return 'notification';
    return isRequestId(id) ? 'request' : 'invalid';
  }
  if (method !== undefined) return 'invalid';
  if (isRecord(result) && error === undefined && isRequestId(id)) return 'response';
  return result === undefined && isErrorBody(error) && (isRequestId(id) || id === null || id === undefined)
    ? 'response'
    : 'invalid';
}

function isErrorBody(error: unknown): error is JsonRpcErrorBody {
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

/** The id to answer a message with that is not a valid one. */
export function idOf(value: unknown): RequestId | null {
  const id = isRecord(value) ? value['id'] : undefined;
  return isRequestId(id) ? id : null;
}

/** An answer that says what went wrong. */
export function failure(id: RequestId | null, code: number, message: string, data?: unknown): JsonRpcFailure {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** The answer to a request that went well. */
export function success(id: RequestId, result: Params): JsonRpcSuccess {
  return { jsonrpc: '2.0', id, result };
}

/** A message that nobody answers. */
export function notification(method: string, params?: Params): JsonRpcNotification {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}

/** What a progress notification says. */
export function progressParams(
  progressToken: unknown,
  progress: number,
  total: number | undefined,
  message: string | undefined,
): Params {
  return {
    progressToken,
    progress,
    ...(Number.isFinite(total) ? { total } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

/** What was sent is not JSON. */
export function parseFailure(): JsonRpcFailure {
  return failure(null, ErrorCode.ParseError, 'Parse error: this is not JSON.');
}

/** What was sent is JSON, but no JSON-RPC message. The answer says which rule it breaks. */
export function invalidRequest(value: unknown): JsonRpcFailure {
  return failure(idOf(value), ErrorCode.InvalidRequest, `Invalid request: ${faultOf(value)}.`);
}

function faultOf(value: unknown): string {
  if (Array.isArray(value)) return 'batches are not taken here; send one message at a time';
  if (!isRecord(value)) return 'a message is an object';
  if (value['jsonrpc'] !== '2.0') return '"jsonrpc" must be "2.0"';
  if (value['method'] === undefined) return '"method" is missing';
  if (typeof value['method'] !== 'string') return '"method" must be text';
  if (value['id'] !== undefined && !isRequestId(value['id']))
    return `"id" must be text of at most ${MAX_ID_CHARS} characters or a whole number up to 2^53 - 1`;
  return '"params" must be an object';
}

/** A method that is not known, or that belongs to a capability that was not advertised. */
export function methodNotFound({ id, method }: JsonRpcRequest): JsonRpcFailure {
  return failure(id, ErrorCode.MethodNotFound, `Method not found: ${method}`);
}

/** Parameters of the wrong shape. */
export function invalidParams(id: RequestId, problem: string, data?: unknown): JsonRpcFailure {
  return failure(id, ErrorCode.InvalidParams, `Invalid params: ${problem}.`, data);
}

/** The request names a version that is not offered in the modern era. */
export function unsupportedVersion(id: RequestId, requested: string, supported: readonly string[]): JsonRpcFailure {
  return failure(id, ErrorCode.UnsupportedProtocolVersion, `Unsupported protocol version: ${requested}`, {
    supported,
    requested,
  });
}

/** The request cannot be served without capabilities that the client did not declare, keyed by capability. */
export function missingCapability(id: RequestId, requiredCapabilities: Params): JsonRpcFailure {
  const names = Object.entries(requiredCapabilities)
    .flatMap(([name, value]) => (name === 'extensions' && isRecord(value) ? Object.keys(value) : [name]))
    .join(', ');
  return failure(id, ErrorCode.MissingRequiredClientCapability, `This needs a client with the capability ${names}.`, {
    requiredCapabilities,
  });
}

/** A header that is missing, malformed or different from the body. */
export function headerMismatch(id: RequestId, problem: string): JsonRpcFailure {
  return failure(id, ErrorCode.HeaderMismatch, `Header mismatch: ${problem}.`);
}
