import { ConfigurationError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { canGenerateCode, isRefusedCode } from '../base/codegen.js';
import { DEFAULT_LIMITS, isShallow, type ValidationLimits } from '../base/limits.js';
import { beginValidation, endValidation } from '../base/text-tests.js';
import { compileWithAjv } from './ajv.js';
import { withExactIntegers } from './exact-integers.js';
import { interpret } from './interpreter.js';
import type { RawValidator } from './types.js';

/** How a raw schema is run. */
export interface RawValidatorOptions {
  readonly limits?: ValidationLimits;
  /** Whether code may be generated. Default: where the process allows it. */
  readonly codegen?: boolean;
  /** Refuses integers that JSON cannot hold exactly, which arguments may not be. Default: false. */
  readonly exactIntegers?: boolean;
  /** Who asks, for messages. */
  readonly site?: string;
}

/**
 * A validator for a schema that somebody wrote by hand, in that schema's own dialect. Made at the first call.
 *
 * ajv where code may be generated: it is the most used and by far the fastest. Elsewhere it cannot work at all, and
 * @cfworker/json-schema, an interpreter made for hosts that forbid `new Function`, takes its place.
 */
export function rawValidator(schema: JsonSchema, options: RawValidatorOptions = {}): RawValidator {
  const limits = options.limits ?? DEFAULT_LIMITS;
  let run: RawValidator | undefined;
  return (value) => {
    if (!isShallow(value, limits.maxDepth)) {
      return [{ loc: '', type: 'too_deep', msg: `is nested more than ${limits.maxDepth} levels deep` }];
    }
    run ??= prepare(schema, limits, options);
    beginValidation();
    try {
      return run(value);
    } finally {
      endValidation();
    }
  };
}

function prepare(schema: JsonSchema, limits: ValidationLimits, options: RawValidatorOptions): RawValidator {
  const compile = (options.codegen ?? true) && canGenerateCode() ? compileWithAjv : interpret;
  try {
    return compile(options.exactIntegers === true ? withExactIntegers(schema) : schema, limits);
  } catch (error) {
    // A package that is missing is not a fault of the schema.
    if (error instanceof ConfigurationError) throw error;
    if (compile !== interpret && isRefusedCode(error)) return prepare(schema, limits, options);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      finding('CT304', `${options.site ?? 'A schema'}: it cannot be compiled (${reason}). Correct it.`),
    );
  }
}
