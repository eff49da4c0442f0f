import type { AnyClass } from '../../core/class.js';
import { CLASS_TO_PLAIN, PLAIN_TO_CLASS, transformerStorage, type TypeRecord } from './transformer-metadata.js';
import { RecordType, type ValidationRecord, validationRecords, validatorStorage } from './validator-metadata.js';

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
