import type { Issue } from '../../core/errors.js';

/** Says what is wrong with a value; an empty list when nothing is. */
export type RawValidator = (value: unknown) => readonly Issue[];

/** What is said when a value would take too long to check. */
export const TOO_COMPLEX: Issue = Object.freeze({ loc: '', type: 'too_complex', msg: 'is too complex to check' });

/** Inputs up to this many parts are searched for every problem; in larger ones the first is enough. */
export const MAX_PARTS_FOR_ALL = 2_000;

/** How many parts a value has, counted up to `max`. */
export function countParts(value: unknown, max: number): number {
  let count = 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const item of Object.values(value)) {
    count += countParts(item, max - count);
    if (count >= max) return count;
  }
  return count;
}
