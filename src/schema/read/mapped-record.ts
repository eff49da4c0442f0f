import type { AnyClass } from '../../core/class.js';
import { lineage, MetadataKey, readOwnClass } from '../../core/metadata.js';

/** On a class that was made from other classes: which ones. */
export interface MappedRecord {
  readonly sources: readonly AnyClass[];
}

/** Where mapped types keep what they were made from. */
export const MAPPED = new MetadataKey<MappedRecord>('mapped');

/** `cls` and the classes that it, or an ancestor, was made from: where a property's doc comment may stand. */
export function mappedSources(cls: AnyClass): AnyClass[] {
  const made = lineage(cls).flatMap((owner) => readOwnClass(MAPPED, owner).flatMap(({ sources }) => sources));
  return [cls, ...made.flatMap(mappedSources)];
}
