import type { AnyClass } from '../core/class.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { JsonSchema } from '../core/json-schema.js';
import { causeOfLostType } from '../core/lost-type.js';
import { readClass } from './class-input.js';
import { isUserClass } from './read/dto-class.js';
import { modelInput, type CompiledInput, type SchemaOptions } from './input.js';
import { slowPatternProblems } from './read/slow-expressions.js';
import { fieldProblems } from './read/field-problems.js';
import { readOverlay } from './read/keywords.js';
import type { ClassModel, Kind, PropertyModel, Shape } from './read/model.js';

/** One argument that is bound by its name. */
export interface ArgumentEntry {
  readonly name: string;
  readonly schema?: JsonSchema;
  /** The type that the compiler emitted, used when there is no schema. */
  readonly type?: unknown;
  /** Default: required, unless the schema has a default. */
  readonly required?: boolean;
}

/**
 * An argument list as one input: `validate` returns an object without a prototype, by argument name. The rules are
 * those of DTO properties.
 *
 * @throws {ConfigurationError} For an argument without a usable type, and for names that repeat.
 */
export function compileArgs(entries: readonly ArgumentEntry[], options: SchemaOptions): CompiledInput {
  const findings: string[] = [];
  const model: ClassModel = {
    cls: makeListClass(),
    name: options.site,
    properties: [],
    byWire: new Map(),
    annotations: {},
    findings,
    warnings: [],
  };
  for (const entry of entries) {
    const report = (problem: string): void =>
      void findings.push(`${options.site}: argument "${entry.name}" ${problem}`);
    const property = readEntry(entry, report);
    for (const problem of slowPatternProblems(entry.schema ?? {})) {
      model.warnings.push(`${options.site}: argument "${entry.name}" has a slow expression: ${problem}`);
    }
    if (entry.name in Object.prototype) report(finding('CT316', 'has a name that belongs to every object. Rename it.'));
    if (model.byWire.has(entry.name)) report(finding('CT319', 'is bound twice. Bind each name once.'));
    model.properties.push(property);
    model.byWire.set(entry.name, property);
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  return modelInput(model, options);
}

function makeListClass(): AnyClass {
  class ArgumentList {}
  Object.setPrototypeOf(ArgumentList.prototype, null);
  return ArgumentList;
}

function readEntry(entry: ArgumentEntry, report: (problem: string) => void): PropertyModel {
  const { name, schema = {} } = entry;
  for (const problem of fieldProblems(schema)) report(problem);
  const { annotations, assertions, whole } = readOverlay(schema);
  const simple = typeof schema.type === 'string' ? SIMPLE.get(schema.type) : undefined;
  const shape = shapeOf(entry, simple, whole, report);
  const { default: fallback, ...described } = annotations;
  const hasDefault = fallback !== undefined;
  return {
    name,
    wire: name,
    shape: { ...shape, nullable: fallback === null && shape.kind !== 'raw' },
    required: entry.required ?? !hasDefault,
    default: hasDefault ? { json: fallback, written: true } : undefined,
    conditions: [],
    checks: [],
    transforms: [],
    annotations: shape.kind === 'raw' ? {} : described,
    overlay: shape.kind === 'raw' || Object.keys(assertions).length === 0 ? undefined : assertions,
  };
}

/** Schema types that are read as a DTO property would be: with lossless conversion. */
const SIMPLE: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'integer'],
  ['boolean', 'boolean'],
]);

const EMITTED: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
]);

function shapeOf(
  { schema, type }: ArgumentEntry,
  simple: Kind | undefined,
  whole: boolean,
  report: (problem: string) => void,
): Shape {
  const plain = (kind: Kind): Shape => ({ kind, keywords: {}, nullable: false });
  if (simple !== undefined && !['anyOf', 'oneOf', '$ref'].some((keyword) => keyword in (schema ?? {})))
    return plain(simple);
  if (whole) return { kind: 'raw', keywords: schema ?? {}, nullable: false };
  const kind = EMITTED.get(type);
  if (kind !== undefined) return plain(kind);
  if (isUserClass(type)) return { ...plain('class'), model: readClass(type, 'input').model };
  const name = typeof type === 'function' ? type.name : 'nothing that is known at run time';
  report(
    finding(
      'CT325',
      `has no usable type (the compiler emitted ${name}${causeOfLostType(type).replace(/^ \((.*)\)$/, ': $1')}). Give its JSON Schema: @Arg('name', { type: … }).`,
    ),
  );
  return plain('any');
}
