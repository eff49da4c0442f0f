import { createHash } from 'node:crypto';

/** JSON text that is the same for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  const plain = JSON.stringify(value) as string | undefined;
  return plain === undefined ? '' : JSON.stringify(sorted(JSON.parse(plain)));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const source = value as Record<string, unknown>;
  // Names, then values: an object would give numeric keys, and `__proto__`, a place of their own.
  const keys = Object.keys(source).sort();
  return { keys, values: keys.map((key) => sorted(source[key])) };
}

/** A digest of a value, as 22 letters and digits. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22);
}
