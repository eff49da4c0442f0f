import { BOUNDS } from '../core/bounds.js';
import { checkOptions, isCount, isDelay, isFunction, undefinedClass } from '../core/check-options.js';
import { type Class, isClass } from '../core/class.js';
import { errorKind } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Call, MiddlewareHost, MiddlewareObject, Next } from '../core/middleware.js';
import type { ToolResult } from '../core/tool-result.js';

/** A cause that is worth another attempt: a class of errors, the `code` of one (`ECONNRESET`), or a function that knows. */
export type RetryCause = Class | string | number | ((error: unknown) => boolean);

/** When and how {@link retry} tries again. */
export interface RetryOptions {
  /** The only failures that are tried again. */
  readonly on: readonly RetryCause[];
  /** All attempts together, the first included. Default: 3. */
  readonly attempts?: number;
  /** The longest first pause. Each further one may be twice as long. Default: 100. */
  readonly initialDelayMs?: number;
  /** Default: 2,000. */
  readonly maxDelayMs?: number;
  /** From 0 up to 1: how much of a pause is waited. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Refusals and mistakes of the caller's, which another attempt would only repeat. */
const NEVER: ReadonlySet<string | undefined> = new Set([
  'AccessDeniedError',
  'CancelledError',
  'ConfigurationError',
  'InputRequiredError',
  'InvalidArgumentsError',
  'MissingCapabilityError',
  'NotFoundError',
  'RateLimitedError',
  'UnsendableError',
]);

/**
 * Tries calls again that failed for one of the causes given: of tools that are read-only and idempotent, and of
 * resources. The pauses grow and are random below their limit, so that callers do not come back together. A call never
 * outlives its time, and a cancelled one is not tried again. A result says under `_meta` `retries` how many it took.
 *
 * @throws {ConfigurationError} When an option is wrong, or no cause is given.
 */
export function retry(options: RetryOptions): MiddlewareObject {
  const causes = (options as RetryOptions | undefined)?.on;
  checkOptions(
    'retry',
    options,
    {
      on: causesProblem,
      attempts: isCount,
      initialDelayMs: isDelay,
      maxDelayMs: isDelay,
      random: isFunction,
    },
    causes === undefined || (causes as readonly RetryCause[] | null)?.length === 0
      ? [finding('CT801', 'retry: no causes. Say with `on` which failures are worth another attempt.')]
      : [],
  );
  return new Retry(options);
}

function causesProblem(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const index = value.indexOf(undefined);
    if (index !== -1) return undefinedClass(index);
    if (value.every(isCause)) return undefined;
  }
  return 'must be a list of causes. Pass error classes, codes or functions';
}

function isCause(value: unknown): boolean {
  return typeof value === 'function' || typeof value === 'string' || typeof value === 'number';
}

class Retry implements MiddlewareObject {
  readonly name = 'retry';
  readonly #options: Required<RetryOptions>;
  #host: MiddlewareHost | undefined;

  constructor(options: RetryOptions) {
    const { attempts = BOUNDS.attempts.default, maxDelayMs = BOUNDS.maxDelayMs.default } = options;
    const { initialDelayMs = 100, on, random = Math.random } = options;
    this.#options = { attempts, initialDelayMs, maxDelayMs, on, random };
  }

  attach(host: MiddlewareHost): void {
    this.#host = host;
  }

  tool(call: Call<'tool'>, next: Next<'tool'>): Promise<ToolResult> {
    if (!call.repeatable) return next();
    return this.#run(call, next, (result, retries) => result.withMeta({ [`${call.metaPrefix}retries`]: retries }));
  }

  resource(call: Call<'resource'>, next: Next<'resource'>): ReturnType<typeof next> {
    return call.repeatable ? this.#run(call, next, (contents) => contents) : next();
  }

  async #run<A>(call: Call, next: () => Promise<A>, mark: (answer: A, retries: number) => A): Promise<A> {
    for (let retries = 0; ; retries++) {
      try {
        const answer = await next();
        return retries === 0 ? answer : mark(answer, retries);
      } catch (error) {
        const delayMs = this.#delayMs(call, error, retries);
        if (delayMs === undefined) throw error;
        await pause(call, delayMs);
      }
    }
  }

  /** How long to wait before the next attempt; `undefined` when there is none. */
  #delayMs(call: Call, error: unknown, retries: number): number | undefined {
    if (call.context.aborted || NEVER.has(errorKind(error)) || !this.#options.on.some((cause) => fits(cause, error)))
      return undefined;
    const { attempts, initialDelayMs, maxDelayMs, random } = this.#options;
    const delayMs = random() * Math.min(maxDelayMs, initialDelayMs * 2 ** retries);
    const now = this.#host?.clock.monotonic() ?? performance.now();
    if (retries + 1 < attempts && now + delayMs < call.deadline) return delayMs;
    this.#host?.logger.warn(`retry: ${call.kind} ${call.name} failed for good`, { attempts: retries + 1 });
    return undefined;
  }
}

/** @throws {CancelledError} When the call is cancelled meanwhile. */
function pause({ context }: Call, delayMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { signal } = context;
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      finish();
    };
    const cancel = (): void => end(() => reject(signal.reason as Error));
    const timer = setTimeout(() => end(resolve), delayMs);
    signal.addEventListener('abort', cancel);
  });
}

function fits(cause: RetryCause, error: unknown): boolean {
  try {
    if (typeof cause !== 'function') return (error as { readonly code?: unknown } | null | undefined)?.code === cause;
    if (isErrorClass(cause)) return error instanceof cause;
    const said: unknown = cause(error);
    return said === true;
  } catch {
    return false;
  }
}

function isErrorClass(cause: unknown): cause is Class {
  return (
    isClass(cause) &&
    (cause === Error || cause.prototype instanceof Error || /^class\b/.test(Function.prototype.toString.call(cause)))
  );
}
