import { BOUNDS } from '../core/bounds.js';
import { checkOptions, isCount, isDelay } from '../core/check-options.js';
import { RateLimitedError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Call, CallKind, MiddlewareObject, Next, ResultByKind } from '../core/middleware.js';
import { isKinds } from './check-kinds.js';
import { FairSlots } from './fair-slots.js';

/** How many calls {@link concurrency} lets run at once. */
export interface ConcurrencyOptions {
  /** All callers together. */
  readonly total?: number;
  /** Each caller. */
  readonly perPrincipal?: number;
  /** How many may wait; one more is refused at once. Default: 1,000. */
  readonly maxQueue?: number;
  /** How long one may wait. Default: 10,000. */
  readonly queueTimeoutMs?: number;
  /** Which kinds of requests need a slot. Default: `tool`, `resource` and `prompt`. */
  readonly kinds?: readonly CallKind[];
}

/**
 * Lets only so many calls run at once; the others wait, first come first served within one caller, and caller by caller
 * between them, so that a busy one cannot starve the rest. A cancelled call gives its slot or its place back at once.
 * Calls that a handler makes while it has a slot need none of their own.
 *
 * @throws {ConfigurationError} When an option is wrong, or there is no limit.
 */
export function concurrency(options: ConcurrencyOptions): MiddlewareObject {
  const {
    kinds = ['tool', 'resource', 'prompt'],
    perPrincipal,
    total,
  } = (options as ConcurrencyOptions | undefined) ?? {};
  checkOptions(
    'concurrency',
    options,
    {
      total: isCount,
      perPrincipal: isCount,
      maxQueue: isCount,
      queueTimeoutMs: isDelay,
      kinds: isKinds,
    },
    total === undefined && perPrincipal === undefined
      ? [finding('CT802', 'concurrency: no limit. Pass total, perPrincipal or both.')]
      : [],
  );
  const limiter = new Limiter(options);
  const run = <K extends CallKind>(call: Call<K>, next: Next<K>): Promise<ResultByKind[K]> => limiter.run(call, next);
  return { name: 'concurrency', ...Object.fromEntries(kinds.map((kind) => [kind, run])) };
}

class Limiter {
  readonly #slots: FairSlots;
  readonly #queueTimeoutMs: number;

  constructor({
    maxQueue = BOUNDS.maxQueue.default,
    perPrincipal = Infinity,
    queueTimeoutMs = BOUNDS.queueTimeoutMs.default,
    total = Infinity,
  }: ConcurrencyOptions) {
    this.#slots = new FairSlots(total, perPrincipal, maxQueue);
    this.#queueTimeoutMs = queueTimeoutMs;
  }

  async run<A>(call: Call, next: () => Promise<A>): Promise<A> {
    if (call.nested) return next();
    const { key } = call.principal;
    if (!this.#slots.take(key)) await this.#wait(call, key);
    try {
      return await next();
    } finally {
      this.#slots.release(key);
    }
  }

  async #wait({ context }: Call, id: string): Promise<void> {
    const place = this.#slots.queue(id);
    if (place === undefined) throw busy('The server is busy: too many requests wait already.', { retry_after: 1 });
    const { signal } = context;
    const timer = setTimeout(
      () => place.leave(busy('The server is busy: no slot became free in time.', { retry_after: 1 })),
      this.#queueTimeoutMs,
    );
    const cancel = (): void => place.leave(signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    if (context.aborted) cancel();
    try {
      await place.free;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }
}

function busy(message: string, data: object): RateLimitedError {
  return new RateLimitedError(message, { limit: 'concurrency', ...data });
}
