import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';

const ONE =
  'items additionalItems contains additionalProperties propertyNames not if then else unevaluatedItems unevaluatedProperties contentSchema'.split(
    ' ',
  );
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
const HOLDERS: ReadonlySet<string> = new Set([...ONE, ...LIST, ...MAP]);

/** One schema inside another, and how to get there from the root. */
export interface Subschema {
  readonly schema: JsonSchema;
  /** Keywords and keys from the root. */
  readonly path: readonly string[];
}

/** Remembers where it was found, and makes a path of that only for those who ask. */
class Found implements Subschema {
  readonly schema: JsonSchema;
  readonly #parent: Found | undefined;
  readonly #steps: readonly string[];

  constructor(schema: JsonSchema, parent?: Found, ...steps: readonly string[]) {
    this.schema = schema;
    this.#parent = parent;
    this.#steps = steps;
  }

  get path(): readonly string[] {
    return this.#parent === undefined ? this.#steps : [...this.#parent.path, ...this.#steps];
  }
}

/** Every schema object within `root`, itself first. Data that only looks like a schema (`enum`, `default`, …) is not entered. */
export function* subschemas(root: JsonSchema): Generator<Subschema> {
  const stack = [new Found(root)];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const { schema } = next;
    if (!holdsSchemas(schema)) continue;
    for (const keyword of ONE) {
      const one = schema[keyword];
      if (isRecord(one)) stack.push(new Found(one, next, keyword));
    }
    for (const keyword of LIST) {
      const list: unknown = schema[keyword];
      if (!Array.isArray(list)) continue;
      for (const [index, item] of list.entries()) {
        if (isRecord(item)) stack.push(new Found(item, next, keyword, String(index)));
      }
    }
    for (const keyword of MAP) {
      const map = schema[keyword];
      if (!isRecord(map)) continue;
      for (const key of Object.keys(map)) {
        const item = map[key];
        if (isRecord(item)) stack.push(new Found(item, next, keyword, key));
      }
    }
  }
}

/** Most schemas are leaves, and each of a server's is walked several times before it starts. */
function holdsSchemas(schema: JsonSchema): boolean {
  for (const key in schema) if (HOLDERS.has(key)) return true;
  return false;
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
