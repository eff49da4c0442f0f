import type { Bound } from './bounds/bound.js';
import { CALL_BOUNDS } from './bounds/calls.js';
import { CARRIER_BOUNDS } from './bounds/carriers.js';
import { PART_BOUNDS } from './bounds/parts.js';
import { SCHEMA_BOUNDS } from './bounds/schemas.js';

export type { Bound } from './bounds/bound.js';

/**
 * Every limit, by the name of its option where that is not taken: the code takes its numbers from here, and the
 * documentation is printed from it. Each has a pair of tests: what just fits, and one more.
 */
export const BOUNDS = Object.freeze({
  ...CARRIER_BOUNDS,
  ...CALL_BOUNDS,
  ...SCHEMA_BOUNDS,
  ...PART_BOUNDS,
} satisfies Readonly<Record<string, Bound>>);
