import type { AnyClass, Class } from '../core/class.js';
import type { JsonSchema } from '../core/json-schema.js';
import { readClass } from './class-input.js';
import { className } from './read/dto-class.js';
import { compileInput, type CompiledInput, type SchemaOptions } from './input.js';

/**
 * JSON Schema 2020-12 of a DTO class, as `tools/list` shows it for arguments. Deep-frozen.
 *
 * @throws {ConfigurationError} When something in the class cannot be reflected.
 */
export function inputSchemaFor(cls: AnyClass): JsonSchema {
  return readClass(cls, 'input').schema;
}

/** The same for results: objects may hold more than is declared. @throws {ConfigurationError} As `inputSchemaFor`. */
export function outputSchemaFor(cls: AnyClass): JsonSchema {
  return readClass(cls, 'output').schema;
}

const compiled = new WeakMap<AnyClass, CompiledInput>();

/**
 * An instance of `cls` made from plain JSON, nested classes as instances too; a promise of one when a validator is
 * asynchronous. The value is never modified.
 *
 * @throws {ConfigurationError} When the class cannot be reflected.
 * @throws {InvalidArgumentsError} When the value does not fit.
 */
export function validateArguments<T>(
  cls: Class<T>,
  value: unknown,
  options?: Omit<SchemaOptions, 'site'>,
): T | Promise<T> {
  if (options !== undefined) return compileInput(cls, { site: className(cls), ...options }).validate(value) as T;
  let input = compiled.get(cls);
  if (input === undefined) {
    input = compileInput(cls, { site: className(cls) });
    compiled.set(cls, input);
  }
  return input.validate(value) as T | Promise<T>;
}
