import { BOUNDS as LIMITS } from '../../core/bounds.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { resolvePointer, subschemas, type Subschema } from './walk.js';
import { patternDialect } from '../read/regex-pattern.js';
import { finding } from '../../core/finding.js';
import { isRecord } from '../../core/guards.js';

/** The dialects of JSON Schema that a raw schema may be written in. */
export type Dialect = '2020-12' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** The dialect that `$schema` names; 2020-12 without one (MCP 2026-07-28, "JSON Schema usage"). */
export function dialectOf(schema: JsonSchema): Dialect | undefined {
  const { $schema } = schema;
  if ($schema === undefined) return '2020-12';
  return typeof $schema === 'string' ? DIALECTS.get($schema.replace(/#$/, '')) : undefined;
}

/** How deep a raw schema may nest. */
export const MAX_LEVELS = LIMITS.schemaLevels.default;
/** How many values a raw schema may hold. */
export const MAX_NODES = LIMITS.schemaParts.default;
/** The types of JSON Schema. */
export const TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);
const BOUNDS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties'.split(
    ' ',
  );
const CHECKED: ReadonlySet<string> = new Set([
  ...BOUNDS,
  'required',
  'enum',
  'properties',
  'pattern',
  'patternProperties',
]);

/** What is wrong with a schema that somebody wrote by hand, as "problem. remedy." Compiles nothing. */
export function checkRawSchema(schema: JsonSchema): string[] {
  const unfit = unfitAsJson(schema, 0, { nodes: 0 }, []);
  if (unfit !== undefined) return [unfit];
  if (dialectOf(schema) === undefined) {
    return [finding('CT308', `$schema ${JSON.stringify(schema.$schema)} is not supported. Use 2020-12 or draft-07.`)];
  }
  const all = [...subschemas(schema)];
  const problems: string[] = [];
  let names: Names | undefined;
  for (const sub of all) {
    if (sub.schema.type !== undefined) checkType(sub, problems);
    if (hasChecked(sub.schema)) checkKeywords(sub, problems);
    if (sub.schema.$ref === undefined && sub.schema.$dynamicRef === undefined) continue;
    checkReferences(sub, schema, (names ??= referenceNames(all)), problems);
  }
  return problems;
}

function unfitAsJson(value: unknown, depth: number, count: { nodes: number }, above: unknown[]): string | undefined {
  if (++count.nodes > MAX_NODES) return finding('CT307', `it has more than ${MAX_NODES} parts. Make it smaller.`);
  if (depth > MAX_LEVELS) return finding('CT307', `it nests more than ${MAX_LEVELS} levels. Make it flatter.`);
  if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol') {
    return finding('CT307', `it holds a ${typeof value}. A JSON Schema is plain JSON.`);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return finding('CT307', 'it contains itself. Use $defs and $ref for recursion.');
  above.push(value);
  for (const key of Object.keys(value)) {
    const found = unfitAsJson((value as Readonly<Record<string, unknown>>)[key], depth + 1, count, above);
    if (found !== undefined) return found;
  }
  above.pop();
  return undefined;
}

function placeOf({ path }: Subschema): string {
  return path.length === 0 ? 'the root' : path.join('.');
}

function checkType(sub: Subschema, problems: string[]): void {
  const { type } = sub.schema;
  if (typeof type === 'string' && TYPES.has(type)) return;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  for (const each of types) {
    if (TYPES.has(each as string)) continue;
    problems.push(finding('CT309', `${placeOf(sub)} has the unknown type ${JSON.stringify(each)}. Use a JSON type.`));
  }
}

/** Most schemas say no more than their type and what they are for. */
function hasChecked(schema: JsonSchema): boolean {
  for (const key in schema) if (CHECKED.has(key)) return true;
  return false;
}

function checkKeywords(sub: Subschema, problems: string[]): void {
  const { schema } = sub;
  const at = placeOf(sub);
  for (const bound of BOUNDS) {
    if (schema[bound] !== undefined && typeof schema[bound] !== 'number') {
      problems.push(finding('CT309', `${bound} of ${at} is not a number. Make it one.`));
    }
  }
  const { required, enum: values, properties } = schema;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    problems.push(finding('CT309', `required of ${at} is not a list of names. Make it one.`));
  }
  if (values !== undefined && !Array.isArray(values))
    problems.push(finding('CT309', `enum of ${at} is not a list. Make it one.`));
  if (properties !== undefined && !isRecord(properties))
    problems.push(finding('CT309', `properties of ${at} is not an object. Make it one.`));
  const patterns = [schema.pattern, ...Object.keys(isRecord(schema.patternProperties) ? schema.patternProperties : {})];
  for (const pattern of patterns) {
    if (pattern !== undefined && (typeof pattern !== 'string' || patternDialect(pattern) === 'invalid')) {
      problems.push(finding('CT310', `a pattern of ${at} is not a regular expression. Correct it.`));
    }
  }
}

interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

const BASE = 'cartouche:/schema';

function referenceNames(all: readonly Subschema[]): Names {
  const anchors = new Set<string>();
  const ids = new Set<string>();
  for (const { schema } of all) {
    for (const key of ['$anchor', '$dynamicAnchor']) if (typeof schema[key] === 'string') anchors.add(schema[key]);
    if (typeof schema.$id !== 'string') continue;
    ids.add(withoutFragment(schema.$id));
    // Before 2019-09, `$id: "#name"` was how an anchor was written.
    if (schema.$id.startsWith('#')) anchors.add(schema.$id.slice(1));
  }
  return { anchors, ids };
}

function checkReferences(sub: Subschema, root: JsonSchema, names: Names, problems: string[]): void {
  const { schema } = sub;
  const at = placeOf(sub);
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = schema[keyword];
    if (reference === undefined) continue;
    if (typeof reference !== 'string')
      problems.push(finding('CT311', `${keyword} of ${at} is not a text. Make it one.`));
    else if (!reference.startsWith('#')) {
      if (!isLocal(reference, names)) {
        problems.push(
          finding(
            'CT311',
            `${keyword} of ${at} leads out of the schema (${reference}), and nothing is fetched. Put it into $defs.`,
          ),
        );
      }
    } else if (!resolves(reference, root, names)) {
      problems.push(finding('CT311', `${keyword} of ${at} (${reference}) leads nowhere. Define it in $defs.`));
    }
  }
}

function resolves(reference: string, root: JsonSchema, names: Names): boolean {
  if (reference === '#' || names.anchors.has(reference.slice(1))) return true;
  // With an `$id` inside, a pointer starts at that resource; which one is for the validator to find out.
  return reference.startsWith('#/') && (names.ids.size > 0 || resolvePointer(root, reference) !== undefined);
}

function isLocal(reference: string, { ids }: Names): boolean {
  const target = withoutFragment(reference);
  if (ids.has(target) || DIALECTS.has(target)) return true;
  return [...ids].some((id) => absolute(target, id) === absolute(id, BASE));
}

function withoutFragment(reference: string): string {
  return reference.split('#')[0] ?? '';
}

function absolute(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, new URL(base, BASE)).href;
  } catch {
    return undefined;
  }
}
