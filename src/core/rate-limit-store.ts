/** A bucket of tokens: it holds `burst` when full and gets `perSecond` back each second. */
export interface RateLimitBucket {
  /** Names the bucket within its namespace: what is limited, and for whom. */
  readonly key: string;
  /** At least 1. */
  readonly burst: number;
  readonly perSecond: number;
}

/** What became of a request for tokens. */
export type RateLimitAnswer =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** The empty bucket that takes longest. */
      readonly key: string;
      /** When all of them hold a token again. */
      readonly retryAfterMs: number;
    };

/** Counts calls for rate limits. */
export interface RateLimitStore {
  /**
   * Takes one token from each bucket, or none from any when one is empty: a single step that no other call divides. A
   * bucket that was never named is full.
   *
   * @param now Milliseconds since 1970, for stores without a clock of their own.
   */
  take(namespace: string, buckets: readonly RateLimitBucket[], now: number): RateLimitAnswer | Promise<RateLimitAnswer>;
}
