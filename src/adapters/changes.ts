import { ALLOW_ALL, type Change } from '../core/ports.js';
import { Principal } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { letGo } from './dialect.js';
import { mayHear } from '../layer/may-hear.js';
import { warnOnce } from './warn-once.js';

/** An event of the 2026-07-28 listen bus. Source: `ServerEvent` of @modelcontextprotocol/server 2.x. */
export type BusEvent =
  | { readonly kind: 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed' }
  | { readonly kind: 'resource_updated'; readonly uri: string };

/** What carries events from servers that live for one request to the streams that listen. */
export interface EventBus {
  publish(event: BusEvent): unknown;
}

/** Something that passes a layer's changes on to its own clients, for as long as it has any. */
export interface ChangeTarget {
  deliver(change: Change): void;
}

/** How many references are kept before those to dead targets are looked for. */
const FIRST_SWEEP = 64;

/**
 * Tells every mounted server, and every bus, what changed in one layer. A layer has one of these, however often it is
 * mounted, and it keeps no server alive: hosts that make one per request only ever leave garbage behind.
 */
class FanOut {
  readonly #targets = new Set<WeakRef<ChangeTarget>>();
  readonly #buses = new Set<EventBus>();
  #sweepAt = FIRST_SWEEP;

  readonly #layer: Layer;

  constructor(layer: Layer) {
    this.#layer = layer;
    layer.onChange((change) => this.#tell(change));
  }

  add(target: ChangeTarget): () => void {
    if (this.#targets.size >= this.#sweepAt) this.#sweep();
    const reference = new WeakRef(target);
    this.#targets.add(reference);
    return () => void this.#targets.delete(reference);
  }

  addBus(bus: EventBus): () => void {
    this.#buses.add(bus);
    return () => void this.#buses.delete(bus);
  }

  /** How many references are held, dead ones included. */
  get size(): number {
    return this.#targets.size;
  }

  #tell(change: Change): void {
    for (const reference of this.#targets) {
      const target = reference.deref();
      if (target === undefined) this.#targets.delete(reference);
      else target.deliver(change);
    }
    const event = busEvent(change);
    if (event === undefined || this.#buses.size === 0 || !this.#isPublic(event)) return;
    for (const bus of this.#buses) letGo(() => bus.publish(event));
  }

  /** A bus tells whoever listens for a URI, and not whom: it hears only of what anybody may see. */
  #isPublic(event: BusEvent): boolean {
    const layer = this.#layer;
    if (event.kind !== 'resource_updated' || layer.policy === ALLOW_ALL) return true;
    if (mayHear(layer, event.uri, Principal.anonymous())) return true;
    warnOnce(
      layer,
      'bus',
      'the listen streams of a server per request do not say whose they are: where a policy decides who sees a resource, ' +
        'they hear of it only if an anonymous caller may see it. Serve such resources with layer.nodeHandler() or fetchHandler().',
    );
    return false;
  }

  #sweep(): void {
    for (const reference of this.#targets) {
      if (reference.deref() === undefined) this.#targets.delete(reference);
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#targets.size * 2);
  }
}

function busEvent({ kind, uri }: Change): BusEvent | undefined {
  if (kind !== 'resource') return { kind: `${kind}_list_changed` };
  return uri === undefined ? undefined : { kind: 'resource_updated', uri };
}

const FAN_OUTS = new WeakMap<Layer, FanOut>();

function fanOutOf(layer: Layer): FanOut {
  let fanOut = FAN_OUTS.get(layer);
  if (fanOut === undefined) FAN_OUTS.set(layer, (fanOut = new FanOut(layer)));
  return fanOut;
}

/** Passes a layer's changes on to `target`, for as long as it lives, or until the returned function is called. */
export function followChanges(layer: Layer, target: ChangeTarget): () => void {
  return fanOutOf(layer).add(target);
}

/**
 * Publishes a layer's changes on a host's listen bus, once however often it is attached, until the returned function is
 * called.
 *
 * @throws {TypeError} When `bus` has no `publish`.
 */
export function attachBus(layer: Layer, bus: EventBus): () => void {
  if (typeof (bus as Partial<EventBus> | undefined)?.publish !== 'function') {
    throw new TypeError("attachBus: it has no publish(). Pass a handler's bus, such as createMcpHandler(…).bus.");
  }
  return fanOutOf(layer).addBus(bus);
}

/** How many mounted servers a layer still refers to, dead ones included. For tests. */
export function followerCount(layer: Layer): number {
  return FAN_OUTS.get(layer)?.size ?? 0;
}
