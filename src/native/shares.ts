/** Something of which there is only so much, and whose it is. */
interface Held {
  /** The key of the principal that holds it. */
  readonly owner: string;
}

/** How much there is, over all callers and for each. */
export interface ShareLimits {
  readonly max: number;
  readonly maxPerCaller: number;
}

/** What a caller would miss least. */
export interface Worth<T> {
  /** Whether nothing uses it now, so that anybody can lose it. */
  idle(item: T): boolean;
  /** The lowest goes first. */
  usedAt(item: T): number;
}

/**
 * Who holds how much of something that there is only so much of. While there is enough, everybody takes what it wants; then
 * whoever holds most gives up one of its own, so that nobody can take all.
 */
export class Shares<T extends Held> {
  readonly #limits: ShareLimits;
  readonly #worth: Worth<T>;
  /** What each caller holds, in the order in which it was taken. */
  readonly #held = new Map<string, Set<T>>();
  #size = 0;

  constructor(limits: ShareLimits, worth: Worth<T>) {
    this.#limits = limits;
    this.#worth = worth;
  }

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    let held = this.#held.get(item.owner);
    if (held === undefined) this.#held.set(item.owner, (held = new Set()));
    if (held.has(item)) return;
    held.add(item);
    this.#size++;
  }

  delete(item: T): void {
    const held = this.#held.get(item.owner);
    if (held?.delete(item) !== true) return;
    this.#size--;
    if (held.size === 0) this.#held.delete(item.owner);
  }

  /** Whether a caller can have one more: `true`, `false`, or in the place of what this gives. */
  roomFor(owner: string): boolean | T {
    const own = this.#held.get(owner) ?? NOTHING;
    if (own.size >= this.#limits.maxPerCaller) return this.#least(own, true) ?? false;
    if (this.#size < this.#limits.max) return true;
    const largest = this.#largest();
    // With one more, a caller must not hold more than whoever has to pay for it; then even what is in use can go.
    if (largest.size > own.size + 1) return this.#least(largest, false) ?? false;
    return this.#idlest(Math.max(1, own.size)) ?? false;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const held of this.#held.values()) yield* held;
  }

  #largest(): ReadonlySet<T> {
    let largest: ReadonlySet<T> = NOTHING;
    for (const held of this.#held.values()) if (held.size > largest.size) largest = held;
    return largest;
  }

  /** The idle one that was used longest ago, of those who hold so much. */
  #idlest(atLeast: number): T | undefined {
    let found: T | undefined;
    for (const held of this.#held.values()) {
      if (held.size >= atLeast) found = this.#less(found, this.#least(held, true));
    }
    return found;
  }

  /** What goes first of what one caller holds: what is idle, else what was used longest ago. */
  #least(held: ReadonlySet<T>, onlyIdle: boolean): T | undefined {
    let idle: T | undefined;
    let busy: T | undefined;
    for (const item of held) {
      if (this.#worth.idle(item)) idle = this.#less(idle, item);
      else busy = this.#less(busy, item);
    }
    return idle ?? (onlyIdle ? undefined : busy);
  }

  #less(one: T | undefined, other: T | undefined): T | undefined {
    if (one === undefined || other === undefined) return one ?? other;
    return this.#worth.usedAt(other) < this.#worth.usedAt(one) ? other : one;
  }
}

const NOTHING: ReadonlySet<never> = new Set();
