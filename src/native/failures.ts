import type { Wire } from '../core/content.js';
import { describeThrown } from '../core/describe-thrown.js';
import { type ErrorTeller, LoggedErrors } from '../core/error-form.js';
import { ErrorCode, errorKind, isLayerError, type McpLayerError } from '../core/errors.js';
import { isRecord } from '../core/guards.js';
import { toJsonValueOr } from '../core/json-value.js';
import type { Layer } from '../layer/layer.js';
import { failure, type JsonRpcFailure, type JsonRpcResponse, missingCapability, success } from './messages.js';
import type { RunningMethod } from './method.js';
import type { ActiveRequest } from './request.js';

/**
 * The answer for what was thrown on the way of a request: the method's own, or the general one. A modern request is answered with the input that is needed
 * (`InputRequiredError`, whose data is the body) or with the capability that is missing (`MissingCapabilityError`, whose
 * data names it).
 *
 * @param finish Adds what results of the request's revision carry.
 */
export function toResponse(
  method: RunningMethod,
  active: ActiveRequest,
  thrown: unknown,
  finish: (result: Wire) => Wire,
): JsonRpcResponse {
  const { message, revision } = active;
  const isModern = revision.era === 'modern';
  if (!isLayerError(thrown)) return unexpected(active, thrown);
  const own = method.failed?.(active, thrown);
  if (own !== undefined) return own;
  switch (errorKind(thrown)) {
    case 'InputRequiredError':
      if (!isModern || method.mayAsk !== true) return unexpected(active, thrown);
      return success(message.id, finish({ resultType: 'input_required', ...(thrown.data as Wire) }));
    case 'MissingCapabilityError':
      if (isModern) return missingCapability(message.id, requiredBy(thrown));
      return failure(
        message.id,
        ErrorCode.InternalError,
        thrown.message,
        sayable(active.layer, message.method, thrown.data),
      );
    case 'NotFoundError':
      return failure(
        message.id,
        ErrorCode.InvalidParams,
        thrown.message,
        sayable(active.layer, message.method, thrown.data),
      );
    case 'ConfigurationError':
      return unexpected(active, thrown);
    default:
      return failure(message.id, codeOf(thrown), thrown.message, sayable(active.layer, message.method, thrown.data));
  }
}

function requiredBy({ data }: McpLayerError): Wire {
  const required = isRecord(data) ? data['requiredCapabilities'] : undefined;
  return isRecord(required) ? required : {};
}

/** What may stand in an answer: the codes that the protocol reserves are its own to give. */
export function codeOf({ code }: McpLayerError): number {
  if (!Number.isSafeInteger(code)) return ErrorCode.InternalError;
  return code >= -32099 && code <= -32000 ? ErrorCode.InternalError : code;
}

/** Nothing of an unexpected exception reaches the client but an id; the log has the rest under it. */
export function unexpected(
  { layer, message }: Pick<ActiveRequest, 'layer' | 'message'>,
  thrown: unknown,
): JsonRpcFailure {
  const errorId = layer.ids.next();
  layer.logger.error(`${message.method} failed`, { errorId, ...describeThrown(thrown) });
  return failure(message.id, ErrorCode.InternalError, `Internal error. Error id: ${errorId}.`, { error_id: errorId });
}

/**
 * What JSON can say of an error's data; `undefined` for what it cannot. Of Errors in it, the log has the rest.
 *
 * @param site What the log calls the request.
 */
export function sayable(layer: Layer, site: string, data: unknown): unknown {
  return toJsonValueOr(data, () => undefined, errorsOf(layer, site));
}

/** Says what stands for Errors in what a request is answered with; the log has the rest. */
export function errorsOf(layer: Layer, site: string): ErrorTeller {
  return new LoggedErrors(site, () => layer.ids.next(), layer.logger);
}
