import type { JsonSchema } from '../../core/json-schema.js';
import { subschemas } from './walk.js';

/** Below these a narrower schema would let more through, not less. */
const TURNED = new Set(['not', 'if']);

/**
 * A copy of a schema that takes integers only as far as JSON keeps every digit of them: 9007199254740993 arrives as
 * 9007199254740992, which nobody wrote. What clients are shown stays as its author wrote it.
 */
export function withExactIntegers(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema);
  for (const { schema: sub, path } of subschemas(copy)) {
    const { maximum, minimum, type } = sub;
    const types: unknown[] = [type].flat();
    if (!types.includes('integer') || types.includes('number') || path.some((step) => TURNED.has(step))) continue;
    Object.assign(sub, {
      maximum: Math.min(typeof maximum === 'number' ? maximum : Infinity, Number.MAX_SAFE_INTEGER),
      minimum: Math.max(typeof minimum === 'number' ? minimum : -Infinity, Number.MIN_SAFE_INTEGER),
    });
  }
  return copy;
}
