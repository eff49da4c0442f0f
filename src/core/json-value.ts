/** A value that JSON cannot say; `path` leads to it (`result.items.0`). */
export class UnserializableError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path === '' ? 'the value' : path}: ${problem}`);
    this.name = 'UnserializableError';
  }
}

/** How deep a result may nest. */
const MAX_DEPTH = 1000;

/** How many items a generator may yield. */
export const MAX_ITERATED = 100_000;

/**
 * `value` as JSON says it: `Date` → ISO text; `bigint` → number when safe, else decimal text; `Map` → object when its
 * keys are strings, else a list of pairs; `Set` and generators → array; bytes → base64; `NaN` and infinities → null;
 * `toJSON()` is honoured. What needs no change is returned as it is, not copied.
 *
 * @throws {UnserializableError} For a cycle, nesting below 1,000 levels, a promise, a weak collection or a function.
 */
export function toJsonValue(value: unknown): unknown {
  return convert(value, [], []);
}

function convert(value: unknown, path: string[], above: object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      return value === null ? null : convertObject(value, path, above);
    default:
      if (path.length === 0) throw new UnserializableError('', `a ${typeof value} cannot be sent`);
      return undefined;
  }
}

function convertObject(value: object, path: string[], above: object[]): unknown {
  if (above.includes(value)) throw new UnserializableError(path.join('.'), 'refers back to what contains it');
  if (above.length >= MAX_DEPTH) throw new UnserializableError(path.slice(0, 5).join('.'), 'is nested too deeply');
  above.push(value);
  try {
    return Array.isArray(value) ? convertArray(value, path, above) : convertOther(value, path, above);
  } finally {
    above.pop();
  }
}

function convertArray(value: readonly unknown[], path: string[], above: object[]): unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    // Primitives that need no change are most of what arrays hold; they cost no path.
    if (typeof item === 'string' || typeof item === 'boolean') {
      if (copy !== undefined) copy[i] = item;
      continue;
    }
    path.push(String(i));
    const converted = convert(item, path, above) ?? null;
    path.pop();
    if (converted !== item && copy === undefined) copy = value.slice(0, i);
    if (copy !== undefined) copy[i] = converted;
  }
  return copy ?? (value as unknown[]);
}

function convertOther(value: object, path: string[], above: object[]): unknown {
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) {
    const special = convertSpecial(value, path, above);
    if (special !== UNCHANGED) return special;
  } else if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return convert((value as { toJSON: (key: string) => unknown }).toJSON(path.at(-1) ?? ''), path, above);
  }
  let copy: Record<string, unknown> | undefined;
  const source = value as Record<string, unknown>;
  for (const key of Object.keys(source)) {
    const item = source[key];
    if (typeof item === 'string' || typeof item === 'boolean') {
      if (copy !== undefined) put(copy, key, item);
      continue;
    }
    path.push(key);
    const converted = convert(item, path, above);
    path.pop();
    if (converted !== item && copy === undefined) copy = copyBefore(source, key);
    if (copy !== undefined && converted !== undefined) put(copy, key, converted);
  }
  return copy ?? value;
}

function copyBefore(source: Record<string, unknown>, stop: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    if (key === stop) return copy;
    if (source[key] !== undefined) put(copy, key, source[key]);
  }
  return copy;
}

/** A plain assignment to `__proto__` would change the copy's prototype instead of giving it a key. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, writable: true });
  else target[key] = value;
}

const UNCHANGED = Symbol('unchanged');

/** Instances of classes: those with a JSON form of their own, and those that JSON would turn into `{}`. */
function convertSpecial(value: object, path: string[], above: object[]): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Map) return convertMap(value, path, above);
  if (value instanceof Set) return convertArray([...value], path, above);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) throw new UnserializableError(path.join('.'), 'is a promise; await it first');
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
    throw new UnserializableError(path.join('.'), 'is a weak collection, whose contents nobody can list');
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return convert(value.valueOf(), path, above);
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return convert((value as { toJSON: (key: string) => unknown }).toJSON(path.at(-1) ?? ''), path, above);
  }
  if (typeof (value as { next?: unknown }).next === 'function' && Symbol.iterator in value) {
    return convertArray(collect(value as Iterable<unknown>, path), path, above);
  }
  return UNCHANGED;
}

function collect(iterable: Iterable<unknown>, path: string[]): unknown[] {
  const items: unknown[] = [];
  for (const item of iterable) {
    if (items.length >= MAX_ITERATED) throw new UnserializableError(path.join('.'), 'yields too many items');
    items.push(item);
  }
  return items;
}

function convertMap(map: ReadonlyMap<unknown, unknown>, path: string[], above: object[]): unknown {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === 'string')) return convertArray(entries, path, above);
  const object: Record<string, unknown> = {};
  for (const [key, item] of entries as [string, unknown][]) {
    path.push(key);
    const converted = convert(item, path, above);
    path.pop();
    if (converted !== undefined) put(object, key, converted);
  }
  return object;
}
