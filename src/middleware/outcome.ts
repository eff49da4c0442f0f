import { errorKind, isLayerError } from '../core/errors.js';
import type { Call, CallKind, ResultByKind } from '../core/middleware.js';

/** How requests end. `rejected` is a name that is not there or arguments that do not fit; `exception` what nobody expected. */
export const OUTCOMES = Object.freeze([
  'ok',
  'error',
  'denied',
  'rate_limited',
  'rejected',
  'cancelled',
  'exception',
] as const);

/** One of {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number];

/** How a request that gave an answer ended: a tool's answer may itself say that something went wrong. */
export function outcomeOf(answer: ResultByKind[CallKind] | undefined): Outcome {
  return (answer as { readonly isError?: boolean } | undefined)?.isError === true ? 'error' : 'ok';
}

/** How a request ended in which `error` was thrown. */
export function outcomeOfError({ context }: Call, error: unknown): Outcome {
  const kind = errorKind(error);
  if (context.aborted && errorKind(context.signal.reason) !== 'TimeoutError') return 'cancelled';
  switch (kind) {
    case 'AccessDeniedError':
      return 'denied';
    case 'RateLimitedError':
      return 'rate_limited';
    case 'InvalidArgumentsError':
    case 'NotFoundError':
      return 'rejected';
    case 'InputRequiredError':
      // Half of an answer: the client is asked something first.
      return 'ok';
    case 'CancelledError':
    case 'ConfigurationError':
    case undefined:
      return 'exception';
    default:
      return 'error';
  }
}

/** The code that a client is told, where there is one to tell. */
export function codeOf(error: unknown): number | string | undefined {
  switch (errorKind(error)) {
    case 'TimeoutError':
      return 'timeout';
    case 'ToolError':
      return 'handler_error';
    case 'InputRequiredError':
      return 'input_required';
    default:
      return isLayerError(error) ? error.code : undefined;
  }
}
