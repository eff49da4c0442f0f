import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { checkRawSchema, dialectOf, MAX_LEVELS, MAX_NODES, TYPES } from './checks.js';
import { patternDialect } from '../read/regex-pattern.js';

/** A schema that somebody wrote by hand, as it was when it was given. */
export interface TakenSchema {
  /** A deep-frozen copy. */
  readonly schema: JsonSchema;
  /** What is wrong with it, as "problem. remedy." */
  readonly findings: readonly string[];
  /** Whether any object in it has the key that was looked for. */
  readonly mentions: boolean;
  /** Whether any object in it has a `pattern` or `patternProperties`. */
  readonly hasPatterns: boolean;
}

const SOUND: readonly string[] = Object.freeze([]);

/** What was taken last: tools that share a schema are registered one after another. A map of all of them would cost more. */
const KEPT = 4;
const kept: { readonly source: JsonSchema; readonly keyword: string; readonly taken: TakenSchema }[] = [];

/**
 * Copies and checks a schema in as few walks as it takes. Ten thousand tools may each have one: most are plain, and are
 * seen to be sound on the way; whatever is not is for {@link checkRawSchema} to tell. An object that is given again and
 * still says the same is not copied and checked again.
 */
export function takeRawSchema(source: JsonSchema, keyword: string): TakenSchema {
  const known = kept.find((each) => each.source === source && each.keyword === keyword);
  if (known !== undefined && isSame(source, known.taken.schema)) return known.taken;
  const copy = new FrozenCopy(keyword);
  const schema = copy.of(source, 0) as JsonSchema;
  const findings = copy.isUnfit || !isSound(schema) ? checkRawSchema(source) : SOUND;
  const { hasPatterns, mentions } = copy;
  const result = { schema, findings, mentions, hasPatterns };
  if (findings.length > 0) return result;
  if (kept.length === KEPT) kept.shift();
  kept.push({ source, keyword, taken: result });
  return result;
}

class FrozenCopy {
  mentions = false;
  hasPatterns = false;
  /** It is not plain JSON, or too much of it: then the copy is not whole. */
  isUnfit = false;
  #nodes = 0;
  readonly #keyword: string;

  constructor(keyword: string) {
    this.#keyword = keyword;
  }

  of(value: object, depth: number): object {
    if (depth > MAX_LEVELS || this.isUnfit) this.isUnfit = true;
    else if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => this.#member(item, depth)));
    else {
      const copy: Record<string, unknown> = {};
      for (const key of Object.keys(value)) {
        const item = this.#member((value as Readonly<Record<string, unknown>>)[key], depth);
        if (key === this.#keyword) this.mentions = true;
        if (key === 'pattern' || key === 'patternProperties') this.hasPatterns = true;
        if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
        else copy[key] = item;
      }
      return Object.freeze(copy);
    }
    return value;
  }

  #member(item: unknown, depth: number): unknown {
    if (++this.#nodes >= MAX_NODES) this.isUnfit = true;
    switch (typeof item) {
      case 'object':
        return item === null ? item : this.of(item, depth + 1);
      case 'function':
      case 'bigint':
      case 'symbol':
        this.isUnfit = true;
    }
    return item;
  }
}

function isSame(value: unknown, copy: unknown): boolean {
  if (typeof value !== 'object' || value === null || typeof copy !== 'object' || copy === null) {
    return Object.is(value, copy);
  }
  if (Array.isArray(value) !== Array.isArray(copy)) return false;
  const keys = Object.keys(value);
  const others = Object.keys(copy);
  if (keys.length !== others.length) return false;
  const [of, as] = [value, copy] as Readonly<Record<string, unknown>>[] as [JsonSchema, JsonSchema];
  return keys.every((key, index) => key === others[index] && isSame(of[key], as[key]));
}

type Look = (value: unknown) => boolean;
const isAnything: Look = () => true;
const isNumber: Look = (value) => typeof value === 'number';
const isSub: Look = (value) => typeof value === 'boolean' || (isRecord(value) && isSound(value));
const isList: Look = (value) => Array.isArray(value) && value.every(isSub);
const isMap: Look = (value) => isRecord(value) && Object.values(value).every(isSub);
const isName: Look = (value) => typeof value === 'string';

/** How each keyword of a plain schema looks when nothing is wrong with it. Every other keyword is looked at in full. */
const LOOKS: ReadonlyMap<string, Look> = new Map<string, Look>([
  ...['title', 'description', 'default', 'examples', 'const', 'format', '$comment', 'deprecated'].map(
    (key): [string, Look] => [key, isAnything],
  ),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((key): [string, Look] => [
    key,
    isNumber,
  ]),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((key): [string, Look] => [
    key,
    isNumber,
  ]),
  ['type', (value) => typeof value === 'string' && TYPES.has(value)],
  ['required', (value) => Array.isArray(value) && value.every(isName)],
  ['enum', Array.isArray],
  ['pattern', (value) => typeof value === 'string' && patternDialect(value) !== 'invalid'],
  ['uniqueItems', isAnything],
  ['items', (value) => isSub(value) || isList(value)],
  ['additionalProperties', isSub],
  ['properties', isMap],
  ['$defs', isMap],
  ['allOf', isList],
  ['anyOf', isList],
  ['oneOf', isList],
  ['not', isSub],
  ['$schema', (value) => dialectOf({ $schema: value }) !== undefined],
]);

/** Whether certainly nothing is wrong; a keyword that is present and `undefined` is as good as absent only in full. */
function isSound(schema: JsonSchema): boolean {
  for (const key in schema) if (LOOKS.get(key)?.(schema[key]) !== true) return false;
  return true;
}
