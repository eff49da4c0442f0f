/** A constructor, as a type: `new (...args) => T`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `never[]` could not be handed to other containers, whose own types say this.
export type Class<T = unknown> = new (...args: any[]) => T;

/** A constructor that may be abstract: what a decorator or an ancestor walk can meet. */
export type AnyClass<T = unknown> = abstract new (...args: never[]) => T;

/** Classes of the language itself, which as an emitted type name neither a DTO nor a service. */
export const BUILT_IN_CLASSES: ReadonlySet<unknown> = new Set([
  Object,
  String,
  Number,
  Boolean,
  Array,
  Function,
  Promise,
  Map,
  Set,
  Date,
]);

/** Whether `value` was written with `class` (arrow functions and methods are not constructors). */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}
