import type { MetricsLine } from './metrics-line.js';

/** One line with what only the text format needs. */
type Line = MetricsLine & { readonly seconds: number };

/** Writes counts as Prometheus reads them. Source: Prometheus, "Text-based format", version 0.0.4. */
export function prometheusText(lines: readonly Line[]): string {
  const requests = lines.flatMap((line) =>
    Object.entries(line.outcomes).map(
      ([outcome, count]) => `cartouche_requests_total{${labels(line)},outcome="${outcome}"} ${count}`,
    ),
  );
  const inFlight = lines.map((line) => `cartouche_requests_in_flight{${labels(line)}} ${line.inFlight}`);
  const durations = lines.flatMap((line) => {
    const { p50, p95, p99 } = line.latencyMs;
    const quantiles = [
      ['0.5', p50],
      ['0.95', p95],
      ['0.99', p99],
    ] as const;
    return [
      ...quantiles.map(
        ([quantile, ms]) => `cartouche_request_duration_seconds{${labels(line)},quantile="${quantile}"} ${ms / 1000}`,
      ),
      `cartouche_request_duration_seconds_sum{${labels(line)}} ${line.seconds}`,
      `cartouche_request_duration_seconds_count{${labels(line)}} ${line.calls}`,
    ];
  });
  return [
    '# HELP cartouche_requests_total Requests by how they ended.',
    '# TYPE cartouche_requests_total counter',
    ...requests,
    '# HELP cartouche_requests_in_flight Requests that have not ended.',
    '# TYPE cartouche_requests_in_flight gauge',
    ...inFlight,
    '# HELP cartouche_request_duration_seconds How long requests took.',
    '# TYPE cartouche_request_duration_seconds summary',
    ...durations,
    '',
  ].join('\n');
}

function labels({ kind, name }: MetricsLine): string {
  return `kind="${kind}",name="${name.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`;
}
