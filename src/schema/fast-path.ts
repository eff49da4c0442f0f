import type { ClassModel } from './model.js';
import type { ClassValidationOptions } from './slow-path.js';

/** Returns the instance, or `undefined` when in doubt. */
export type FastPath = (value: unknown) => object | undefined;

/** Compiles the accepting path of a class. */
export function compileFastPath(_model: ClassModel, _options: ClassValidationOptions): FastPath | undefined {
  return undefined;
}
