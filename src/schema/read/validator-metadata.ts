import type { AnyClass } from '../../core/class.js';
import { ConfigurationError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import { lineage } from '../../core/metadata.js';
import { mayBeLoaded, requireModule } from '../../core/require-module.js';

/**
 * The only file that knows how class-validator and class-transformer keep what their decorators recorded. Neither
 * library is loaded from here before the first DTO class is read: class-validator's store is a global that its own
 * decorators create, so an absent store means that no class has a validator.
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

interface ValidatorStorage {
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

function validatorStorage(): ValidatorStorage | undefined {
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

/** Who holds which use of a decorator, as of a number of classes, and what was found of each class since: it is asked per property. */
let origins:
  | {
      readonly classes: number;
      readonly byUse: ReadonlyMap<unknown, readonly AnyClass[]>;
      readonly copies: Map<AnyClass, readonly AnyClass[]>;
    }
  | undefined;

/**
 * The classes whose records `cls` holds copies of, the first declared first. Mapped types of others (those of
 * `@nestjs/mapped-types`) copy each record, but what is made for one use of a decorator stays the same object.
 */
export function copiedFrom(cls: AnyClass): readonly AnyClass[] {
  const validators = recordMap(
    (validatorStorage() as { validationMetadatas?: unknown } | undefined)?.validationMetadatas,
  );
  const types = recordMap((transformerStorage() as { _typeMetadatas?: unknown })._typeMetadatas);
  const classes = validators.size + types.size;
  if (origins?.classes !== classes) origins = { classes, byUse: holdersOfUses(validators, types), copies: new Map() };
  const { byUse, copies } = origins;
  const known = copies.get(cls);
  if (known !== undefined) return known;
  const before = usesOf(cls, validators, types).flatMap((use) => {
    const holders = byUse.get(use) ?? [];
    return holders.slice(0, Math.max(0, holders.indexOf(cls)));
  });
  const found = [...new Set(before)];
  copies.set(cls, found);
  return found;
}

type RecordMap = ReadonlyMap<AnyClass, Iterable<unknown> | undefined>;

const NO_RECORDS: RecordMap = new Map();

/** Both libraries keep a map by class, if it is where it was in the versions that are known. */
function recordMap(map: unknown): RecordMap {
  return map instanceof Map ? (map as RecordMap) : NO_RECORDS;
}

function holdersOfUses(validators: RecordMap, types: RecordMap): Map<unknown, AnyClass[]> {
  const byUse = new Map<unknown, AnyClass[]>();
  for (const cls of new Set([...validators.keys(), ...types.keys()])) {
    for (const use of usesOf(cls, validators, types)) {
      const holders = byUse.get(use);
      if (holders === undefined) byUse.set(use, [cls]);
      else if (!holders.includes(cls)) holders.push(cls);
    }
  }
  return byUse;
}

function usesOf(cls: AnyClass, validators: RecordMap, types: RecordMap): unknown[] {
  const records = [...((validators.get(cls) ?? []) as Iterable<ValidationRecord>)].map(useOf);
  const named = [...((types.get(cls) ?? []) as Iterable<readonly [string, TypeRecord]>)];
  return [...records, ...named.map(([, { typeFunction }]) => typeFunction)].filter((use) => use !== undefined);
}

/** What was made for one use of a decorator; a validator class of the user's may stand on many properties. */
function useOf({ constraintCls, constraints, type }: ValidationRecord): unknown {
  if (typeof constraintCls === 'function' && constraintCls.name === 'CustomConstraint') return constraintCls;
  return type === RecordType.Conditional ? constraints : undefined;
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

/** What `@Type` recorded. */
export interface TypeRecord {
  readonly typeFunction: () => unknown;
  readonly options?: {
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly value: AnyClass; readonly name: string }[];
    };
  };
}

/** What a `@Transform` function receives. */
export interface TransformArguments {
  readonly value: unknown;
  readonly key: string;
  readonly obj: unknown;
  readonly type: number;
  readonly options: object;
}

interface Directed {
  readonly options?: { readonly name?: string; readonly toClassOnly?: boolean; readonly toPlainOnly?: boolean };
}

interface TransformRecord extends Directed {
  readonly transformFn: (args: TransformArguments) => unknown;
}

interface TransformerStorage {
  findTypeMetadata(cls: AnyClass, property: string): TypeRecord | undefined;
  findExposeMetadata(cls: AnyClass, property: string): Directed | undefined;
  findExcludeMetadata(cls: AnyClass, property: string): Directed | undefined;
  findTransformMetadatas(cls: AnyClass, property: string, type: number): TransformRecord[];
  getExcludedMetadatas(cls: AnyClass): Directed[];
  getStrategy(cls: AnyClass): string;
  addTypeMetadata(record: object): void;
  addExposeMetadata(record: object): void;
  addExcludeMetadata(record: object): void;
  addTransformMetadata(record: object): void;
}

let transformer: TransformerStorage | undefined;

/** Where the store is: in the build of the package that Node.js loads, or in one of those that a bundler may prefer. */
const STORAGE_FILES = [
  'class-transformer/cjs/storage',
  'class-transformer/esm5/storage',
  'class-transformer/esm2015/storage',
] as const;

/**
 * class-transformer does not export its store from its entry point (its issue 563), so the file is loaded by path, and
 * a decoration of a class of ours proves that it is the store the decorators write to. While nobody has loaded the
 * package by its name, nothing but `cartouche/dto` can have written anything, and it writes to the first of them.
 */
function transformerStorage(): TransformerStorage {
  if (transformer !== undefined) return transformer;
  if (!mayBeLoaded('class-transformer')) {
    return (requireModule(STORAGE_FILES[0]) as { defaultMetadataStorage: TransformerStorage }).defaultMetadataStorage;
  }
  const { Type } = requireModule('class-transformer') as typeof import('class-transformer');
  class Probe {}
  Type(() => Probe)(Probe.prototype, 'self');
  for (const file of STORAGE_FILES) {
    const { defaultMetadataStorage: storage } = requireModule(file) as { defaultMetadataStorage: TransformerStorage };
    if (storage.findTypeMetadata(Probe, 'self') === undefined) continue;
    transformer = storage;
    return storage;
  }
  throw new ConfigurationError(
    finding(
      'CT314',
      'class-transformer: two copies are loaded, so what @Type and @Expose record cannot be read. Install one copy.',
    ),
  );
}

/** Which way a class is read: as arguments that come in, or as a result that goes out. */
export type Direction = 'input' | 'output';

/** What class-transformer's decorators say of one property, for one direction. */
export interface TransformerFacts {
  readonly type?: TypeRecord;
  readonly wireName: string;
  readonly excluded: boolean;
  readonly transforms: readonly ((args: TransformArguments) => unknown)[];
}

const PLAIN_TO_CLASS = 0;
const CLASS_TO_PLAIN = 1;

function applies(record: Directed, direction: Direction): boolean {
  const { toClassOnly, toPlainOnly } = record.options ?? {};
  if (toClassOnly === true && toPlainOnly !== true) return direction === 'input';
  if (toPlainOnly === true && toClassOnly !== true) return direction === 'output';
  return true;
}

/** Reads class-transformer's records of one property. @throws {ConfigurationError} When its store is not reachable. */
export function transformerFacts(cls: AnyClass, property: string, direction: Direction): TransformerFacts {
  const storage = transformerStorage();
  const expose = storage.findExposeMetadata(cls, property);
  const exclude = storage.findExcludeMetadata(cls, property);
  const exposed = expose !== undefined && applies(expose, direction);
  const excludesAll = lineage(cls).some((c) => storage.getStrategy(c) === 'excludeAll');
  const type = direction === 'input' ? PLAIN_TO_CLASS : CLASS_TO_PLAIN;
  return {
    type: storage.findTypeMetadata(cls, property),
    wireName: (exposed ? expose.options?.name : undefined) ?? property,
    excluded: (exclude !== undefined && applies(exclude, direction)) || (excludesAll && !exposed),
    transforms: storage.findTransformMetadatas(cls, property, type).map(({ transformFn }) => transformFn),
  };
}

/** Whether an `@Exclude` stands anywhere on `cls` or an ancestor, also on properties without validators. */
export function excludesAny(cls: AnyClass): boolean {
  const storage = transformerStorage();
  return (
    storage.getExcludedMetadatas(cls).some((record) => applies(record, 'output')) ||
    lineage(cls).some((owner) => storage.getStrategy(owner) === 'excludeAll')
  );
}

/** Makes `target` hold the records of one property of `source` as its own, for classes that are made at run time. */
export function copyPropertyRecords(source: AnyClass, target: AnyClass, property: string): void {
  const validators = validatorStorage();
  for (const record of validationRecords(source)) {
    if (record.propertyName !== property) continue;
    const copy = Object.assign(Object.create(Object.getPrototypeOf(record) as object) as object, record, { target });
    validators?.addValidationMetadata(copy);
  }
  const storage = transformerStorage();
  const own = (record: object): object => ({ ...record, target });
  const type = storage.findTypeMetadata(source, property);
  if (type !== undefined) storage.addTypeMetadata(own(type));
  const expose = storage.findExposeMetadata(source, property);
  if (expose !== undefined) storage.addExposeMetadata(own(expose));
  const exclude = storage.findExcludeMetadata(source, property);
  if (exclude !== undefined) storage.addExcludeMetadata(own(exclude));
  const transforms = new Set(
    [PLAIN_TO_CLASS, CLASS_TO_PLAIN].flatMap((way) => storage.findTransformMetadatas(source, property, way)),
  );
  for (const transform of transforms) storage.addTransformMetadata(own(transform));
}

type ClassValidator = typeof import('class-validator');

/** Adds `@IsOptional()` to one property. */
export function makeOptional(target: AnyClass, property: string): void {
  const { IsOptional } = requireModule('class-validator/cjs/decorator/common/IsOptional') as ClassValidator;
  IsOptional()(target.prototype as object, property);
}
