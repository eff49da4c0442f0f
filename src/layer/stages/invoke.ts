import { type ToolContext, withContext } from '../../core/context.js';
import { TimeoutError } from '../../core/errors.js';
import type { CallState, Stage } from '../call-state.js';
import { collectAsync, isAsyncIterable } from '../collect-async.js';

/**
 * Runs the handler within its time and the request's life. A handler that never yields to the event loop cannot be
 * interrupted: neither a time-out nor a cancellation is seen before it returns.
 */
export const invoke: Stage = {
  name: 'invoke',
  summary: 'the handler runs, with a time-out and a signal',
  applies: () => true,
  run(call) {
    const { context, runtime } = call;
    if (context.abortReason !== undefined) throw context.abortReason;
    const outcome = runtime.options.asyncContext ? withContext(context, () => start(call)) : start(call);
    if (isPromiseLike(outcome)) return settle(call, outcome.then((value) => collectIfAsync(value, context)));
    if (isAsyncIterable(outcome)) return settle(call, collectAsync(outcome, context));
    call.value = outcome;
  },
};

function start(call: CallState): unknown {
  const { completion, context, scope } = call;
  if (completion !== undefined) {
    return completion.handler(call.value as string, context, completion.given, scope);
  }
  return call.found().spec.handler(call.value, context, scope);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function collectIfAsync(value: unknown, context: ToolContext): unknown {
  return isAsyncIterable(value) ? collectAsync(value, context) : value;
}

/** Waits for the handler, the time-out or the caller's cancellation, whichever comes first; what comes later is dropped. */
function settle(call: CallState, outcome: PromiseLike<unknown>): Promise<void> {
  const { context, name, runtime } = call;
  const { clock } = runtime.options;
  return new Promise<void>((resolve, reject) => {
    const limitMs = Math.max(0, call.deadline - clock.monotonic());
    const timer = setTimeout(() => {
      context.abort(new TimeoutError(`${name} timed out after ${Math.round(call.deadline - call.startedAt)} ms.`));
    }, limitMs);
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      context.waitForAbort(undefined);
      finish();
    };
    context.waitForAbort((reason) => end(() => reject(reason)));
    outcome.then(
      (value) => end(() => resolve(void (call.value = value))),
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers may throw anything
      (error: unknown) => end(() => reject(error)),
    );
  });
}
