import { ErrorCode } from '../../../core/errors.js';
import { MODERN_VERSIONS } from '../../era.js';
import { failure, type JsonRpcFailure, type JsonRpcSuccess, type Reply, type RequestId } from '../../messages.js';
import { preparedJson, serialise } from '../../prepared.js';
import type { HttpReply, HttpRequest } from './carrier.js';
import { versionIn } from './request-headers.js';

/** More headers of an answer. */
export type OutHeaders = Readonly<Record<string, string | number>>;

/** Answers with one JSON text. */
export function sendJson(reply: HttpReply, status: number, json: string, headers?: OutHeaders): void {
  const length = Buffer.byteLength(json);
  if (headers === undefined) reply.send(status, { 'content-type': 'application/json', 'content-length': length }, json);
  else reply.send(status, { 'content-type': 'application/json', 'content-length': length, ...headers }, json);
}

/** The bytes of long results that many answers share. */
const SHARED = new WeakMap<object, Buffer>();
/** From how many characters on a shared result is sent as it was prepared. Copying a short one costs less. */
const SHARED_CHARS = 16 * 1024;
const TAIL = Buffer.from('}');

function sharedBytes(result: object): Buffer | undefined {
  const known = SHARED.get(result);
  if (known !== undefined) return known;
  const json = preparedJson(result);
  if (json === undefined || json.length < SHARED_CHARS) return undefined;
  const bytes = Buffer.from(json);
  SHARED.set(result, bytes);
  return bytes;
}

/** Answers with what the engine gave. The bytes of a long list are made once, and sent to everyone who asks. */
export function sendOutcome(reply: HttpReply, status: number, outcome: Reply, headers?: OutHeaders): void {
  const bytes = 'result' in outcome ? sharedBytes(outcome.result) : undefined;
  if (bytes === undefined) {
    sendJson(reply, status, serialise(outcome), headers);
    return;
  }
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify((outcome as JsonRpcSuccess).id)},"result":`);
  const length = head.length + bytes.length + TAIL.length;
  reply.send(status, { 'content-type': 'application/json', 'content-length': length, ...headers }, [head, bytes, TAIL]);
}

/** Answers with no body. */
export function sendEmpty(reply: HttpReply, status: number, headers?: OutHeaders): void {
  reply.send(status, { 'content-length': 0, ...headers });
}

/** Why a request goes no further. Its code is -32600 unless it has one. */
export interface HttpFault {
  readonly status: number;
  readonly message: string;
  readonly code?: number;
  readonly id?: RequestId | null;
  readonly data?: unknown;
  readonly headers?: OutHeaders;
}

/** Answers with an error in a JSON-RPC body, so that clients know this for an MCP server of their era. */
export function sendFault(request: HttpRequest, reply: HttpReply, fault: HttpFault): void {
  const { status, message, code = ErrorCode.InvalidRequest, id = null, data, headers } = fault;
  sendFailure(request, reply, status, failure(id, code, message, data), headers);
}

/** The same for an error that is already one. The modern era leaves an id out that could not be read. */
export function sendFailure(
  request: HttpRequest,
  reply: HttpReply,
  status: number,
  fault: JsonRpcFailure,
  headers?: OutHeaders,
): void {
  const omitId = fault.id === null && MODERN_VERSIONS.includes(versionIn(request.headers) ?? '');
  sendJson(reply, status, omitId ? JSON.stringify({ jsonrpc: '2.0', error: fault.error }) : serialise(fault), headers);
}

/** The HTTP status of a modern error. Source: MCP 2026-07-28, "Error codes"; every other error is in band. */
export function modernStatus(code: number): number {
  switch (code) {
    case ErrorCode.MethodNotFound:
      return 404;
    case ErrorCode.ParseError:
    case ErrorCode.InvalidRequest:
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400;
    default:
      return 200;
  }
}
