import type {} from 'reflect-metadata';
import type { AnyClass } from './class.js';
import { failure } from '#reflect';
import { loadOrExplain } from './missing-package.js';

loadOrExplain(
  () => {
    if (failure !== undefined) throw failure as Error;
  },
  'reflect-metadata',
  'cartouche',
);

/**
 * The only file that touches Reflect. Records are kept on the class they were written for, under `Symbol.for` ids,
 * so that two loaded copies of this package see one another's records.
 */
export class MetadataKey<T> {
  readonly id: symbol;

  constructor(
    name: string,
    /** Only carries the record's type; never set. */
    readonly record?: T,
  ) {
    this.id = Symbol.for(`cartouche:${name}`);
  }
}

type Members<T> = ReadonlyMap<string | symbol, readonly T[]>;

const CLASS_MEMBER = Symbol.for('cartouche:class');
const EMPTY: Members<never> = new Map();

function own<T>(key: MetadataKey<T>, target: AnyClass): Members<T> {
  return (Reflect.getOwnMetadata(key.id, target) as Members<T> | undefined) ?? EMPTY;
}

/**
 * Replaces what `target` itself (never an ancestor) holds for one member. `change` is a pure old → new function; the
 * map is copied, so a record that somebody has already read never changes.
 */
export function update<T>(
  key: MetadataKey<T>,
  target: AnyClass,
  member: string | symbol | undefined,
  change: (records: readonly T[]) => readonly T[],
): void {
  const name = member ?? CLASS_MEMBER;
  const records = own(key, target);
  const changed = Object.freeze([...change(records.get(name) ?? [])]);
  Reflect.defineMetadata(key.id, new Map([...records, [name, changed]]), target);
}

/** Adds one frozen record to a member. Wrong repetition is found when a layer is built, so nothing is lost here. */
export function define<T extends object>(
  key: MetadataKey<T>,
  target: AnyClass,
  member: string | symbol | undefined,
  record: T,
): void {
  update(key, target, member, (records) => [...records, Object.freeze(record)]);
}

/** One member's records, and the class that declared them. */
export interface DeclaredRecords<T> {
  readonly declaredBy: AnyClass;
  readonly records: readonly T[];
}

/** The records of every member of `target`: ancestors first, and a member that is declared again replaces. */
export function read<T>(key: MetadataKey<T>, target: AnyClass): Map<string | symbol, DeclaredRecords<T>> {
  const found = new Map<string | symbol, DeclaredRecords<T>>();
  for (const cls of lineage(target)) {
    for (const [member, records] of own(key, cls)) {
      if (member !== CLASS_MEMBER) found.set(member, { declaredBy: cls, records });
    }
  }
  return found;
}

/** What a class decorator wrote on `target` itself. An ancestor's class records do not count as its own. */
export function readOwnClass<T>(key: MetadataKey<T>, target: AnyClass): readonly T[] {
  return own(key, target).get(CLASS_MEMBER) ?? [];
}

/** `target` and its ancestors, the oldest first. */
export function lineage(target: AnyClass): AnyClass[] {
  const classes: AnyClass[] = [];
  let current: unknown = target;
  while (typeof current === 'function' && current !== Function.prototype) {
    classes.unshift(current as AnyClass);
    current = Object.getPrototypeOf(current) as unknown;
  }
  return classes;
}

/** The type the compiler emitted for a property (`design:type`), inherited ones included. */
export function emittedType(target: AnyClass, property: string | symbol): unknown {
  return Reflect.getMetadata('design:type', target.prototype as object, property);
}

/** The types the compiler emitted for a method's parameters, or `undefined` when it emitted none. */
export function emittedParameters(target: AnyClass, method: string | symbol): readonly unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', target.prototype as object, method) as unknown[] | undefined;
}

/** The class the compiler emitted for a method's return type, or `undefined`. */
export function emittedReturn(target: AnyClass, method: string | symbol): unknown {
  return Reflect.getMetadata('design:returntype', target.prototype as object, method);
}

/** The constructor parameter types emitted for `target` itself, or `undefined`: an ancestor's do not count. */
export function emittedConstructor(target: AnyClass): readonly unknown[] | undefined {
  return Reflect.getOwnMetadata('design:paramtypes', target) as unknown[] | undefined;
}

/** What tsyringe's `@inject` says of constructor parameters, by index. The container checks it before it constructs. */
export function injectedTokens(target: AnyClass): Readonly<Record<string, unknown>> {
  return (Reflect.getOwnMetadata('injectionTokens', target) as Record<string, unknown> | undefined) ?? {};
}

/** Writes an emitted type, for classes that are made at run time (mapped types). */
export function emitType(target: AnyClass, property: string | symbol, type: unknown): void {
  Reflect.defineMetadata('design:type', type, target.prototype as object, property);
}

/**
 * Whether what is written now is no longer what this package reads: something replaced `Reflect`'s metadata functions
 * after this package was loaded. Copies of reflect-metadata from 0.2 on share their store and do no harm.
 */
export function reflectWasReplaced(): boolean {
  const probe = class {};
  Reflect.defineMetadata(PROBE, true, probe);
  return loadedGetter.call(Reflect, PROBE, probe) !== true;
}

const PROBE = Symbol.for('cartouche:probe');
const loadedGetter = Reflect.getOwnMetadata as (key: unknown, target: object) => unknown;
