import type { Principal } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { mayHear } from '../layer/may-hear.js';
import { MAX_SUBSCRIPTIONS } from '../native/subscriptions.js';

/** Who subscribed to what of a mounted layer, in one server. */
export class Subscribers {
  readonly #layer: Layer;
  readonly #subscribers = new Map<string, Principal>();

  constructor(layer: Layer) {
    this.#layer = layer;
  }

  /** `false` when there are too many already. */
  add(uri: string, principal: Principal): boolean {
    if (this.#subscribers.size >= MAX_SUBSCRIPTIONS && !this.#subscribers.has(uri)) return false;
    this.#subscribers.set(uri, principal);
    return true;
  }

  remove(uri: string): void {
    this.#subscribers.delete(uri);
  }

  /** Whether somebody subscribed to a resource, and may still see it. */
  hear(uri: string): boolean {
    const principal = this.#subscribers.get(uri);
    return principal !== undefined && mayHear(this.#layer, uri, principal);
  }
}
