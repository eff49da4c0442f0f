import type { AnyClass } from '../src/core/class.js';
import { FIELD, type FieldRecord } from '../src/core/field-record.js';
import type { JsonSchema } from '../src/core/json-schema.js';
import { define, type MetadataKey } from '../src/core/metadata.js';
import { refuseBare } from './refuse-bare.js';

/**
 * Lays JSON Schema keywords over what is derived for a DTO property (description, title, examples, `x-mcp-header`, a
 * bound, …). With `type`, `anyOf`, `oneOf` or `$ref` it is the property's whole schema, for what cannot be derived.
 * The first argument may name the property's class, or `[Class]` for a list of it, where no types are emitted.
 */
export function Field(keywords: JsonSchema): PropertyDecorator;
export function Field(type: () => unknown, keywords?: JsonSchema): PropertyDecorator;
export function Field(first: JsonSchema | (() => unknown), second: JsonSchema = {}): PropertyDecorator {
  refuseBare('Field({ … })', [first, second]);
  const record: FieldRecord = typeof first === 'function' ? { type: first, keywords: second } : { keywords: first };
  return (target, property) => recordField(FIELD, target, property, record);
}

/** Keeps one record on the class that owns `target` (a prototype, or the class itself). */
export function recordField(
  key: MetadataKey<FieldRecord>,
  target: object,
  property: string | symbol | undefined,
  record: FieldRecord,
): void {
  const cls = (typeof target === 'function' ? target : target.constructor) as AnyClass;
  define(key, cls, property, { ...record });
}
