import type { RequestId } from './messages.js';
import type { ActiveRequest } from './request.js';

/**
 * The requests of one conversation that run now, by id. Where a transport tolerates it, one id can stand for several, and
 * none of what is done with one of them takes longer for it.
 */
export class RunningRequests {
  /** The newest of each id: the others hang on it. What was cancelled by its id answers to it no more. */
  readonly #byId = new Map<RequestId, ActiveRequest>();

  get size(): number {
    return this.#byId.size;
  }

  has(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  add(active: ActiveRequest): void {
    const { id } = active.message;
    const older = this.#byId.get(id);
    active.older = older;
    if (older !== undefined) older.newer = active;
    this.#byId.set(id, active);
  }

  remove(active: ActiveRequest): void {
    const { id } = active.message;
    const { newer, older } = active;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else if (this.#byId.get(id) === active) {
      if (older === undefined) this.#byId.delete(id);
      else this.#byId.set(id, older);
    }
    active.newer = active.older = undefined;
  }

  /** Cancels what runs under an id; nothing for an id that stands for nothing. */
  cancel(id: RequestId, reason?: string): void {
    let active = this.#byId.get(id);
    // Taken out first: a client may ask for this as often as it likes.
    this.#byId.delete(id);
    while (active !== undefined) {
      const { older }: ActiveRequest = active;
      active.newer = active.older = undefined;
      active.cancel(reason);
      active = older;
    }
  }

  cancelAll(reason?: string): void {
    for (const id of [...this.#byId.keys()]) this.cancel(id, reason);
  }
}
