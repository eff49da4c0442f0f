import type { JsonSchema } from './json-schema.js';
import { MetadataKey } from './metadata.js';

/** What `@Field` and `@Describe` record on a DTO property, or on a DTO class. */
export interface FieldRecord {
  /** Returns the property's class, or a list that holds the class of its elements. */
  readonly type?: () => unknown;
  /** JSON Schema keywords laid over the derived ones. */
  readonly keywords: JsonSchema;
}

/** Where `@Field` and `@Describe` keep their records. */
export const FIELD = new MetadataKey<FieldRecord>('field');
