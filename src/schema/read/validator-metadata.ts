import type { AnyClass } from '../../core/class.js';
import { lineage } from '../../core/metadata.js';
import { requireModule } from '../../core/require-module.js';

/**
 * The only file that knows how class-validator keeps what its decorators recorded. The library is not loaded from here
 * before a class is made of another: its store is a global that its own decorators create, so an absent store means that no class has a validator.
 */

/** One use of a class-validator decorator on one property. */
export interface ValidationRecord {
  readonly type: string;
  readonly name?: string;
  readonly target: unknown;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly constraintCls?: unknown;
  readonly each?: boolean;
  readonly groups?: readonly string[];
  readonly message?: unknown;
  readonly validateIf?: (object: unknown, value: unknown) => boolean;
}

/** What class-validator hands to a validator and to a message function. */
export interface ValidationArguments {
  readonly targetName: string;
  readonly property: string;
  readonly object: object;
  readonly value: unknown;
  readonly constraints: readonly unknown[];
}

/** A validator as class-validator calls it. */
export interface Validator {
  validate(value: unknown, args: ValidationArguments): unknown;
  defaultMessage?(args: ValidationArguments): string;
}

/** A registered validator class; `instance` resolves it from class-validator's container. */
export interface ConstraintClass {
  readonly name?: string;
  readonly async?: boolean;
  readonly instance: Validator;
  readonly target: AnyClass;
}

/** Where class-validator keeps it. */
export interface ValidatorStorage {
  getTargetValidationMetadatas(
    cls: AnyClass,
    schema: string,
    always: boolean,
    strictGroups: boolean,
    groups?: string[],
  ): ValidationRecord[];
  getTargetValidatorConstraints(cls: unknown): ConstraintClass[];
  addValidationMetadata(record: ValidationRecord): void;
}

/** The kinds of record that class-validator keeps. Source: class-validator 0.15, `ValidationTypes`. */
export const RecordType = Object.freeze({
  Custom: 'customValidation',
  Nested: 'nestedValidation',
  Conditional: 'conditionalValidation',
  Allow: 'whitelistValidation',
  Promise: 'promiseValidation',
  /** @IsDefined alone has a type of its own. */
  Defined: 'isDefined',
});

/** Whether a record asks a validator something, and does not only steer the others. */
export function isValidatorRecord({ type }: ValidationRecord): boolean {
  return type === RecordType.Custom || type === RecordType.Defined;
}

/** The store; `undefined` as long as no class has a validator. */
export function validatorStorage(): ValidatorStorage | undefined {
  return (globalThis as { classValidatorMetadataStorage?: ValidatorStorage }).classValidatorMetadataStorage;
}

/** Every record that applies to `cls`, inherited ones included, as class-validator itself would select them. */
export function validationRecords(cls: AnyClass, groups?: readonly string[]): readonly ValidationRecord[] {
  const storage = validatorStorage();
  if (storage === undefined) return [];
  const chosen = groups === undefined ? undefined : [...groups];
  return narrowed(storage, cls).getTargetValidationMetadatas(cls, '', false, false, chosen);
}

/**
 * The store as seen by one class. class-validator looks through every class of the process to find the ancestors of one
 * (its issue 2686), so building a thousand DTOs would take a million steps; it is shown the lineage alone. Where its
 * map is not found under the name it has in 0.15, it is asked as it is.
 */
function narrowed(storage: ValidatorStorage, cls: AnyClass): ValidatorStorage {
  const { validationMetadatas: all } = storage as { validationMetadatas?: unknown };
  if (!(all instanceof Map)) return storage;
  const records = all as ReadonlyMap<unknown, unknown>;
  const owners = lineage(cls).filter((owner) => records.has(owner));
  const own = new Map(owners.map((owner) => [owner, records.get(owner)]));
  return Object.create(storage, { validationMetadatas: { value: own } }) as ValidatorStorage;
}

/** The validators behind one record; built-in decorators have exactly one. */
export function constraintClasses(record: ValidationRecord): readonly ConstraintClass[] {
  return validatorStorage()?.getTargetValidatorConstraints(record.constraintCls) ?? [];
}

/**
 * The validator of a constraint class. class-validator's container searches a list that grows with every decorator in
 * the process. The classes that its own decorators make keep nothing in an instance, so their prototype serves as one; a
 * validator class of the user's comes from the container, which may inject into it.
 */
export function validatorOf(constraint: ConstraintClass): Validator {
  const { target } = constraint;
  const isMadeByDecorator =
    target.name === 'CustomConstraint' &&
    target.length === 0 &&
    Object.hasOwn(target.prototype as object, 'validate') &&
    Object.hasOwn(target.prototype as object, 'defaultMessage');
  return isMadeByDecorator ? (target.prototype as Validator) : constraint.instance;
}

/** Whether any decorator of class-validator stands on `cls` or on one of its ancestors. */
export function hasValidators(cls: AnyClass): boolean {
  return validationRecords(cls).length > 0;
}

type ClassValidator = typeof import('class-validator');

/** Adds `@IsOptional()` to one property. */
export function makeOptional(target: AnyClass, property: string): void {
  const { IsOptional } = requireModule('class-validator/cjs/decorator/common/IsOptional') as ClassValidator;
  IsOptional()(target.prototype as object, property);
}
