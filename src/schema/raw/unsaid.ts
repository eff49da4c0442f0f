import type { Issue } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { shortName, unknownKeyMessage } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import { tooLongMessage } from '../base/text-tests.js';
import { resolvePointer } from './walk.js';

const BRANCHES = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONAL = ['then', 'else'];
const ENCODED: ReadonlySet<unknown> = new Set(['base64', 'base64url', 'byte', 'binary']);

/**
 * What is wrong with a value by the schema that was published for it, and that the library behind it may not refuse:
 * keys that the schema does not know, which many a library drops in silence, and texts that are too long for their
 * expression. What the library does refuse is left to it.
 */
export class UnsaidProblems {
  readonly #root: JsonSchema;
  readonly #limits: ValidationLimits;
  readonly #leaves = new WeakMap<JsonSchema, readonly JsonSchema[]>();

  constructor(root: JsonSchema, limits: ValidationLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  of(value: unknown): readonly Issue[] {
    const issues: Issue[] = [];
    this.#look([this.#root], value, [], issues);
    return issues.slice(0, this.#limits.maxIssues);
  }

  #look(schemas: readonly unknown[], value: unknown, path: readonly string[], issues: Issue[]): void {
    if (issues.length >= this.#limits.maxIssues || schemas.length === 0) return;
    if (typeof value === 'string') this.#lookAtText(schemas, value, path, issues);
    if (typeof value !== 'object' || value === null) return;
    const leaves = fitting(this.#leavesOf(schemas), value);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const below = leaves.map(({ items, prefixItems }) =>
          Array.isArray(prefixItems) && index < prefixItems.length ? (prefixItems[index] as unknown) : items,
        );
        this.#look(below, item, [...path, String(index)], issues);
      }
      return;
    }
    this.#lookAtKeys(leaves, value as Readonly<Record<string, unknown>>, path, issues);
  }

  #lookAtText(schemas: readonly unknown[], text: string, path: readonly string[], issues: Issue[]): void {
    const { maxPatternChars } = this.#limits;
    if (text.length <= maxPatternChars || !this.#leavesOf(schemas).some(hasExpression)) return;
    issues.push({ loc: locOf(path), type: 'string_too_long', msg: tooLongMessage(maxPatternChars) });
  }

  #lookAtKeys(
    leaves: readonly JsonSchema[],
    value: Readonly<Record<string, unknown>>,
    path: readonly string[],
    issues: Issue[],
  ): void {
    const objects = leaves.filter(takesObjects);
    const isOpen = objects.length === 0 || objects.some(isOpenObject);
    const known = new Set(objects.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])));
    for (const key of Object.keys(value)) {
      const at = [...path, key];
      const below = objects.map(({ properties, additionalProperties }) =>
        isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties,
      );
      if (isOpen || known.has(key)) this.#look(below, value[key], at, issues);
      else issues.push({ loc: locOf(at), type: 'extra_forbidden', msg: unknownKeyMessage(key, known) });
    }
  }

  #leavesOf(schemas: readonly unknown[]): readonly JsonSchema[] {
    return schemas.filter(isRecord).flatMap((schema) => {
      let leaves = this.#leaves.get(schema);
      if (leaves === undefined) this.#leaves.set(schema, (leaves = [...this.#flatten(schema, new Set())]));
      return leaves;
    });
  }

  /** A schema, the ones that it refers to, and its alternatives, each with what stands beside it. */
  *#flatten(schema: JsonSchema, seen: Set<JsonSchema>): Generator<JsonSchema> {
    if (seen.has(schema)) return;
    seen.add(schema);
    const target = typeof schema.$ref === 'string' ? this.#target(schema.$ref) : undefined;
    if (target !== undefined) yield* this.#flatten(target, seen);
    const branches = [...BRANCHES, ...CONDITIONAL].flatMap((keyword) => schema[keyword]).filter(isRecord);
    for (const branch of branches) yield* this.#flatten(branch, seen);
    const isWhole = target === undefined && branches.length === 0;
    if (isWhole || schema.properties !== undefined || schema.items !== undefined || hasExpression(schema)) yield schema;
  }

  #target(reference: string): JsonSchema | undefined {
    const target = reference === '#' ? this.#root : resolvePointer(this.#root, reference);
    return isRecord(target) ? target : undefined;
  }
}

function locOf(path: readonly string[]): string {
  return path.map(shortName).join('.');
}

function hasExpression({ contentEncoding, format, pattern }: JsonSchema): boolean {
  return (pattern !== undefined || format !== undefined) && !ENCODED.has(contentEncoding) && !ENCODED.has(format);
}

function takesObjects({ type }: JsonSchema): boolean {
  return type === undefined || [type].flat().includes('object');
}

/** It says that it is open, or nothing of its properties at all. */
function isOpenObject({
  additionalProperties,
  patternProperties,
  properties,
  unevaluatedProperties,
}: JsonSchema): boolean {
  if (properties === undefined || patternProperties !== undefined) return true;
  return [additionalProperties, unevaluatedProperties].some((more) => more !== undefined && more !== false);
}

/** Alternatives that the constants in a value rule out do not count, unless that leaves none. */
function fitting(leaves: readonly JsonSchema[], value: object): readonly JsonSchema[] {
  if (leaves.length < 2 || Array.isArray(value)) return leaves;
  const fit = leaves.filter(({ properties }) => {
    if (!isRecord(properties)) return true;
    return Object.entries(value).every(([key, item]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return !isRecord(property) || property.const === undefined || property.const === item;
    });
  });
  return fit.length > 0 ? fit : leaves;
}
