import { withContext } from '../../core/context.js';
import { isPromise } from '../../core/guards.js';
import type { CallState, Stage } from '../call-state.js';
import { closed } from '../failures.js';
import { unreadable } from './normalise.js';
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
    const { context, control, runtime } = call;
    // Whoever waited before the handler, in a middleware or a policy, may find the services stopped.
    if (runtime.isClosed) control.abort(closed());
    if (control.abortReason !== undefined) throw control.abortReason;
    const outcome = runtime.options.asyncContext ? withContext(context, start, call) : start(call);
    const waiting = awaited(call, outcome);
    if (waiting !== undefined) return settle(call, waiting);
    call.value = outcome;
  },
};

/** What has to be waited for. A proxy may throw at the question, which is no failure of the handler's. */
function awaited(call: CallState, outcome: unknown): PromiseLike<unknown> | undefined {
  try {
    if (isPromise(outcome)) return outcome;
    return isAsyncIterable(outcome) ? collectAsync(outcome, call.context) : undefined;
  } catch (error) {
    throw unreadable(call, error);
  }
}

function start(call: CallState): unknown {
  const { completion, context, scope } = call;
  if (completion !== undefined) return completion.handler(completion.partial, context, completion.known, scope);
  return call.found().spec.handler(call.value, context, scope);
}

/** Waits for the handler, the time-out or the caller's cancellation, whichever comes first; what comes later is dropped. */
function settle(call: CallState, outcome: PromiseLike<unknown>): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const { context, control, runtime } = call;
    const { deadlines } = runtime;
    const end = (): void => {
      deadlines.forget(call);
      call.whenHeld = undefined;
      control.waitForAbort(undefined);
    };
    const fail = (error: unknown): void => {
      end();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers may throw anything
      reject(error);
    };
    const succeed = (value: unknown): void => {
      if (isAsyncIterable(value)) {
        collectAsync(value, context).then(succeed, fail);
        return;
      }
      end();
      call.value = value;
      resolve();
    };
    deadlines.watch(call);
    call.whenHeld = () => deadlines.watch(call);
    control.waitForAbort(fail);
    outcome.then(succeed, fail);
    // The handler may have been cancelled by what it did before it first waited.
    if (control.abortReason !== undefined) fail(control.abortReason);
  });
}
