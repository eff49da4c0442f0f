import { BOUNDS } from '../core/bounds.js';
import { checkOptions, hasMethods, isCount } from '../core/check-options.js';
import { SYSTEM_CLOCK } from '../core/defaults.js';
import type { Clock } from '../core/ports.js';
import type { RateLimitAnswer, RateLimitBucket, RateLimitStore } from '../core/rate-limit-store.js';

/** What a {@link MemoryRateLimitStore} is made of. */
export interface MemoryRateLimitOptions {
  /** How many buckets are remembered; the one that was not touched for the longest goes first. Default: 100,000. */
  readonly maxBuckets?: number;
  readonly clock?: Clock;
}

interface Kept {
  tokens: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** Counts calls in this process, by a clock that nobody sets back. What is full again needs no place. */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #clock: Clock;
  readonly #max: number;
  /** By namespace and key, the longest untouched first. */
  readonly #buckets = new Map<string, Kept>();

  constructor(options: MemoryRateLimitOptions = {}) {
    checkOptions('MemoryRateLimitStore', options, { maxBuckets: isCount, clock: hasMethods('now', 'monotonic') });
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#max = options.maxBuckets ?? BOUNDS.maxBuckets.default;
  }

  /** How many buckets are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  take(namespace: string, buckets: readonly RateLimitBucket[]): RateLimitAnswer {
    const now = this.#clock.monotonic();
    // A bucket that is named twice pays once.
    const wanted = new Map(buckets.map((bucket) => [`${namespace}\n${bucket.key}`, bucket]));
    const filled = new Map<string, Kept>();
    let slowest: { key: string; retryAfterMs: number } | undefined;
    for (const [key, bucket] of wanted) {
      const tokens = this.#tokensOf(key, bucket, now);
      filled.set(key, { tokens, at: now });
      const retryAfterMs = ((1 - tokens) * 1000) / bucket.perSecond;
      if (tokens < 1 && retryAfterMs > (slowest?.retryAfterMs ?? 0)) slowest = { key: bucket.key, retryAfterMs };
    }
    if (slowest !== undefined) return { allowed: false, ...slowest };
    for (const [key, kept] of filled) this.#keep(key, { ...kept, tokens: kept.tokens - 1 });
    return { allowed: true };
  }

  #tokensOf(key: string, { burst, perSecond }: RateLimitBucket, now: number): number {
    const kept = this.#buckets.get(key);
    if (kept === undefined) return burst;
    return Math.min(burst, kept.tokens + (Math.max(0, now - kept.at) / 1000) * perSecond);
  }

  #keep(key: string, kept: Kept): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, kept);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#max) return;
      this.#buckets.delete(oldest);
    }
  }
}
