import type { JsonSchema } from '../../core/json-schema.js';
import { subschemas } from '../raw/walk.js';

/** The property that a result which is not an object is put under. */
const RESULT_KEY = 'result';

const POINTER = `#/properties/${RESULT_KEY}`;
/** Definitions stay at the root, so references to them stay as they are. */
const HOISTED = ['$defs', 'definitions'];

/** A schema of `{ result: value }` for a schema of `value`. Local references lead where they led before. */
export function wrapSchema(schema: JsonSchema): JsonSchema {
  const { $schema, ...own } = structuredClone(schema);
  const outer: Record<string, unknown> = { ...($schema === undefined ? {} : { $schema }), type: 'object' };
  const inner: Record<string, unknown> = own;
  // A schema with an `$id` is a resource of its own: its references start at itself, wherever it stands.
  if (typeof own.$id !== 'string') {
    for (const { schema: sub } of subschemas(own)) redirect(sub);
    for (const keyword of HOISTED) {
      if (inner[keyword] === undefined) continue;
      outer[keyword] = inner[keyword];
      delete inner[keyword];
    }
  }
  return { ...outer, properties: { [RESULT_KEY]: inner }, required: [RESULT_KEY] };
}

function redirect(schema: Record<string, unknown>): void {
  const reference = schema.$ref;
  if (typeof reference !== 'string') return;
  if (reference === '#') schema.$ref = POINTER;
  else if (reference.startsWith('#/') && !HOISTED.some((keyword) => reference.startsWith(`#/${keyword}/`))) {
    schema.$ref = `${POINTER}${reference.slice(1)}`;
  }
}
