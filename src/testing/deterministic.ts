import type { Clock, Ids } from '../core/ports.js';

/** A clock that stands still until it is moved. */
export interface FixedClock extends Clock {
  /** Moves both times on. */
  advance(ms: number): void;
}

/** @param start Milliseconds since 1970, or a date. Default: the beginning of 2026. */
export function fixedClock(start: number | Date = new Date('2026-01-01T00:00:00Z')): FixedClock {
  const begin = Number(start);
  let passed = 0;
  return {
    now: () => begin + passed,
    monotonic: () => passed,
    advance: (ms) => {
      passed += ms;
    },
  };
}

/** Ids that count: `id-1`, `id-2`, … */
export function sequentialIds(prefix = 'id-'): Ids {
  let last = 0;
  return { next: () => `${prefix}${++last}` };
}
