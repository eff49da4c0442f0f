import { BOUNDS } from '../../core/bounds.js';
import type { Issue } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';

/** Thrown to stop looking once enough problems were found; never leaves this folder. */
export const ENOUGH = Symbol('enough issues');

/** Where in a value something stands, as a chain to the root. */
export interface Path {
  readonly parent: Path | undefined;
  readonly key: string | number;
}

/** Collects problems up to a number. */
export class IssueList {
  readonly #max: number;
  readonly issues: Issue[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws {symbol} ENOUGH When the list is full. */
  add(path: Path | undefined, type: string, msg: string): void {
    this.issues.push({ loc: locationOf(path), msg, type });
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a signal of ours, caught by the reader.
    if (this.issues.length >= this.#max) throw ENOUGH;
  }
}

function locationOf(path: Path | undefined): string {
  const keys: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.push(shortName(String(at.key)));
  return keys.reverse().join('.');
}

const MAX_NAME_CHARS = BOUNDS.issueNameChars.default;

/** A key of the input as it may be shown: short, and without control characters. */
export function shortName(key: string): string {
  const clean = key.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
  return clean.length <= MAX_NAME_CHARS ? clean : `${clean.slice(0, MAX_NAME_CHARS)}…`;
}

/** What is said of a key that nobody declared. */
export function unknownKeyMessage(key: string, known: Iterable<string>): string {
  const names = [...known];
  const meant = nearest(key, names) ?? names.find((name) => bare(name) === bare(key));
  return meant === undefined ? 'is not allowed' : `is not allowed; did you mean "${meant}"?`;
}

function bare(name: string): string {
  return name.length > MAX_NAME_CHARS ? name : name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

const MAX_LISTED_VALUES = BOUNDS.listedValues.default;

/** What is said of a value that is none of the allowed ones. The nearest allowed value may be named, the given one never. */
export function notOneOfMessage(value: unknown, allowed: readonly unknown[]): string {
  const texts = allowed.filter((item) => typeof item === 'string');
  const meant = typeof value === 'string' ? nearest(value, texts) : undefined;
  const listed = allowed.slice(0, MAX_LISTED_VALUES).map((item) => JSON.stringify(item));
  const more = allowed.length > listed.length ? `, … (${allowed.length} in all)` : '';
  const hint = meant === undefined || meant === value ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return `must be one of ${listed.join(', ')}${more}${hint}`;
}
