import type { CallKind } from '../core/middleware.js';
import type { Outcome } from './outcome.js';

/** What was counted for one primitive, or for one list. */
export interface MetricsLine {
  readonly kind: CallKind;
  /** A name without the layer's prefix, a URI, a template, or the name of a list; `(unknown)` and `(other)` stand for many. */
  readonly name: string;
  readonly calls: number;
  readonly inFlight: number;
  /** Failures: `error` and `exception`. */
  readonly errors: number;
  /** Refusals: `denied`, `rate_limited` and `rejected`. */
  readonly rejections: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Of all calls that ended. The percentiles are within 1 % of the truth. */
  readonly latencyMs: {
    readonly mean: number;
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly max: number;
  };
}
