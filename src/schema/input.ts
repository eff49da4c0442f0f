import { isClass, type AnyClass, type Class } from '../core/class.js';
import { ConfigurationError, InvalidArgumentsError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import { isStandardSchema, type JsonSchema, type StandardSchema } from '../core/json-schema.js';
import { readClass } from './class-input.js';
import { emitSchema, frozenCopy } from './wire/emit.js';
import { compileFastPath } from './validate/fast-path.js';
import { HEADER_KEYWORD, readHeaderParams, type HeaderParam } from './hosts/header-params.js';
import { parseDeclaredText } from './validate/json-text.js';
import { DEFAULT_LIMITS, onceForEach, type ValidationLimits } from './base/limits.js';
import { beginValidation, endValidation } from './base/text-tests.js';
import type { ClassModel } from './read/model.js';
import { slowPatternProblems } from './read/slow-expressions.js';
import { takeRawSchema } from './raw/take.js';
import { rawValidator } from './raw/validator.js';
import { validateInstance } from './validate/slow-path.js';
import { standardValidator, standardSchemaOf } from './raw/standard.js';

/** What can describe arguments: a DTO class, a raw JSON Schema, or a Standard Schema. */
export type InputSource = Class | JsonSchema | StandardSchema;

/** How a source becomes a schema and a validator. */
export interface SchemaOptions {
  /** Who asks, for messages: `AssetTools.countAssets`. */
  readonly site: string;
  readonly limits?: Partial<ValidationLimits>;
  /** Whether validators may be compiled to code. Default: true, where the process allows it. */
  readonly codegen?: boolean;
  /** The JSON Schema to show, beside a Standard Schema that has none. */
  readonly explicitSchema?: JsonSchema;
  /** Parses JSON text where an array or an object is declared. Default: false. */
  readonly acceptJsonText?: boolean;
  /** Drops unknown keys instead of refusing them. Default: false. */
  readonly openArguments?: boolean;
  /** class-validator groups. Default: every validator applies. */
  readonly groups?: readonly string[];
}

/** Arguments that can be shown to a client and checked. */
export interface CompiledInput {
  /** What tools/list shows; deep-frozen. */
  readonly schema: JsonSchema;
  /**
   * Converts and checks. Returns the instance (for a class), the arguments as they came (raw), or what the Standard
   * Schema made of them; a promise of it only when a validator is asynchronous.
   *
   * @throws {InvalidArgumentsError} When the value does not fit; a returned promise may reject with it.
   */
  readonly validate: (value: unknown) => unknown;
  /** What is doubtful without being wrong, each as "site: problem. remedy." */
  readonly warnings: readonly string[];
  readonly headerParams: readonly HeaderParam[];
  /** The same input under other limits: once for each. */
  readonly withLimits: (limits: Partial<ValidationLimits>) => CompiledInput;
}

/**
 * Makes a schema and a validator of whatever describes the arguments.
 *
 * @throws {ConfigurationError} When the source cannot be used, with every finding.
 */
export function compileInput(source: InputSource, options: SchemaOptions): CompiledInput {
  if (isStandardSchema(source)) return standardInput(source, options);
  if (isClass(source)) return classInput(source, options);
  if (isRecord(source)) return rawInput(source, options);
  throw new ConfigurationError(
    finding(
      'CT301',
      `${options.site}: its input is neither a class nor a schema. Pass a DTO class, a JSON Schema or a Standard Schema.`,
    ),
  );
}

class NoArguments {}

/** The input of what takes no arguments. */
export const NO_ARGUMENTS: CompiledInput = Object.freeze({
  schema: frozenCopy({ type: 'object', properties: {}, additionalProperties: false }),
  validate: (value: unknown) =>
    validateInstance(readClass(NoArguments, 'input').model, value, validationOptions({ site: '' })),
  warnings: Object.freeze([]),
  headerParams: Object.freeze([]),
  withLimits: () => NO_ARGUMENTS,
});

function validationOptions(options: SchemaOptions): {
  limits: ValidationLimits;
  open: boolean;
  acceptJsonText: boolean;
} {
  return {
    limits: options.limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...options.limits },
    open: options.openArguments ?? false,
    acceptJsonText: options.acceptJsonText ?? false,
  };
}

/** What classes were compiled to under the usual limits, by how else they are checked. */
const compiled = new WeakMap<ClassModel, Map<number, CompiledInput>>();

/** Compiled once for all who ask alike: nothing in it but a finding knows who asks, and findings are not kept. */
function classInput(cls: AnyClass, options: SchemaOptions): CompiledInput {
  const { model, schema, warnings } = readClass(cls, 'input', options.groups);
  if (options.limits !== undefined) return inputOf(model, schema, warnings, options);
  let known = compiled.get(model);
  if (known === undefined) compiled.set(model, (known = new Map<number, CompiledInput>()));
  const { acceptJsonText = false, codegen = true, openArguments = false } = options;
  const key = (acceptJsonText ? 1 : 0) | (codegen ? 2 : 0) | (openArguments ? 4 : 0);
  let input = known.get(key);
  if (input === undefined) known.set(key, (input = inputOf(model, schema, warnings, options)));
  return input;
}

/** The input of a model that was put together by hand. @internal */
export function modelInput(model: ClassModel, options: SchemaOptions): CompiledInput {
  return inputOf(model, frozenCopy(emitSchema(model, { closed: true })), model.warnings, options);
}

function inputOf(
  model: ClassModel,
  schema: JsonSchema,
  warnings: readonly string[],
  options: SchemaOptions,
): CompiledInput {
  const validation = validationOptions(options);
  const slow = (value: unknown): unknown => validateInstance(model, value, validation);
  const fast = options.codegen === false ? undefined : compileFastPath(model, validation);
  const run = fast === undefined ? slow : (value: unknown) => fast(value) ?? slow(value);
  return Object.freeze({
    schema,
    validate: (value: unknown) => {
      beginValidation();
      try {
        return run(value);
      } finally {
        endValidation();
      }
    },
    warnings,
    headerParams: headerParams(schema, options.site),
    withLimits: onceForEach((limits) => inputOf(model, schema, warnings, { ...options, limits })),
  });
}

const NONE: readonly never[] = Object.freeze([]);

function rawInput(source: JsonSchema, options: SchemaOptions): CompiledInput {
  const { schema, findings, hasPatterns, mentions } = takeRawSchema(source, HEADER_KEYWORD);
  const isOfObjects = schema.type === 'object';
  if (findings.length > 0 || !isOfObjects) {
    const root = finding('CT303', "its root is not of type 'object', as MCP asks of every input. Add it.");
    const found = isOfObjects ? findings : [...findings, root];
    throw new ConfigurationError(found.map((each) => `${options.site}: input ${each}`));
  }
  const { limits } = validationOptions(options);
  const check = rawValidator(schema, { limits, codegen: options.codegen, exactIntegers: true, site: options.site });
  return Object.freeze({
    schema,
    validate: (given: unknown) => {
      const value = options.acceptJsonText === true ? parseDeclaredText(schema, given) : given;
      const arguments_ = options.openArguments === true ? withoutUnknown(schema, value) : value;
      const issues = check(arguments_);
      if (issues.length > 0) throw new InvalidArgumentsError(issues);
      return arguments_;
    },
    warnings: hasPatterns ? Object.freeze(slowPatternProblems(schema).map((each) => `${options.site}: ${each}`)) : NONE,
    headerParams: mentions ? headerParams(schema, options.site) : NONE,
    withLimits: onceForEach((other) => rawInput(schema, { ...options, limits: other })),
  });
}

/** The arguments without the keys that a closed schema does not know. */
function withoutUnknown(schema: JsonSchema, value: unknown): unknown {
  if (schema.additionalProperties !== false || !isRecord(value) || !isRecord(schema.properties)) return value;
  const { properties } = schema;
  return Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(properties, key)));
}

function standardInput(source: StandardSchema, options: SchemaOptions): CompiledInput {
  const schema = frozenCopy(standardSchemaOf(source, 'input', options.site, options.explicitSchema));
  if (schema.type !== 'object') {
    throw new ConfigurationError(
      finding(
        'CT303',
        `${options.site}: the root of its input is not of type 'object', as MCP asks of every input. Use an object schema.`,
      ),
    );
  }
  return Object.freeze({
    schema,
    validate: standardValidator(source, schema, validationOptions(options)),
    warnings: Object.freeze([]),
    headerParams: headerParams(schema, options.site),
    withLimits: onceForEach((limits) => standardInput(source, { ...options, limits })),
  });
}

function headerParams(schema: JsonSchema, site: string): readonly HeaderParam[] {
  const { params, findings } = readHeaderParams(schema);
  if (findings.length > 0) throw new ConfigurationError(findings.map((found) => `${site}: ${found}`));
  return Object.freeze(params);
}
