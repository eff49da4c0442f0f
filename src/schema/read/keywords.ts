import type { JsonSchema } from '../../core/json-schema.js';

const LARGEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLEST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** The conjunction of several sets of keywords: the tightest bound of each kind, and `allOf` for what cannot be merged. */
export function mergeKeywords(parts: readonly JsonSchema[]): JsonSchema {
  const merged: Record<string, unknown> = {};
  const allOf: unknown[] = [];
  const repeated = new Map<string, unknown[]>();
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      const present = merged[keyword];
      if (keyword === 'allOf') allOf.push(...(value as unknown[]));
      else if (present === undefined) merged[keyword] = value;
      else if (LARGEST.has(keyword)) merged[keyword] = Math.max(present as number, value as number);
      else if (SMALLEST.has(keyword)) merged[keyword] = Math.min(present as number, value as number);
      else if (JSON.stringify(present) !== JSON.stringify(value)) {
        repeated.set(keyword, [...(repeated.get(keyword) ?? [present]), value]);
      }
    }
  }
  for (const [keyword, values] of repeated) {
    delete merged[keyword];
    allOf.unshift(...values.map((value) => ({ [keyword]: value })));
  }
  return allOf.length === 0 ? merged : { ...merged, allOf };
}

/** Keywords that narrow what is allowed; the others only describe. */
const ASSERTING = new Set(
  [
    'const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems',
    'maxItems uniqueItems items prefixItems contains minContains maxContains minProperties maxProperties required',
    'properties patternProperties additionalProperties propertyNames allOf not if then else dependentRequired',
    'dependentSchemas unevaluatedItems unevaluatedProperties',
  ].flatMap((line) => line.split(' ')),
);

/** Keywords that make an overlay the whole schema of a property. */
const WHOLE = ['type', 'anyOf', 'oneOf', '$ref'];

/** Keywords that describe, and those that name or hold other schemas. */
const OTHERS = [
  'title description examples default deprecated readOnly writeOnly format contentEncoding contentMediaType contentSchema',
  'enumTitles $comment $id $schema $anchor $defs definitions $dynamicRef $dynamicAnchor dependencies additionalItems',
].flatMap((line) => line.split(' '));

/** Every keyword that JSON Schema, or this package, knows. */
export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([...ASSERTING, ...WHOLE, ...OTHERS]);

/** The keywords of `@Field`, sorted by what has to be done about them. */
export interface Overlay {
  readonly annotations: JsonSchema;
  readonly assertions: JsonSchema;
  /** The author wrote the property's whole schema. */
  readonly whole: boolean;
}

/** Sorts the keywords of `@Field`. */
export function readOverlay(keywords: JsonSchema): Overlay {
  const entries = Object.entries(keywords);
  return {
    annotations: Object.fromEntries(entries.filter(([key]) => !ASSERTING.has(key) && !WHOLE.includes(key))),
    assertions: Object.fromEntries(entries.filter(([key]) => ASSERTING.has(key))),
    whole: WHOLE.some((key) => key in keywords),
  };
}
