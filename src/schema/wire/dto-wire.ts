import type { AnyClass } from '../../core/class.js';
import { describesProperties } from '../read/dto-class.js';
import { reflectClass } from '../read/reflect.js';
import { excludesAny, transformerFacts } from '../read/transformer-metadata.js';
import { validationRecords } from '../read/validator-metadata.js';

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
    return typeof cls === 'function' && differs(cls as AnyClass)
      ? convertInstance(value as Record<string, unknown>, cls as AnyClass, above)
      : convertOther(value, above);
  } finally {
    above.pop();
  }
}

/** Collections and instances of other classes: what they hold may still need a change. */
function convertOther(value: object, above: object[]): unknown {
  if (value instanceof Map) {
    const entries = [...(value as Map<unknown, unknown>)];
    const items = convertList(
      entries.map(([, item]) => item),
      above,
    );
    return items.every((item, index) => item === entries[index]?.[1])
      ? value
      : new Map(entries.map(([key], index) => [key, items[index]]));
  }
  if (value instanceof Set) {
    const list = [...(value as Set<unknown>)];
    const items = convertList(list, above);
    return items === list ? value : new Set(items);
  }
  if (ArrayBuffer.isView(value) || value instanceof Date || 'toJSON' in value) return value;
  return convertPlain(value as Record<string, unknown>, above);
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

const differing = new WeakMap<AnyClass, boolean>();

/** Whether the wire form of an instance differs from what JSON would make of it by itself. */
function differs(cls: AnyClass): boolean {
  let known = differing.get(cls);
  if (known === undefined) {
    known = describesProperties(cls) && readsOtherwise(cls);
    differing.set(cls, known);
  }
  return known;
}

function readsOtherwise(cls: AnyClass): boolean {
  const { properties } = reflectClass(cls, { direction: 'output' });
  const names = new Set(validationRecords(cls).map(({ propertyName }) => propertyName));
  const prototype = cls.prototype as object;
  return (
    properties.some(({ name, wire }) => name !== wire || name in prototype) ||
    excludesAny(cls) ||
    [...names].some((name) => transformerFacts(cls, name, 'output').excluded)
  );
}
