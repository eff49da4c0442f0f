import { randomUUID } from 'node:crypto';
import { describeThrown } from '../core/describe-thrown.js';
import type { Change, ChangeKind, Logger } from '../core/ports.js';
import type { ChangeBus, PublishedChange } from '../core/stores.js';

/** One change that is about to be told. */
interface Pending {
  readonly change: Change;
  /** Whether it happened here: what was heard on the bus is never published again. */
  readonly own: boolean;
  /** Where it came from, when a listener of another layer passed it on. */
  readonly trail: Trail;
}

/** Every layer that a change went through, under the name it had there. */
type Trail = ReadonlyMap<Changes, ReadonlySet<string>>;

const NO_TRAIL: Trail = new Map();
const KINDS: ReadonlySet<string> = new Set<ChangeKind>(['tools', 'prompts', 'resources', 'resource']);

/** The way of the change that listeners are being told, in whichever layer. */
let told: Trail = NO_TRAIL;

/**
 * Tells listeners what changed. Changes of one moment are told once each, after the code that made them. What listeners
 * pass on from layer to layer ends where it began, and with a bus, other processes hear of it.
 */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #pending = new Map<string, Pending>();
  readonly #namespace: string;
  readonly #logger: Logger;
  readonly #bus: ChangeBus | undefined;
  /** Made when it is first needed: some hosts allow nothing random while a module loads. */
  #origin: string | undefined;

  constructor({ name, logger, stores }: ChangesOptions) {
    this.#namespace = name;
    this.#logger = logger;
    this.#bus = stores.changes;
  }

  /** Begins to hear of what other layers publish. @returns What ends it. */
  connect(): () => void {
    return this.#bus?.subscribe((change) => this.#hear(change)) ?? (() => undefined);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(kind: ChangeKind, uri?: string): void {
    const change = uri === undefined ? { kind } : { kind, uri };
    this.#add(change, !this.#isOnBus(keyOf(change)));
  }

  /** Whether another layer of this bus, whose listener passes the change on, has published it. */
  #isOnBus(key: string): boolean {
    if (told.size === 0 || this.#bus === undefined) return false;
    return [...told].some(
      ([layer, keys]) => layer.#bus === this.#bus && layer.#namespace === this.#namespace && keys.has(key),
    );
  }

  /** A bus carries what others wrote, so only what is known of it is taken. */
  #hear({ namespace, origin, kind, uri }: PublishedChange): void {
    if (namespace !== this.#namespace || origin === this.#origin || !KINDS.has(kind)) return;
    this.#add(uri === undefined ? { kind } : { kind, uri }, false);
  }

  #add(change: Change, own: boolean): void {
    const key = keyOf(change);
    if (told.get(this)?.has(key) === true) return;
    if (this.#pending.size === 0) queueMicrotask(() => this.#flush());
    const before = this.#pending.get(key);
    // One that also happened here is news to every layer, those that it came through included.
    this.#pending.set(key, {
      change,
      own: own || before?.own === true,
      trail: before === undefined ? told : common(before.trail, told),
    });
  }

  #flush(): void {
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    for (const { change, own, trail } of changes) {
      const outer = told;
      told = extended(trail, this, keyOf(change));
      try {
        for (const listener of [...this.#listeners]) this.#tell(listener, change);
        if (own) void this.#publish(change);
      } finally {
        told = outer;
      }
    }
  }

  #tell(listener: (change: Change) => void, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      this.#logger.error('a change listener threw', describeThrown(error));
    }
  }

  async #publish(change: Change): Promise<void> {
    if (this.#bus === undefined) return;
    try {
      this.#origin ??= randomUUID();
      await this.#bus.publish({ ...change, namespace: this.#namespace, origin: this.#origin });
    } catch (error) {
      this.#logger.error('the change bus could not be told of a change', describeThrown(error));
    }
  }
}

/** What {@link Changes} needs of a layer's options. */
interface ChangesOptions {
  readonly name: string;
  readonly logger: Logger;
  readonly stores: { readonly changes?: ChangeBus };
}

function keyOf({ kind, uri }: Change): string {
  return `${kind} ${uri ?? ''}`;
}

function extended(trail: Trail, layer: Changes, key: string): Trail {
  return new Map([...trail, [layer, new Set([...(trail.get(layer) ?? []), key])]]);
}

function common(one: Trail, other: Trail): Trail {
  const both = [...one].flatMap(([layer, keys]) => {
    const shared = [...keys].filter((key) => other.get(layer)?.has(key) === true);
    return shared.length === 0 ? [] : [[layer, new Set(shared)] as const];
  });
  return new Map(both);
}
