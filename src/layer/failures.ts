import { describeThrown } from '../core/describe-thrown.js';
import { CancelledError, errorKind, isForClients, McpLayerError } from '../core/errors.js';
import { toJsonValue } from '../core/json-value.js';
import { ToolResult } from '../core/tool-result.js';
import type { CallState } from './call-state.js';
import type { ErrorHook } from './options.js';
import { reportOf, rewriteOf } from './pipeline.js';
import { asText } from './transform-result.js';

/** What everything is answered with once the layer is closed. */
export function closed(): CancelledError {
  return new CancelledError('The server is closing.');
}

/** What a client is told of an exception that nobody expected; the message and the stack stay in the log. */
class UnexpectedError extends McpLayerError {
  constructor(
    message: string,
    readonly errorId: string,
  ) {
    super(message, { error_id: errorId });
    this.name = 'UnexpectedError';
  }
}

/** Kinds that are answers of another sort: they pass through everything, up to whoever carries the request. */
const CONTROL_FLOW: ReadonlySet<string | undefined> = new Set([
  'InputRequiredError',
  'MissingCapabilityError',
  'RequestStateError',
]);

/** A handler's failure as the middleware sees it: what the error hook makes of it, or what was thrown. */
export function mapFailure(call: CallState, thrown: unknown): unknown {
  if (isForClients(thrown) || thrown === call.mapped) return thrown;
  const { onError, logger } = call.runtime.options;
  const hook: ErrorHook | undefined = typeof onError === 'function' ? onError : (onError?.[call.kind] ?? onError?.all);
  if (hook === undefined) return thrown;
  try {
    const { context, kind, name } = call;
    call.mapped = hook(thrown, { kind, name, context }) ?? thrown;
    return call.mapped;
  } catch (error) {
    logger.error('onError threw', describeThrown(error));
    return thrown;
  }
}

/**
 * Why a request failed, in terms of this package. What nobody expected is logged under an id, and only the id is told.
 *
 * @throws {CancelledError} When the caller withdrew the request: whatever failed then is of no interest.
 */
export async function toLayerError(call: CallState, thrown: unknown): Promise<McpLayerError> {
  throwIfCancelled(call);
  if (CONTROL_FLOW.has(errorKind(thrown))) throw thrown;
  const error = mapFailure(call, thrown);
  return isForClients(error) ? shownError(call, error) : unexpected(call, error);
}

/** @throws {CancelledError} When the caller withdrew the request. */
export function throwIfCancelled({ control }: CallState): void {
  const { abortReason } = control;
  if (abortReason !== undefined && errorKind(abortReason) !== 'TimeoutError') {
    throw errorKind(abortReason) === 'CancelledError' ? abortReason : new CancelledError();
  }
}

/** What caused an error that its author meant to be seen is for the log alone. */
function logCause({ errorId, kind, name, runtime }: CallState, error: McpLayerError): void {
  runtime.options.logger.warn(`${kind} ${name} failed`, { errorId, ...describeThrown(error) });
}

function unexpected(call: CallState, error: unknown): UnexpectedError {
  const { exposeErrors, logger } = call.runtime.options;
  const { errorId, kind, name, rules } = call;
  const description = describeThrown(error);
  logger.error(`${kind} ${name} failed`, { errorId, ...description });
  const detail = exposeErrors ? ` ${description.error}` : '';
  return new UnexpectedError(`${rules.label} ${name} failed. Error id: ${errorId}.${detail}`, errorId);
}

/** The error with its message and data rewritten by the policy, and its data as JSON has it. */
async function shownError(call: CallState, error: McpLayerError): Promise<McpLayerError> {
  try {
    // What a value threw when it was read is in the log already.
    if (error.cause !== undefined && errorKind(error) !== 'UnsendableError') logCause(call, error);
    const rewrite = rewriteOf(call);
    // Read here, where a message that throws is caught.
    const { message } = error;
    const plain = toJsonValue(error.data, undefined, call.runtime.options.maxResultChars, call);
    if (rewrite === undefined) return plain === error.data ? error : like(error, message, plain);
    const data = plain === undefined ? undefined : await rewrite(plain, { part: 'error', key: 'data' });
    return like(error, asText(await rewrite(message, { part: 'error', key: 'message' })), data);
  } catch (failure) {
    // Its data cannot be sent, or the policy cannot rewrite it: then nothing of it may be shown.
    return unexpected(call, failure);
  }
}

/** An error of the same kind and code that says something else. */
function like(error: McpLayerError, message: string, data: unknown): McpLayerError {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as McpLayerError;
  return Object.assign(copy, error, { message, data });
}

/**
 * The result that tells a model what went wrong.
 *
 * @throws {NotFoundError} When it is that there is no such tool: that is not a tool's answer.
 */
export function toErrorResult(call: CallState<'tool'>, error: McpLayerError): ToolResult {
  if (call.entry === undefined && errorKind(error) === 'NotFoundError') throw error;
  const prefix = call.metaPrefix;
  return ToolResult.error(error.message, {
    [`${prefix}error_code`]: errorCode(error),
    ...(error.data === undefined ? {} : { [`${prefix}error_data`]: error.data }),
    [call.runtime.durationKey]: call.elapsedMs,
    ...reportOf(call),
  });
}

function errorCode(error: McpLayerError): number | string {
  switch (errorKind(error)) {
    case 'TimeoutError':
      return 'timeout';
    case 'ToolError':
      return 'handler_error';
    default:
      return error instanceof UnexpectedError ? 'handler_error' : error.code;
  }
}
