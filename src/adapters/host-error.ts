import { describeThrown } from '../core/describe-thrown.js';
import { isRecord } from '../core/guards.js';
import { ErrorCode, errorKind, isLayerError, type McpLayerError } from '../core/errors.js';
import type { Layer } from '../layer/layer.js';
import { codeOf, sayable } from '../native/failures.js';

/** What both SDK majors make a JSON-RPC error of: `code`, `message` and `data`, with nothing put before the message. */
export class HostError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'HostError';
    this.code = code;
    this.data = data;
  }
}

/** Thrown and caught in here alone: the name is not ours for this caller, so that the host answers. */
export const NOT_OURS = Symbol('not ours');

/** A method that neither the host nor a layer serves. */
export function methodNotFound(method: string): HostError {
  return new HostError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
}

/** A session that another caller began. */
export function foreignSession(): HostError {
  return new HostError(ErrorCode.InvalidRequest, 'This session belongs to another caller. Open one of your own.');
}

/** Parameters of the wrong shape. */
export function invalidParams(problem: string, data?: unknown): HostError {
  return new HostError(ErrorCode.InvalidParams, `Invalid params: ${problem}.`, data);
}

/**
 * The protocol error for what a layer threw. Of an exception that is none of ours, nothing reaches the client but an id.
 *
 * @param uri The resource that was read, where one was: hosts of 2.x give it in `data`, and their clients look there.
 * @param handshakeOnly Whether the host knows no other revisions, whose code for a missing resource is another.
 */
export function toHostError(layer: Layer, thrown: unknown, uri?: string, handshakeOnly = false): HostError {
  if (errorKind(thrown) === 'MissingCapabilityError' && !handshakeOnly) {
    const { data, message } = thrown as McpLayerError;
    return new HostError(ErrorCode.MissingRequiredClientCapability, message, data);
  }
  if (!isLayerError(thrown) || errorKind(thrown) === 'ConfigurationError') return unexpected(layer, thrown);
  if (uri !== undefined && errorKind(thrown) === 'NotFoundError') {
    const code = handshakeOnly ? ErrorCode.ResourceNotFound : ErrorCode.InvalidParams;
    const data = sayable(layer, 'a mounted layer', thrown.data);
    return new HostError(code, thrown.message, { uri, ...(isRecord(data) ? data : {}) });
  }
  return new HostError(codeOf(thrown), thrown.message, sayable(layer, 'a mounted layer', thrown.data));
}

function unexpected(layer: Layer, thrown: unknown): HostError {
  const errorId = layer.ids.next();
  layer.logger.error('a mounted layer failed', { errorId, ...describeThrown(thrown) });
  return new HostError(ErrorCode.InternalError, `Internal error. Error id: ${errorId}.`, { error_id: errorId });
}
