import type { Issue } from '../../core/errors.js';
import type { JsonSchema } from '../../core/json-schema.js';
import type { ValidationLimits } from '../base/limits.js';
import type { RawValidator } from './types.js';
import { rawValidator } from './validator.js';

const validators = new WeakMap<ValidationLimits, WeakMap<JsonSchema, RawValidator>>();

/** The problems of an argument under keywords that the author wrote for one property. */
export function issuesOfSchema(schema: JsonSchema, value: unknown, limits: ValidationLimits): readonly Issue[] {
  let known = validators.get(limits);
  if (known === undefined) validators.set(limits, (known = new WeakMap<JsonSchema, RawValidator>()));
  let validator = known.get(schema);
  if (validator === undefined) {
    validator = rawValidator(schema, { exactIntegers: true, limits });
    known.set(schema, validator);
  }
  return validator(value);
}
