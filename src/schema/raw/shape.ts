import type { Issue } from '../../core/errors.js';
import type { JsonSchema } from '../../core/json-schema.js';
import type { RawValidator } from './types.js';
import { rawValidator } from './validator.js';

const validators = new WeakMap<JsonSchema, RawValidator>();

/** The problems of an argument under keywords that the author wrote for one property. */
export function issuesOfSchema(schema: JsonSchema, value: unknown): readonly Issue[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = rawValidator(schema, { exactIntegers: true });
    validators.set(schema, validator);
  }
  return validator(value);
}
