/** A JSON object of unknown content. */
export type JsonRecord = Record<string, unknown>;

/** How deep nested values are followed. Real states stay under ten levels; a hostile one must not exhaust the stack. */
export const MAX_DEPTH = 64;

/** Whether `value` is a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` when it is a string with something in it. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `value` when it is a list, else an empty one: state files leave empty lists out or write null. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Every non-empty string inside `value`, at any depth. */
export function* stringsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') {
    if (value !== '') yield value;
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const inner of Object.values(value)) yield* stringsIn(inner, depth + 1);
  }
}
