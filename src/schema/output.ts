import { BOUNDS } from '../core/bounds.js';
import { isClass, type Class } from '../core/class.js';
import { ConfigurationError, type Issue } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import { isStandardSchema, type JsonSchema } from '../core/json-schema.js';
import { readClass } from './class-input.js';
import { frozenCopy } from './wire/emit.js';
import type { InputSource, SchemaOptions } from './input.js';
import { DEFAULT_LIMITS, onceForEach, type ValidationLimits } from './base/limits.js';
import { checkRawSchema } from './raw/checks.js';
import type { RawValidator } from './raw/types.js';
import { rawValidator } from './raw/validator.js';
import { standardSchemaOf } from './raw/standard.js';
import { wrapSchema } from './wire/wrap.js';

/** A result schema, and the check of a result against it. */
export interface CompiledOutput {
  /** What tools/list shows; deep-frozen, its root always of type `object`. */
  readonly schema: JsonSchema;
  /** Whether the value is put under `result`, because the schema's own root is not an object. */
  readonly wrapped: boolean;
  /** What is wrong with a JSON value as it is sent, already wrapped; an empty list when nothing is. */
  readonly check: (value: unknown, limits?: Partial<ValidationLimits>) => readonly Issue[];
  /** What is doubtful without being wrong, each as "site: problem. remedy." */
  readonly warnings: readonly string[];
}

/** A result may be larger than an argument: it is the server's own. */
const LIMITS: ValidationLimits = Object.freeze({ ...DEFAULT_LIMITS, maxDepth: BOUNDS.resultDepth.default });

/**
 * Makes a result schema of a class, a list of a class (`[Class]`), a raw schema or a Standard Schema.
 *
 * @throws {ConfigurationError} When the source cannot be used, with every finding.
 */
export function compileOutput(source: InputSource | readonly [Class], options: SchemaOptions): CompiledOutput {
  const { schema: own, warnings } = outputSchema(source, options);
  const wrapped = own.type !== 'object';
  const schema = frozenCopy(wrapped ? wrapSchema(own) : own);
  const checkWithin = (limits?: Partial<ValidationLimits>): RawValidator =>
    rawValidator(schema, { limits: { ...LIMITS, ...limits }, codegen: options.codegen, site: options.site });
  const usual = checkWithin(options.limits);
  const others = onceForEach(checkWithin);
  return Object.freeze({
    schema,
    wrapped,
    check: (value: unknown, limits?: Partial<ValidationLimits>) =>
      (limits === undefined ? usual : others(limits))(value),
    warnings,
  });
}

interface OutputSchema {
  readonly schema: JsonSchema;
  readonly warnings: readonly string[];
}

function outputSchema(source: InputSource | readonly [Class], options: SchemaOptions): OutputSchema {
  const { site } = options;
  if (isList(source)) {
    const { schema, warnings } = readClass(source[0], 'output');
    return { schema: listSchema(schema), warnings };
  }
  if (isStandardSchema(source))
    return { schema: standardSchemaOf(source, 'output', site, options.explicitSchema), warnings: [] };
  if (isClass(source)) return readClass(source, 'output', options.groups);
  if (!isRecord(source)) {
    throw new ConfigurationError(
      finding(
        'CT302',
        `${site}: its output is neither a class nor a schema. Pass a DTO class, [Class], a JSON Schema or a Standard Schema.`,
      ),
    );
  }
  const findings = checkRawSchema(source);
  if (findings.length > 0) throw new ConfigurationError(findings.map((found) => `${site}: output ${found}`));
  return { schema: source, warnings: [] };
}

function isList(source: InputSource | readonly [Class]): source is readonly [Class] {
  return Array.isArray(source);
}

/** `$defs` of the elements move to the root, where their references look for them. */
function listSchema(element: JsonSchema): JsonSchema {
  const { $defs, ...items } = element;
  return { type: 'array', items, ...($defs === undefined ? {} : { $defs }) };
}
