import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { countParts } from './types.js';
import { resolvePointer, subschemas } from './walk.js';

/**
 * A recursive schema with alternatives can ask for work that grows exponentially with the depth of the input. Every
 * schema that a reference may lead to therefore burns fuel, and a validation stops when there is none left. What is
 * given grows with the input and with the number of references, so that honest work always gets through.
 */
const FUEL = 10_000;
const FUEL_PER_PART = 4;

let left = FUEL;

/** Thrown when a validation took too many steps. */
export class OutOfFuelError extends Error {}

/** Runs one validation with the fuel that the value deserves. `references` is 0 for a schema that burns none. */
export function withFuel<T>(value: unknown, references: number, run: () => T): T {
  left = references === 0 ? FUEL : FUEL + (FUEL_PER_PART + references) * countParts(value, Infinity);
  return run();
}

/** Takes one step. @throws {OutOfFuelError} When too many were taken. */
export function burnFuel(): true {
  if (--left < 0) throw new OutOfFuelError();
  return true;
}

/** The schemas in `root` that a reference leads to. */
export function referenceTargets(root: JsonSchema): Set<JsonSchema> {
  const targets = new Set<JsonSchema>();
  for (const { schema, path } of subschemas(root)) {
    const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
    if (typeof reference === 'string') {
      const target = reference.startsWith('#/') ? resolvePointer(root, reference) : root;
      if (isRecord(target)) targets.add(target);
    }
    const parent = path.at(-2);
    const isNamed = ['$anchor', '$dynamicAnchor', '$id'].some((key) => key in schema);
    if (isNamed || parent === '$defs' || parent === 'definitions') targets.add(schema);
  }
  return targets;
}
