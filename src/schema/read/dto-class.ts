import { isClass, type AnyClass, type Class } from '../../core/class.js';
import { FIELD } from '../../core/field-record.js';
import { read } from '../../core/metadata.js';
import { hasValidators } from './validator-metadata.js';

/** Whether any decorator says what the properties of `cls` are. */
export function describesProperties(cls: AnyClass): boolean {
  return hasValidators(cls) || read(FIELD, cls).size > 0;
}

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/** Whether `value` is a class that a user wrote, and not one of the language or of Node. */
export function isUserClass(value: unknown): value is Class {
  if (!isClass(value)) return false;
  const prototype = value.prototype as object;
  return !NATIVE.test(Function.prototype.toString.call(value)) && !isBytes(value, prototype) && !NODE.has(value);
}

const NODE = new Set<unknown>([URL, URLSearchParams]);

function isBytes(cls: AnyClass, prototype: object): boolean {
  return cls === Buffer || prototype instanceof Object.getPrototypeOf(Uint8Array);
}

/** A class's name for messages and `$defs`. */
export function className(cls: AnyClass): string {
  return cls.name === '' ? 'Anonymous' : cls.name;
}
