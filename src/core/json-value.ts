import { BOUNDS } from './bounds.js';
import { types } from 'node:util';
import { isError } from './describe-thrown.js';
import { bareForm, type ErrorTeller } from './error-form.js';

/** A value that JSON cannot say; `path` leads to it (`result.items.0`). */
export class UnserializableError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
    options?: { readonly cause: unknown },
  ) {
    super(`${path === '' ? 'the value' : path}: ${problem}`, options);
    this.name = 'UnserializableError';
  }
}

/** How deep a result may nest. */
const MAX_DEPTH = BOUNDS.resultDepth.default;

/** How many steps of a path an error shows. */
const MAX_SHOWN = 8;

/** How many items a generator may yield. */
export const MAX_ITERATED = BOUNDS.iterated.default;

/** The plain object that stands for an instance of a class on the wire; `undefined` when its own keys do. */
export type InstanceForm = (instance: object) => object | undefined;

/**
 * `value` as JSON says it: `Date` → ISO text; `bigint` → number when safe, else decimal text; `Map` → object when its
 * keys are strings, else a list of pairs; `Set`, generators and other iterables without keys of their own → array;
 * bytes → base64, other typed arrays → numbers; `NaN` and infinities → null; `toJSON()` is honoured. What needs no
 * change is returned as it is, not copied. An Error becomes its name, whatever its `toJSON()` would say: those are made for
 * logs, and have messages and whole requests.
 *
 * @param instanceForm Asked for instances of classes that have no `toJSON()`.
 * @param maxChars How long the JSON may become, roughly: what is longer is given up before it is made.
 * @param errors What stands for Errors. Default: their names.
 * @throws {UnserializableError} For a cycle, nesting below 1,000 levels, a promise, a weak collection or a function, for
 * what is too long, and with whatever a getter, a proxy or `toJSON()` threw as its cause.
 */
export function toJsonValue(
  value: unknown,
  instanceForm?: InstanceForm,
  maxChars = Infinity,
  errors: ErrorTeller = BARE,
): unknown {
  return new Conversion(instanceForm, maxChars, errors).run(value);
}

/** The same, and what `otherwise` makes of the error for what cannot be said. Never throws. */
export function toJsonValueOr(
  value: unknown,
  otherwise: (error: unknown) => unknown,
  errors: ErrorTeller = BARE,
): unknown {
  try {
    return toJsonValue(value, undefined, Infinity, errors);
  } catch (error) {
    return otherwise(error);
  }
}

const BARE: ErrorTeller = Object.freeze({ formOf: bareForm });

/** What a message says in place of data that JSON cannot say, which may have errors and code in it: why. */
export function whyUnsaid(error: unknown): string {
  return `[not sent: ${error instanceof UnserializableError ? error.message : 'it cannot be read'}]`;
}

/** One value on its way: where it stands, and what it stands in. */
class Conversion {
  readonly #instanceForm: InstanceForm | undefined;
  readonly #errors: ErrorTeller;
  readonly #path: string[] = [];
  readonly #above: object[] = [];
  readonly #maxChars: number;
  #left: number;
  /** The key that is being read: reading it may run an author's code. */
  #reading: string | number | undefined;

  constructor(instanceForm: InstanceForm | undefined, maxChars: number, errors: ErrorTeller) {
    this.#instanceForm = instanceForm;
    this.#errors = errors;
    this.#left = this.#maxChars = maxChars;
  }

  /** @throws {UnserializableError} Whatever goes wrong. */
  run(value: unknown): unknown {
    try {
      return this.convert(value);
    } catch (error) {
      if (error instanceof UnserializableError) throw error;
      if (this.#reading !== undefined) this.#path.push(String(this.#reading));
      return this.#refuse('threw when it was read', error);
    }
  }

  convert(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.#spend(value.length);
        return value;
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'bigint':
        return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        if (this.#path.length === 0) throw new UnserializableError('', `a ${typeof value} cannot be sent`);
        return undefined;
    }
  }

  #refuse(problem: string, cause?: unknown): never {
    const shown = this.#path.length > MAX_SHOWN ? [...this.#path.slice(0, MAX_SHOWN), '…'] : this.#path;
    throw new UnserializableError(shown.join('.'), problem, cause === undefined ? undefined : { cause });
  }

  #spend(chars: number): void {
    if ((this.#left -= chars) >= 0) return;
    this.#path.length = 0;
    this.#refuse(`is longer than ${this.#maxChars} characters`);
  }

  #object(value: object): unknown {
    if (this.#above.includes(value)) this.#refuse('refers back to what contains it');
    if (this.#above.length >= MAX_DEPTH) this.#refuse('is nested too deeply');
    this.#above.push(value);
    // What is thrown ends the conversion, so nothing needs to be put back then.
    const converted = this.#known(value);
    this.#above.pop();
    return converted;
  }

  #known(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value);
    const prototype = Object.getPrototypeOf(value) as unknown;
    const isPlain = prototype === Object.prototype || prototype === null;
    if (!isPlain) {
      if (isError(value)) return this.#error(value);
      const form = this.#builtIn(value);
      if (form !== UNKNOWN) return form;
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const json: unknown = toJSON.call(value, this.#path.at(-1) ?? '');
      return json === value ? this.#keys(value) : this.convert(json);
    }
    return isPlain ? this.#keys(value) : this.#instance(value);
  }

  #list(value: readonly unknown[]): unknown[] {
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      this.#reading = i;
      const item = value[i];
      this.#spend(typeof item === 'string' ? item.length + 3 : 2);
      // Text and booleans are most of what lists hold; they cost no path.
      if (typeof item === 'string' || typeof item === 'boolean') {
        if (copy !== undefined) copy[i] = item;
        continue;
      }
      const converted = this.#at(String(i), item) ?? null;
      if (converted !== item && copy === undefined) copy = value.slice(0, i);
      if (copy !== undefined) copy[i] = converted;
    }
    return copy ?? (value as unknown[]);
  }

  #keys(value: object): unknown {
    let copy: Record<string, unknown> | undefined;
    const source = value as Record<string, unknown>;
    for (const key of Object.keys(source)) {
      this.#reading = key;
      const item = source[key];
      this.#spend(key.length + (typeof item === 'string' ? item.length + 6 : 5));
      if (typeof item === 'string' || typeof item === 'boolean') {
        if (copy !== undefined) put(copy, key, item);
        continue;
      }
      const converted = this.#at(key, item);
      if ((converted !== item || item === undefined) && copy === undefined) copy = copyBefore(source, key);
      if (copy !== undefined && converted !== undefined) put(copy, key, converted);
    }
    return copy ?? value;
  }

  #at(key: string, item: unknown): unknown {
    if (typeof item === 'number') return Number.isFinite(item) ? item : null;
    this.#path.push(key);
    this.#reading = undefined;
    const converted = this.convert(item);
    this.#path.pop();
    return converted;
  }

  /** Objects that JSON would turn into `{}`, of whichever realm. */
  #builtIn(value: object): unknown {
    if (Object.prototype.toString.call(value) === '[object Object]') return UNKNOWN;
    if (types.isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (types.isMap(value)) return this.#map(value);
    if (types.isSet(value)) return this.#list([...value]);
    if (types.isArrayBufferView(value)) return this.#view(value);
    if (types.isAnyArrayBuffer(value)) this.#spend(base64Length((value as ArrayBuffer).byteLength));
    if (types.isAnyArrayBuffer(value)) return Buffer.from(value as ArrayBuffer).toString('base64');
    if (types.isPromise(value)) this.#refuse('is a promise; await it first');
    if (types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef) {
      this.#refuse('is a weak collection, whose contents nobody can list');
    }
    if (types.isBoxedPrimitive(value)) return this.convert(value.valueOf());
    if (types.isRegExp(value)) return String(value);
    return UNKNOWN;
  }

  #error(error: Error): unknown {
    return this.#keys(this.#errors.formOf(error));
  }

  #view(view: NodeJS.ArrayBufferView): unknown {
    if (types.isUint8Array(view) || types.isDataView(view)) {
      this.#spend(base64Length(view.byteLength));
      return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64');
    }
    return this.#list(Array.from(view as unknown as Iterable<unknown>));
  }

  #instance(value: object): unknown {
    if (typeof (value as { then?: unknown }).then === 'function') this.#refuse('is a promise; await it first');
    const form = this.#instanceForm?.(value);
    if (form !== undefined) return this.#keys(form);
    const isIterable = typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
    return isIterable && Object.keys(value).length === 0
      ? this.#list(this.#collect(value as Iterable<unknown>))
      : this.#keys(value);
  }

  #collect(iterable: Iterable<unknown>): unknown[] {
    const items: unknown[] = [];
    for (const item of iterable) {
      if (items.length >= MAX_ITERATED) this.#refuse('yields too many items');
      items.push(item);
    }
    return items;
  }

  #map(map: ReadonlyMap<unknown, unknown>): unknown {
    const entries = [...map];
    if (!entries.every(([key]) => typeof key === 'string')) return this.#list(entries);
    const object: Record<string, unknown> = {};
    for (const [key, item] of entries as [string, unknown][]) {
      this.#spend(key.length + 5);
      const converted = this.#at(key, item);
      if (converted !== undefined) put(object, key, converted);
    }
    return object;
  }
}

/** How many characters so many bytes become. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
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

const UNKNOWN = Symbol('unknown');
