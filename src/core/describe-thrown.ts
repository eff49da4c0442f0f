import { inspect, types } from 'node:util';

/** What a log may say of anything that was thrown: an Error of any realm, text, null, a promise, an object whose getters throw. */
export interface ThrownDescription {
  readonly error: string;
  readonly stack?: string;
  readonly cause?: string;
  readonly [key: string]: unknown;
}

/** Describes what was thrown, for a log; never throws itself. */
export function describeThrown(thrown: unknown): ThrownDescription {
  try {
    if (isError(thrown)) {
      const { cause, message, name, stack } = thrown;
      return {
        error: `${name}: ${message}`,
        ...(stack === undefined ? {} : { stack }),
        ...(cause === undefined ? {} : { cause: describeThrown(cause).error }),
      };
    }
    if (types.isPromise(thrown)) {
      // A rejected promise that nobody waits for would end the process.
      thrown.catch(() => undefined);
    }
    return { error: typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 3, breakLength: Infinity }) };
  } catch {
    return { error: `something of type ${typeof thrown} that cannot be described` };
  }
}

/** Whether this is an Error, of whichever realm: `instanceof` knows only those of its own. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
