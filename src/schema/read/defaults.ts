import type { AnyClass } from '../../core/class.js';
import type { ClassModel, PropertyModel, Shape } from './model.js';

/** What two fresh instances of a DTO class hold; two, because a default that differs is not one to publish. */
export interface Samples {
  readonly first: Readonly<Record<string, unknown>>;
  readonly second: Readonly<Record<string, unknown>>;
}

/** Makes two instances without arguments. @throws What the constructor throws. */
export function sampleInstances(cls: AnyClass): Samples {
  const construct = cls as new () => Record<string, unknown>;
  return { first: new construct(), second: new construct() };
}

/** The JSON form of an initialiser's value; `undefined` when there is none or when it changes from one instance to the next. */
export function stableDefault(shape: Shape, name: string, { first, second }: Samples): PropertyModel['default'] {
  const json = toWire(shape, first[name]);
  if (json === undefined) return undefined;
  const text = JSON.stringify(json);
  return text === JSON.stringify(toWire(shape, second[name])) && !tellsTheTime(text)
    ? { json, written: false }
    : undefined;
}

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z|(?<![\d.])\d{10}(?:\d{3})?(?![\d.])/g;
const JUST_NOW_MS = 5_000;

/** Whether a JSON text holds the time of its making. Two instances are made within one millisecond, mostly. */
function tellsTheTime(json: string): boolean {
  return [...json.matchAll(MOMENT)].some(([text]) => {
    const digits = text.length === 10 ? Number(text) * 1000 : Number(text);
    const moment = text.includes('T') ? Date.parse(text) : digits;
    return Math.abs(Date.now() - moment) < JUST_NOW_MS;
  });
}

/** A value of an instance as the wire has it; `undefined` for what JSON cannot say. */
function toWire(shape: Shape, value: unknown): unknown {
  if (value === null) return null;
  switch (shape.kind) {
    case 'date':
      return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
    case 'array':
    case 'set':
      return Symbol.iterator in Object(value) ? listToWire(shape, [...(value as Iterable<unknown>)]) : undefined;
    case 'map':
      return value instanceof Map ? entriesToWire(shape, value) : undefined;
    case 'class':
      return shape.model === undefined ? undefined : instanceToWire(shape.model, value);
    default:
      return plainCopy(value);
  }
}

function listToWire(shape: Shape, list: readonly unknown[]): unknown {
  const items = list.map((item) => (shape.items === undefined ? plainCopy(item) : toWire(shape.items, item)));
  return items.includes(undefined) ? undefined : items;
}

function entriesToWire(shape: Shape, map: ReadonlyMap<unknown, unknown>): unknown {
  const items = shape.items;
  return Object.fromEntries(
    [...map].map(([key, item]) => [String(key), items === undefined ? plainCopy(item) : toWire(items, item)]),
  );
}

function instanceToWire(model: ClassModel, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const source = value as Record<string, unknown>;
  const entries = model.properties
    .map(({ wire, name, shape }): [string, unknown] => [wire, toWire(shape, source[name])])
    .filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries);
}

function plainCopy(value: unknown): unknown {
  if (value === undefined || typeof value === 'function' || (typeof value === 'number' && !Number.isFinite(value))) {
    return undefined;
  }
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
