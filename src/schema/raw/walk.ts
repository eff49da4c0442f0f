import type { JsonSchema } from '../../core/json-schema.js';

const ONE =
  'items additionalItems contains additionalProperties propertyNames not if then else unevaluatedItems unevaluatedProperties contentSchema'.split(
    ' ',
  );
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** One schema inside another, and how to get there from the root. */
export interface Subschema {
  readonly schema: JsonSchema;
  /** Keywords and keys from the root. */
  readonly path: readonly string[];
}

/** Every schema object within `root`, itself first. Data that only looks like a schema (`enum`, `default`, …) is not entered. */
export function* subschemas(root: JsonSchema): Generator<Subschema> {
  const stack: Subschema[] = [{ schema: root, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const { schema, path } = next;
    for (const keyword of ONE) push(stack, schema[keyword], [...path, keyword]);
    for (const keyword of LIST) {
      const list = schema[keyword];
      if (Array.isArray(list)) list.forEach((item, index) => push(stack, item, [...path, keyword, String(index)]));
    }
    for (const keyword of MAP) {
      const map = schema[keyword];
      if (!isObject(map)) continue;
      for (const [key, item] of Object.entries(map)) push(stack, item, [...path, keyword, key]);
    }
  }
}

function push(stack: Subschema[], value: unknown, path: readonly string[]): void {
  if (isObject(value)) stack.push({ schema: value, path });
}

/** Whether `value` is an object that may be a schema. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a JSON pointer fragment (`#/$defs/a~1b`) names in `root`; `undefined` when there is nothing. */
export function resolvePointer(root: unknown, fragment: string): unknown {
  let at: unknown = root;
  for (const part of fragment.split('/').slice(1)) {
    const key = decode(part).replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
