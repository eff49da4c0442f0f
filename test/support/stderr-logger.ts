import type { Logger } from 'cartouche';

/** Writes errors to standard error, a line each, and nothing else. */
export const STDERR: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, fields = {}) => process.stderr.write(`${JSON.stringify({ message, ...fields })}\n`),
};
