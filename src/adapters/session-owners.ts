import { BOUNDS } from '../core/bounds.js';
import type { Principal } from '../core/principal.js';

const MAX_SESSIONS = BOUNDS.hostSessions.default;

/** Whose each session of a host is: theirs whose request was the first of it that reached the layer. */
export class SessionOwners {
  readonly #keys = new Map<string, string>();

  /** Whether a session is another caller's. Without a session there is nothing to compare. */
  isForeign(session: string | undefined, { key }: Principal): boolean {
    if (session === undefined) return false;
    const owner = this.#keys.get(session);
    if (owner !== undefined && owner !== key) return true;
    this.#keys.delete(session);
    this.#keys.set(session, key);
    if (this.#keys.size > MAX_SESSIONS) this.#keys.delete(this.#keys.keys().next().value as string);
    return false;
  }
}
