import type { AnyClass, Class } from '../../core/class.js';
import { FIELD } from '../../core/field-record.js';
import { define, emitType, emittedType, read, update } from '../../core/metadata.js';
import { MAPPED } from './mapped-record.js';
import { copyPropertyRecords } from './record-copies.js';
import { makeOptional, validationRecords } from './validator-metadata.js';

/** `source` with every property optional: it may be absent, and null only where the source says so. */
export function PartialType<T>(source: Class<T>): Class<Partial<T>> {
  const made = derive([source], () => true);
  for (const name of propertyNames(source)) makeOptional(made, name);
  return made as Class<Partial<T>>;
}

/** `source` with these properties only. */
export function PickType<T, K extends keyof T>(source: Class<T>, keys: readonly K[]): Class<Pick<T, K>> {
  return derive([source], (name) => keys.includes(name as K)) as Class<Pick<T, K>>;
}

/** `source` without these properties. */
export function OmitType<T, K extends keyof T>(source: Class<T>, keys: readonly K[]): Class<Omit<T, K>> {
  return derive([source], (name) => !keys.includes(name as K)) as Class<Omit<T, K>>;
}

/** The properties of all sources together; of one that several have, the last one's. */
export function IntersectionType<A, B>(a: Class<A>, b: Class<B>): Class<A & B>;
export function IntersectionType<A, B, C>(a: Class<A>, b: Class<B>, c: Class<C>): Class<A & B & C>;
export function IntersectionType(...sources: Class[]): Class {
  return derive(sources, () => true);
}

/** A new class that holds copies of the sources' records as its own, and starts with their initial values. */
function derive(sources: readonly Class[], keep: (name: string) => boolean): Class {
  class Mapped {
    constructor() {
      for (const source of sources) {
        const sample = new (source as Class<Record<string, unknown>>)();
        for (const name of Object.keys(sample)) {
          if (keep(name)) (this as Record<string, unknown>)[name] = sample[name];
        }
      }
    }
  }
  const owners = new Map<string, Class>();
  for (const source of sources) {
    for (const name of propertyNames(source)) if (keep(name)) owners.set(name, source);
  }
  for (const [name, source] of owners) {
    copyPropertyRecords(source, Mapped, name);
    const type = emittedType(source, name);
    if (type !== undefined) emitType(Mapped, name, type);
    const fields = read(FIELD, source).get(name);
    if (fields !== undefined) update(FIELD, Mapped, name, () => fields.records);
  }
  define(MAPPED, Mapped, undefined, { sources });
  return Mapped;
}

function propertyNames(source: AnyClass): Set<string> {
  const names = new Set(validationRecords(source).map(({ propertyName }) => propertyName));
  for (const name of read(FIELD, source).keys()) if (typeof name === 'string') names.add(name);
  return names;
}
