import type { ToolContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { AccessDeniedError, errorKind, isLayerError } from '../core/errors.js';
import { isPromise } from '../core/guards.js';
import type { CallKind } from '../core/middleware.js';
import type { Decision, PolicyEvent, Primitive } from '../core/ports.js';
import type { ResolvedOptions } from './options.js';

/** What there is to know of a call that a policy lets in or refuses. */
interface Judged {
  readonly runtime: { readonly options: ResolvedOptions };
  readonly kind: CallKind;
  readonly name: string;
  readonly args: unknown;
  readonly context: ToolContext;
  readonly nested: boolean;
  /** What the policy said when the name was looked up. */
  readonly decision: Decision | undefined;
  /** What the name stands for, seen or hidden. */
  readonly target: Primitive | undefined;
}

/**
 * Lets a call in, and records that it was let in, or why not.
 *
 * @throws {AccessDeniedError} When the policy denied it.
 * @throws {RateLimitedError} When this was too often.
 */
export function letIn(call: Judged): void | Promise<void> {
  const { decision, name, target } = call;
  const { policy } = call.runtime.options;
  if (target === undefined || decision === undefined) return;
  if (!decision.allowed) {
    recordEvent(call, 'denied', decision.reason);
    throw new AccessDeniedError(`Access denied: ${name}`, { policy: policy.name, reason: decision.reason });
  }
  let waiting: void | Promise<void>;
  try {
    waiting = policy.admit?.(target, call.context.principal);
  } catch (error) {
    recordRefusal(call, error);
    throw error;
  }
  if (!isPromise(waiting)) {
    recordEvent(call, 'allowed', undefined);
    return;
  }
  return waiting.then(
    () => recordEvent(call, 'allowed', undefined),
    (error: unknown) => {
      recordRefusal(call, error);
      throw error;
    },
  );
}

/** Records that a name stands for nothing, as far as this caller may know. */
export function recordMissing(call: Judged): void {
  const { decision, target } = call;
  const hidden = decision?.allowed === false ? decision.reason : undefined;
  recordEvent(call, 'not_found', hidden ?? (target === undefined ? undefined : 'nothing to complete'));
}

/** What fails in a policy lets nobody in. */
function recordRefusal(call: Judged, error: unknown): void {
  const reason = isLayerError(error) ? error.message : `admit failed: ${describeThrown(error).error}`;
  recordEvent(call, errorKind(error) === 'RateLimitedError' ? 'limited' : 'denied', reason);
}

function recordEvent(call: Judged, outcome: PolicyEvent['outcome'], reason: string | undefined): void {
  const { clock, logger, policy } = call.runtime.options;
  const { args, context, kind, name, nested, target } = call;
  if (policy.record === undefined || kind === 'list') return;
  const { principal, requestId, session } = context;
  const event = { outcome, reason, kind, name, primitive: target, principal, args, requestId, session, nested, at: clock.now() }; // prettier-ignore
  try {
    const record: (event: PolicyEvent) => unknown = policy.record.bind(policy);
    const waiting = record(Object.freeze(event));
    if (!isPromise(waiting)) return;
    waiting.then(undefined, (error: unknown) => {
      logger.error(`policy '${policy.name}': record failed`, describeThrown(error));
    });
  } catch (error) {
    logger.error(`policy '${policy.name}': record failed`, describeThrown(error));
  }
}
