import { ErrorCode } from '../../core/errors.js';
import { STATELESS_VERSIONS } from '../era.js';
import { failure, type JsonRpcFailure, type RequestId } from '../messages.js';
import { serialise } from '../prepared.js';
import type { HttpReply, HttpRequest } from './carrier.js';

/** More headers of an answer. */
export type OutHeaders = Readonly<Record<string, string | number>>;

/** Answers with one JSON text. */
export function sendJson(reply: HttpReply, status: number, json: string, headers?: OutHeaders): void {
  const length = Buffer.byteLength(json);
  if (headers === undefined) reply.send(status, { 'content-type': 'application/json', 'content-length': length }, json);
  else reply.send(status, { 'content-type': 'application/json', 'content-length': length, ...headers }, json);
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

/** The same for an error that is already one. The stateless era leaves an id out that could not be read. */
export function sendFailure(
  request: HttpRequest,
  reply: HttpReply,
  status: number,
  fault: JsonRpcFailure,
  headers?: OutHeaders,
): void {
  const omitId = fault.id === null && isStatelessVersion(request.headers['mcp-protocol-version']);
  sendJson(reply, status, omitId ? JSON.stringify({ jsonrpc: '2.0', error: fault.error }) : serialise(fault), headers);
}

function isStatelessVersion(version: string | undefined): boolean {
  return version !== undefined && STATELESS_VERSIONS.includes(version.trim());
}

/** The HTTP status of a stateless error. Source: MCP 2026-07-28, "Error codes"; every other error is in band. */
export function statelessStatus(code: number): number {
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
