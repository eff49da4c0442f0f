import type { ToolContext } from '../core/context.js';
import { CancelledError, errorKind, isLayerError, McpLayerError } from '../core/errors.js';
import { ToolResult } from '../core/tool-result.js';
import type { CallState } from './call-state.js';
import type { ErrorHook, ResolvedOptions } from './options.js';

/** What a client is told of an exception that nobody expected; the message and the stack stay in the log. */
export class UnexpectedError extends McpLayerError {
  constructor(
    message: string,
    readonly errorId: string,
  ) {
    super(message, { error_id: errorId });
    this.name = 'UnexpectedError';
  }
}

/** Turns whatever was thrown on the way of a call into an error of ours; unexpected ones are logged under an id. */
export function toLayerError(call: CallState, thrown: unknown): McpLayerError {
  const { options } = call.runtime;
  const error = isLayerError(thrown) && errorKind(thrown) !== 'ConfigurationError' ? thrown : mapByHook(call, thrown);
  if (isLayerError(error) && errorKind(error) !== 'ConfigurationError') return error;
  const errorId = options.ids.next();
  options.logger.error(`${call.kind} ${call.name} failed`, { errorId, ...describe(error) });
  const detail = options.exposeErrors ? ` ${String(describe(error)['error'])}` : '';
  return new UnexpectedError(`${labelOf(call)} failed. Error id: ${errorId}.${detail}`, errorId);
}

function labelOf({ kind, name }: CallState): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${name}`;
}

function mapByHook(call: CallState, thrown: unknown): unknown {
  const { onError, logger } = call.runtime.options;
  const hook: ErrorHook | undefined = typeof onError === 'function' ? onError : onError?.[call.kind];
  if (hook === undefined) return thrown;
  try {
    const site: { kind: typeof call.kind; name: string; context: ToolContext } = call;
    return hook(thrown, { kind: site.kind, name: site.name, context: site.context }) ?? thrown;
  } catch (error) {
    logger.error('onError threw', describe(error));
    return thrown;
  }
}

/** What a log may say of anything that was thrown: an Error, text, null, an object whose getters throw. */
export function describe(thrown: unknown): Record<string, unknown> {
  try {
    if (thrown instanceof Error) {
      const { cause } = thrown;
      return { error: `${thrown.name}: ${thrown.message}`, stack: thrown.stack, ...(cause === undefined ? {} : { cause: describe(cause)['error'] }) };
    }
    return { error: typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown) };
  } catch {
    return { error: `a ${typeof thrown} that cannot be described` };
  }
}

/**
 * The result that tells a model what went wrong. Rejections that are not the model's to see are thrown on: a name that
 * stands for nothing, and a call that its caller withdrew.
 */
export function toErrorResult(call: CallState, error: McpLayerError, options: ResolvedOptions): ToolResult {
  if (call.entry === undefined || error instanceof CancelledError || isControlFlow(error)) throw error;
  const output = call.transforms?.output;
  const meta: Record<string, unknown> = { [`${options.metaPrefix}error_code`]: errorCode(error) };
  const data: unknown = output === undefined || error.data === undefined ? error.data : output(error.data);
  if (data !== undefined) meta[`${options.metaPrefix}error_data`] = data;
  meta[`${options.metaPrefix}duration_ms`] = Math.round(options.clock.monotonic() - call.startedAt);
  return ToolResult.error(output === undefined ? error.message : String(output(error.message)), meta);
}

/** Errors that are answers of another kind, and pass through everything. */
export function isControlFlow(error: unknown): boolean {
  const kind = errorKind(error);
  return kind === 'CancelledError' || kind === 'InputRequiredError' || kind === 'MissingCapabilityError';
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
