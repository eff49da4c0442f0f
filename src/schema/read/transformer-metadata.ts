import type { AnyClass } from '../../core/class.js';
import { ConfigurationError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import { lineage } from '../../core/metadata.js';
import { mayBeLoaded, requireModule } from '../../core/require-module.js';

/**
 * The only file that knows how class-transformer keeps what its decorators recorded. The library is not loaded from here
 * before the first DTO class is read.
 */

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

/** Where class-transformer keeps it. */
export interface TransformerStorage {
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
 *
 * @throws {ConfigurationError} When the store is in none of them: two copies of the package are loaded.
 */
export function transformerStorage(): TransformerStorage {
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

/** How class-transformer numbers what it does as it makes instances of plain values. */
export const PLAIN_TO_CLASS = 0;
/** As it makes plain values of instances. */
export const CLASS_TO_PLAIN = 1;

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
