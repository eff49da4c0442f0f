import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { Clock, Ids, Logger } from './ports.js';
import { readableJson } from './readable-json.js';

/** The machine's own clocks. */
export const SYSTEM_CLOCK: Clock = Object.freeze({ now: () => Date.now(), monotonic: () => performance.now() });

/** Ten random letters and digits: enough to find one line in a log. */
export const RANDOM_IDS: Ids = Object.freeze({ next: () => randomBytes(8).toString('base64url').slice(0, 10) });

function write(level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  const rest = Object.keys(fields).length === 0 ? '' : ` ${format(fields)}`;
  process.stderr.write(`cartouche ${level}: ${message}${rest}\n`);
}

function format(fields: Readonly<Record<string, unknown>>): string {
  try {
    return readableJson(JSON.stringify(fields));
  } catch {
    return inspect(fields, { depth: 3, breakLength: Infinity });
  }
}

/** The same logger, but one that never throws: what it cannot write is lost, and nothing else. */
export function guarded(logger: Logger): Logger {
  const guard =
    (level: keyof Logger) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      try {
        logger[level](message, fields);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return Object.freeze({ debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') });
}

/** Lines on standard error, where stdio servers must write them; debug messages are dropped. */
export const STDERR_LOGGER: Logger = Object.freeze({
  debug: () => undefined,
  info: (message: string, fields?: Readonly<Record<string, unknown>>) => write('info', message, fields),
  warn: (message: string, fields?: Readonly<Record<string, unknown>>) => write('warning', message, fields),
  error: (message: string, fields?: Readonly<Record<string, unknown>>) => write('error', message, fields),
});
