import { BOUNDS } from '../../../core/bounds.js';

/** How many different texts are kept. Real clients send a handful; an attacker's endless ones must not stay. */
const MAX_ENTRIES = BOUNDS.memoEntries.default;
/** Longer texts are worked out every time. */
const MAX_KEY_CHARS = BOUNDS.memoKeyChars.default;

/** Remembers what was worked out of a header value, since clients send the same few over and over. */
export class Memo<T> {
  readonly #known = new Map<string, T>();
  readonly #compute: (text: string) => T;

  constructor(compute: (text: string) => T) {
    this.#compute = compute;
  }

  get(text: string): T {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const value = this.#compute(text);
    if (text.length <= MAX_KEY_CHARS) {
      if (this.#known.size >= MAX_ENTRIES) this.#known.clear();
      this.#known.set(text, value);
    }
    return value;
  }
}
