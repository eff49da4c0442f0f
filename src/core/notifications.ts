/** Severities, ascending. Source: RFC 5424, as MCP uses it. */
export const LOG_LEVELS = Object.freeze([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const);

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where a request's notifications go. A carrier that cannot deliver one leaves the function out. */
export interface NotificationSink {
  /** Only set when the client asked for progress. */
  progress?(progress: number, total: number | undefined, message: string | undefined): void;
  log?(level: LogLevel, data: unknown, logger: string | undefined): void;
}
