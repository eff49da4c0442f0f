import type { AnyClass } from '../core/class.js';
import { describesProperties } from './dto-class.js';
import { reflectClass } from './reflect.js';
import { transformerFacts } from './validator-metadata.js';

/**
 * A result that may hold instances of DTO classes as the wire has it: `@Expose({ name })` renames, `@Exclude()` leaves
 * out, getters that are declared are read. What needs no change is returned as it is.
 */
export function toWireObject(value: unknown): unknown {
  return convert(value, []);
}

function convert(value: unknown, above: object[]): unknown {
  if (typeof value !== 'object' || value === null || above.includes(value)) return value;
  above.push(value);
  try {
    if (Array.isArray(value)) return convertList(value, above);
    const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null;
    if (prototype === null || prototype === Object.prototype)
      return convertPlain(value as Record<string, unknown>, above);
    const cls = prototype.constructor;
    return typeof cls === 'function' && renames(cls as AnyClass)
      ? convertInstance(value as Record<string, unknown>, cls as AnyClass, above)
      : value;
  } finally {
    above.pop();
  }
}

function convertList(list: readonly unknown[], above: object[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  list.forEach((item, index) => {
    const converted = convert(item, above);
    if (converted === item) return;
    copy ??= [...list];
    copy[index] = converted;
  });
  return copy ?? list;
}

function convertPlain(source: Record<string, unknown>, above: object[]): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    const converted = convert(source[key], above);
    if (converted === source[key]) continue;
    copy ??= { ...source };
    copy[key] = converted;
  }
  return copy ?? source;
}

function convertInstance(source: Record<string, unknown>, cls: AnyClass, above: object[]): unknown {
  const { properties } = reflectClass(cls, { direction: 'output' });
  const declared = new Set(properties.map(({ name }) => name));
  const wire: Record<string, unknown> = {};
  for (const { name, wire: key } of properties) {
    if (source[name] !== undefined) wire[key] = convert(source[name], above);
  }
  for (const key of Object.keys(source)) {
    if (!declared.has(key) && !transformerFacts(cls, key, 'output').excluded) wire[key] = convert(source[key], above);
  }
  return wire;
}

const renaming = new WeakMap<AnyClass, boolean>();

/** Whether the wire form of an instance differs from what JSON would make of it. */
function renames(cls: AnyClass): boolean {
  let known = renaming.get(cls);
  if (known === undefined) {
    known = describesProperties(cls);
    renaming.set(cls, known);
  }
  return known;
}
