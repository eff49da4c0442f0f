import type { ChangeBus, PublishedChange } from '../src/core/stores.js';

/** Carries changes between the layers of one process. */
export class MemoryChangeBus implements ChangeBus {
  readonly #listeners = new Set<(change: PublishedChange) => void>();

  publish(change: PublishedChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  subscribe(listener: (change: PublishedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
