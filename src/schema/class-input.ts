import type { AnyClass } from '../core/class.js';
import { ConfigurationError } from '../core/errors.js';
import type { JsonSchema } from '../core/json-schema.js';
import { finding } from '../core/finding.js';
import { MAX_CLASS_PARTS, partsOf } from './wire/sizes.js';
import { emitSchema, frozenCopy } from './wire/emit.js';
import type { ClassModel } from './read/model.js';
import { reachableModels, reflectClass } from './read/reflect.js';
import type { Direction } from './read/transformer-metadata.js';

/** A class that was read, with the schema that says the same. */
export interface ReadClass {
  readonly model: ClassModel;
  readonly schema: JsonSchema;
  readonly warnings: readonly string[];
}

const schemas = new WeakMap<ClassModel, ReadClass>();

/**
 * Reads a class and all it refers to, once.
 *
 * @throws {ConfigurationError} With every finding, when something in it cannot be reflected.
 */
export function readClass(cls: AnyClass, direction: Direction, groups?: readonly string[]): ReadClass {
  const model = reflectClass(cls, { direction, groups });
  const known = schemas.get(model);
  if (known !== undefined) return known;
  const models = [...reachableModels(model)];
  const findings = models.flatMap((next) => next.findings);
  if (partsOf(model) > MAX_CLASS_PARTS) {
    findings.push(
      finding(
        'CT329',
        `${model.name}: its schema has more than ${MAX_CLASS_PARTS} parts, which no model can read. Split it, or take free-form data with @IsObject().`,
      ),
    );
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  const read: ReadClass = Object.freeze({
    model,
    schema: frozenCopy(emitSchema(model, { closed: direction === 'input' })),
    warnings: models.flatMap((next) => next.warnings),
  });
  schemas.set(model, read);
  return read;
}
