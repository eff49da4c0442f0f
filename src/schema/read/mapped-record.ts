import type { AnyClass } from '../../core/class.js';
import { FIELD, type FieldRecord } from '../../core/field-record.js';
import { emittedType, lineage, MetadataKey, read, readOwnClass } from '../../core/metadata.js';
import { copiedFrom } from './record-copies.js';
import { validationRecords } from './validator-metadata.js';

/** On a class that was made from other classes: which ones. */
export interface MappedRecord {
  readonly sources: readonly AnyClass[];
}

/** Where mapped types keep what they were made from. */
export const MAPPED = new MetadataKey<MappedRecord>('mapped');

/** `cls` and the classes that it, or an ancestor, was made from: where a property's doc comment may stand. */
export function mappedSources(cls: AnyClass): AnyClass[] {
  const made = lineage(cls).flatMap((owner) => {
    const own = readOwnClass(MAPPED, owner).flatMap(({ sources }) => sources);
    return own.length > 0 ? own : [...copiedFrom(owner)].reverse();
  });
  return [...new Set([cls, ...made.flatMap(mappedSources)])];
}

/** The type that the compiler emitted for a property, on the class itself or on one that it was made from. */
export function mappedType(cls: AnyClass, name: string): unknown {
  return (
    emittedType(cls, name) ??
    mappedSources(cls).reduce<unknown>((found, source) => found ?? emittedType(source, name), undefined)
  );
}

/** What `@Field` and `@Describe` say of the properties of a class. */
export interface MappedFields {
  readonly fields: ReadonlyMap<string | symbol, readonly FieldRecord[]>;
  /** Properties with `@Field` alone that a mapped type made optional. */
  readonly optional: ReadonlySet<string>;
  /** Properties with `@Field` alone that a mapped type may have kept or not: it leaves no trace of them. */
  readonly unsure: readonly string[];
}

/** Mapped types of others copy what class-validator knows, and nothing of `@Field`: that is found where it was written. */
export function mappedFields(cls: AnyClass, initial: Readonly<Record<string, unknown>>): MappedFields {
  const fields = new Map<string | symbol, readonly FieldRecord[]>();
  const optional = new Set<string>();
  const unsure = new Set<string>();
  const validated = new Set(validationRecords(cls).map(({ propertyName }) => propertyName));
  for (const owner of lineage(cls)) {
    if (readOwnClass(MAPPED, owner).length > 0) continue;
    for (const source of originals(owner)) {
      const described = new Set(validationRecords(source).map(({ propertyName }) => propertyName));
      const isWhole = keepsAll(owner) && [...described].every((name) => validated.has(name));
      for (const [name, { records }] of read(FIELD, source)) {
        if (typeof name !== 'string') continue;
        if (validated.has(name)) fields.set(name, records);
        else if (described.has(name)) continue;
        else if (!isWhole && initial[name] === undefined) unsure.add(name);
        else {
          fields.set(name, records);
          if (owner.name.startsWith('Partial')) optional.add(name);
        }
      }
    }
  }
  for (const [name, { records }] of read(FIELD, cls)) {
    fields.set(name, records);
    if (typeof name === 'string') optional.delete(name);
  }
  return { fields, optional, unsure: [...unsure].filter((name) => !fields.has(name)) };
}

/** Where the records of a class were written, whatever was made in between. */
function originals(cls: AnyClass): readonly AnyClass[] {
  return copiedFrom(cls).filter((source) => copiedFrom(source).length === 0);
}

/** `PartialType` and `IntersectionType` name what they make, and leave nothing out. */
function keepsAll({ name }: AnyClass): boolean {
  return name.startsWith('Partial') || name.startsWith('Intersection');
}
