/** One place in the queue for a slot. */
export interface Place {
  /** Fulfilled once the slot is taken for whoever waits; rejected when they left. */
  readonly free: Promise<void>;
  /** Gives the place up; does nothing once the slot was taken. */
  leave(reason: Error): void;
}

interface Waiter {
  readonly take: () => void;
}

/** Slots that holders share: so many in all, so many for each, and a queue that serves the holders in turn. */
export class FairSlots {
  readonly #total: number;
  readonly #perHolder: number;
  readonly #maxQueue: number;
  readonly #held = new Map<string, number>();
  /** In the order in which the holders are served next. */
  readonly #queues = new Map<string, Set<Waiter>>();
  #heldInAll = 0;
  #waiting = 0;

  constructor(total: number, perHolder: number, maxQueue: number) {
    this.#total = total;
    this.#perHolder = perHolder;
    this.#maxQueue = maxQueue;
  }

  get held(): number {
    return this.#heldInAll;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a slot when one is free for this holder and nobody waits for it. */
  take(holder: string): boolean {
    if (this.#queues.has(holder) || !this.#isFreeFor(holder)) return false;
    this.#hold(holder);
    return true;
  }

  /** Waits for a slot; `undefined` when too many wait. */
  queue(holder: string): Place | undefined {
    if (this.#waiting >= this.#maxQueue) return undefined;
    let settle!: { resolve: () => void; reject: (reason: Error) => void };
    const free = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    const waiter: Waiter = { take: () => settle.resolve() };
    const queue = this.#queues.get(holder) ?? new Set();
    this.#queues.set(holder, queue.add(waiter));
    this.#waiting += 1;
    return {
      free,
      leave: (reason) => {
        if (this.#remove(holder, waiter)) settle.reject(reason);
      },
    };
  }

  /** Gives a slot back, and on to whoever is next. */
  release(holder: string): void {
    this.#heldInAll -= 1;
    const held = (this.#held.get(holder) ?? 0) - 1;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
    this.#serve();
  }

  #serve(): void {
    for (const [holder, queue] of this.#queues) {
      if (this.#heldInAll >= this.#total) return;
      if (!this.#isFreeFor(holder)) continue;
      const [waiter] = queue;
      if (waiter === undefined) continue;
      this.#remove(holder, waiter);
      // Whoever was served goes to the end.
      if (this.#queues.delete(holder)) this.#queues.set(holder, queue);
      this.#hold(holder);
      waiter.take();
      return;
    }
  }

  #remove(holder: string, waiter: Waiter): boolean {
    const queue = this.#queues.get(holder);
    if (queue?.delete(waiter) !== true) return false;
    this.#waiting -= 1;
    if (queue.size === 0) this.#queues.delete(holder);
    return true;
  }

  #isFreeFor(holder: string): boolean {
    return this.#heldInAll < this.#total && (this.#held.get(holder) ?? 0) < this.#perHolder;
  }

  #hold(holder: string): void {
    this.#heldInAll += 1;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
  }
}
