import { BOUNDS } from './bounds.js';

/** How deep a canonical value may nest. */
const MAX_DEPTH = BOUNDS.canonicalDepth.default;

/**
 * JSON text that is the same for equal values, in whichever order their keys were written; `undefined` for a value that
 * JSON text cannot say exactly (a date, a bigint, `NaN`, an instance of a class) or that nests below 200 levels.
 */
export function canonicalJson(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined;
    case 'object':
      if (value === null) return 'null';
      if (depth >= MAX_DEPTH) return undefined;
      return Array.isArray(value) ? canonicalList(value, depth + 1) : canonicalObject(value, depth + 1);
    default:
      return undefined;
  }
}

function canonicalList(list: readonly unknown[], depth: number): string | undefined {
  let text = '[';
  for (let i = 0; i < list.length; i++) {
    const item = canonicalJson(list[i], depth);
    if (item === undefined) return undefined;
    text += i === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function canonicalObject(object: object, depth: number): string | undefined {
  const prototype = Object.getPrototypeOf(object) as unknown;
  if (prototype !== Object.prototype && prototype !== null && !isPlainElsewhere(prototype as object)) return undefined;
  const source = object as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const key of Object.keys(source).sort()) {
    if (source[key] === undefined) continue;
    const item = canonicalJson(source[key], depth);
    if (item === undefined) return undefined;
    text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${item}`;
  }
  return `${text}}`;
}

/** Whether a prototype is another realm's `Object.prototype`. */
function isPlainElsewhere(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}
