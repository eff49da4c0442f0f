import { BOUNDS } from '../core/bounds.js';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { checkOptions, isCount, isText } from '../core/check-options.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Call, CallKind, MiddlewareHost, MiddlewareObject, Next, ResultByKind } from '../core/middleware.js';
import type { Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import { type Outcome, OUTCOMES, outcomeOf, outcomeOfError } from './outcome.js';
import type { MetricsLine } from './metrics-line.js';
import { prometheusText } from './prometheus.js';

/** How {@link metrics} counts. */
export interface MetricsOptions {
  /** Where the snapshot is served; `false` serves none. Default: `cartouche://metrics`. */
  readonly resource?: string | false;
  /** How many primitives are told apart; those beyond share one line. Default: 2,000. */
  readonly maxSeries?: number;
}

/** The middleware that {@link metrics} makes, and what it has counted. */
export interface Metrics extends MiddlewareObject {
  /** @param principal Leaves out what this caller may not see. */
  snapshot(principal?: Principal): readonly MetricsLine[];
  /** The same in the text format that Prometheus reads. */
  prometheus(): string;
  reset(): void;
}

/** An hour; what takes longer counts as that. */
const MAX_MICROSECONDS = 3_600_000_000;

/**
 * Counts requests, how they ended and how long they took, per primitive, in memory of a fixed size. The snapshot is a
 * resource, in which each caller sees only what it may see.
 *
 * @throws {ConfigurationError} When an option is wrong.
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  checkOptions('metrics', options, {
    resource: (value) => (value === false ? undefined : isText(value)),
    maxSeries: isCount,
  });
  return new MetricsMiddleware(options);
}

class Series {
  readonly histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: MAX_MICROSECONDS, figures: 2 });
  readonly outcomes: Record<Outcome, number> = {
    ok: 0,
    error: 0,
    denied: 0,
    rate_limited: 0,
    rejected: 0,
    cancelled: 0,
    exception: 0,
  };
  inFlight = 0;
  seconds = 0;

  constructor(
    readonly kind: CallKind,
    readonly name: string,
    readonly primitive: Primitive | undefined,
  ) {}

  end(outcome: Outcome, durationMs: number): void {
    this.inFlight -= 1;
    this.outcomes[outcome] += 1;
    this.seconds += durationMs / 1000;
    this.histogram.record(Math.min(MAX_MICROSECONDS, Math.max(1, Math.round(durationMs * 1000))));
  }

  line(): MetricsLine {
    const { histogram, inFlight, kind, name, outcomes } = this;
    const calls = OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
    const at = (percentile: number): number => (calls === 0 ? 0 : histogram.percentile(percentile) / 1000);
    return {
      kind,
      name,
      calls,
      inFlight,
      errors: outcomes.error + outcomes.exception,
      rejections: outcomes.denied + outcomes.rate_limited + outcomes.rejected,
      outcomes: { ...outcomes },
      latencyMs: {
        mean: calls === 0 ? 0 : round((this.seconds * 1000) / calls),
        p50: at(50),
        p95: at(95),
        p99: at(99),
        max: calls === 0 ? 0 : histogram.max / 1000,
      },
    };
  }
}

class MetricsMiddleware implements Metrics {
  readonly name = 'metrics';
  readonly #resource: string | false;
  readonly #maxSeries: number;
  readonly #series = new Map<string, Series>();
  /** The way of almost every call to its series: no text has to be made. */
  readonly #byPrimitive = new Map<CallKind, WeakMap<Primitive, Series>>();
  #host: MiddlewareHost | undefined;

  constructor({ maxSeries = BOUNDS.maxSeries.default, resource = 'cartouche://metrics' }: MetricsOptions) {
    this.#resource = resource;
    this.#maxSeries = maxSeries;
  }

  attach(host: MiddlewareHost): void {
    if (this.#host !== undefined) {
      throw new ConfigurationError(
        finding('CT806', 'metrics: two layers would share its counts. Make one with metrics() for each.'),
      );
    }
    this.#host = host;
    if (this.#resource === false) return;
    const about = {
      title: 'Metrics',
      description: 'How often each primitive was asked for, how that ended and how long it took.',
    };
    host.addResource(this.#resource, about, ({ principal }) => ({ metrics: this.snapshot(principal) }));
  }

  async all<K extends CallKind>(call: Call<K>, next: Next<K>): Promise<ResultByKind[K]> {
    const series = this.#seriesOf(call);
    const started = this.#now();
    series.inFlight += 1;
    try {
      const answer = await next();
      series.end(outcomeOf(answer), this.#now() - started);
      return answer;
    } catch (error) {
      series.end(outcomeOfError(call, error), this.#now() - started);
      throw error;
    }
  }

  snapshot(principal?: Principal): readonly MetricsLine[] {
    const host = this.#host;
    return [...this.#series.values()]
      .filter(
        ({ primitive }) =>
          primitive === undefined || principal === undefined || host?.canSee(primitive, principal) === true,
      )
      .map((series) => series.line());
  }

  prometheus(): string {
    return prometheusText([...this.#series.values()].map((series) => ({ ...series.line(), seconds: series.seconds })));
  }

  reset(): void {
    this.#series.clear();
    this.#byPrimitive.clear();
  }

  #seriesOf({ kind, name, primitive }: Call): Series {
    if (primitive === undefined) return this.#named(kind, kind === 'list' ? name : '(unknown)', undefined);
    let known = this.#byPrimitive.get(kind);
    if (known === undefined) this.#byPrimitive.set(kind, (known = new WeakMap()));
    let series = known.get(primitive);
    if (series === undefined) known.set(primitive, (series = this.#named(kind, primitive.id, primitive)));
    return series;
  }

  #named(kind: CallKind, name: string, primitive: Primitive | undefined): Series {
    const key = `${kind} ${name}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (primitive !== undefined && this.#series.size >= this.#maxSeries) return this.#named(kind, '(other)', undefined);
    const series = new Series(kind, name, primitive);
    this.#series.set(key, series);
    return series;
  }

  #now(): number {
    return this.#host?.clock.monotonic() ?? performance.now();
  }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
