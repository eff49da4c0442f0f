import type { Wire } from '../core/content.js';
import { describeThrown } from '../core/describe-thrown.js';
import { ErrorCode, errorKind, isLayerError, type McpLayerError } from '../core/errors.js';
import { toJsonValue } from '../core/json-value.js';
import {
  failure,
  isRecord,
  type JsonRpcFailure,
  type JsonRpcResponse,
  missingCapability,
  success,
} from './messages.js';
import type { ActiveRequest } from './request.js';

/** The methods that may ask the client for input instead of answering. Source: MCP 2026-07-28, "Multi round-trip requests". */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/**
 * The answer for what was thrown on the way of a request. A stateless request is answered with the input that is needed
 * (`InputRequiredError`, whose data is the body) or with the capability that is missing (`MissingCapabilityError`, whose
 * data names it).
 *
 * @param finish Adds what results of the request's revision carry.
 */
export function toResponse(active: ActiveRequest, thrown: unknown, finish: (result: Wire) => Wire): JsonRpcResponse {
  const { message, revision } = active;
  const stateless = revision.era === 'stateless';
  if (!isLayerError(thrown)) return unexpected(active, thrown);
  switch (errorKind(thrown)) {
    case 'InputRequiredError':
      if (!stateless || !MAY_ASK.has(message.method)) return unexpected(active, thrown);
      return success(message.id, finish({ resultType: 'input_required', ...(thrown.data as Wire) }));
    case 'MissingCapabilityError':
      if (stateless) return missingCapability(message.id, requiredBy(thrown));
      return lacksCapability(active, thrown);
    case 'NotFoundError':
      return notFound(active, thrown, stateless);
    case 'ConfigurationError':
      return unexpected(active, thrown);
    default:
      return failure(message.id, codeOf(thrown), thrown.message, sayable(thrown.data));
  }
}

function requiredBy({ data }: McpLayerError): Wire {
  const required = isRecord(data) ? data['requiredCapabilities'] : undefined;
  return isRecord(required) ? required : {};
}

/** Handshake revisions have no code for this: a model is told, and for the rest it is an internal error. */
function lacksCapability({ message }: ActiveRequest, error: McpLayerError): JsonRpcResponse {
  if (message.method !== 'tools/call')
    return failure(message.id, ErrorCode.InternalError, error.message, sayable(error.data));
  return success(message.id, { content: [{ type: 'text', text: error.message }], isError: true });
}

function notFound({ message }: ActiveRequest, error: McpLayerError, stateless: boolean): JsonRpcFailure {
  const data = sayable(error.data);
  if (message.method !== 'resources/read' && message.method !== 'resources/subscribe') {
    return failure(message.id, ErrorCode.InvalidParams, error.message, data);
  }
  const code = stateless ? ErrorCode.InvalidParams : ErrorCode.ResourceNotFound;
  return failure(message.id, code, error.message, { uri: message.params?.['uri'], ...(isRecord(data) ? data : {}) });
}

/** What may stand in an answer: the codes that the protocol reserves are its own to give. */
function codeOf({ code }: McpLayerError): number {
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

function sayable(data: unknown): unknown {
  try {
    return toJsonValue(data);
  } catch {
    return undefined;
  }
}
