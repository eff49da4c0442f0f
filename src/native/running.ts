import type { RequestId } from './messages.js';
import type { ActiveRequest } from './request.js';

/** The requests of one conversation that run now, by id. Where a transport tolerates it, one id can stand for several. */
export class RunningRequests {
  readonly #byId = new Map<RequestId, ActiveRequest>();

  get size(): number {
    return this.#byId.size;
  }

  has(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  add(active: ActiveRequest): void {
    const { id } = active.message;
    active.older = this.#byId.get(id);
    this.#byId.set(id, active);
  }

  remove(active: ActiveRequest): void {
    const { id } = active.message;
    let newer = this.#byId.get(id);
    if (newer === active) {
      if (active.older === undefined) this.#byId.delete(id);
      else this.#byId.set(id, active.older);
      return;
    }
    while (newer !== undefined && newer.older !== active) newer = newer.older;
    if (newer !== undefined) newer.older = active.older;
  }

  /** Cancels what runs under an id; nothing for an id that stands for nothing. */
  cancel(id: RequestId, reason?: string): void {
    for (let active = this.#byId.get(id); active !== undefined; active = active.older) active.cancel(reason);
  }

  cancelAll(reason?: string): void {
    for (const id of [...this.#byId.keys()]) this.cancel(id, reason);
  }
}
