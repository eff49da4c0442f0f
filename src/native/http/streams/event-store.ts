import { BOUNDS } from '../../../core/bounds.js';
import { checkOptions, isCount } from '../../../core/check-options.js';
import type { EventStore, StoredEvent } from '../../../core/stores.js';

/**
 * How much a {@link MemoryEventStore} keeps. What is too much goes from whoever holds most, there from the session written
 * to longest ago.
 */
export interface MemoryEventStoreOptions {
  /** Over all streams. Default: 10,000. */
  readonly maxEvents?: number;
  /** UTF-16 code units over all streams. Default: 16 Mi. */
  readonly maxChars?: number;
  /** How many events one caller may have here. Default: as many as there are, until another caller needs the room. */
  readonly maxEventsPerCaller?: number;
}

interface Kept {
  readonly events: StoredEvent[];
  /** The highest sequence that is gone. */
  lost: number;
}

/** What one caller has here. */
interface Holder {
  readonly name: string;
  /** The session written to longest ago first, and so for its streams. */
  readonly sessions: Map<string, Map<number, Kept>>;
  events: number;
  chars: number;
}

/** Keeps the last events in this process. */
export class MemoryEventStore implements EventStore {
  readonly #holders = new Map<string, Holder>();
  readonly #holderOf = new Map<string, Holder>();
  readonly #maxEvents: number;
  readonly #maxChars: number;
  readonly #maxEach: number;
  #events = 0;
  #chars = 0;

  /** @throws {ConfigurationError} When an option is wrong. */
  constructor(options: MemoryEventStoreOptions = {}) {
    checkOptions('MemoryEventStore', options, { maxEvents: isCount, maxChars: isCount, maxEventsPerCaller: isCount });
    const {
      maxEvents = BOUNDS.maxEvents.default,
      maxChars = BOUNDS.maxChars.default,
      maxEventsPerCaller = BOUNDS.maxEventsPerCaller.default,
    } = options;
    this.#maxEvents = maxEvents;
    this.#maxChars = maxChars;
    this.#maxEach = maxEventsPerCaller;
  }

  append(session: string, stream: number, event: StoredEvent, owner = ''): void {
    const holder = this.#holder(session, owner);
    const streams = holder.sessions.get(session) ?? new Map<number, Kept>();
    const kept = streams.get(stream) ?? { events: [], lost: event.sequence - 1 };
    moveToEnd(holder.sessions, session, streams);
    moveToEnd(streams, stream, kept);
    kept.events.push(event);
    this.#count(holder, 1, event.data.length);
    while (holder.events > this.#maxEach) this.#loseOldest(holder);
    while (this.#events > this.#maxEvents) this.#loseOldest(this.#payer(holder, 'events'));
    while (this.#chars > this.#maxChars) this.#loseOldest(this.#payer(holder, 'chars'));
  }

  after(session: string, stream: number, sequence: number): readonly StoredEvent[] | undefined {
    const kept = this.#holderOf.get(session)?.sessions.get(session)?.get(stream);
    if (kept === undefined || sequence < kept.lost) return undefined;
    return kept.events.filter((event) => event.sequence > sequence);
  }

  drop(session: string): void {
    const holder = this.#holderOf.get(session);
    if (holder === undefined) return;
    for (const { events } of holder.sessions.get(session)?.values() ?? [])
      for (const { data } of events) this.#count(holder, -1, -data.length);
    this.#forget(holder, session);
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events;
  }

  /** A session belongs to whoever wrote to it first. */
  #holder(session: string, owner: string): Holder {
    let holder = this.#holderOf.get(session);
    if (holder !== undefined) return holder;
    holder = this.#holders.get(owner);
    if (holder === undefined) {
      holder = { name: owner, sessions: new Map(), events: 0, chars: 0 };
      this.#holders.set(owner, holder);
    }
    this.#holderOf.set(session, holder);
    return holder;
  }

  #count(holder: Holder, events: number, chars: number): void {
    holder.events += events;
    holder.chars += chars;
    this.#events += events;
    this.#chars += chars;
  }

  /** Whoever writes pays itself while it has more than an equal share: only newcomers make us look for who has most. */
  #payer(writer: Holder, what: 'events' | 'chars'): Holder {
    const total = what === 'events' ? this.#events : this.#chars;
    if (writer[what] * this.#holders.size >= total) return writer;
    let most = writer;
    for (const holder of this.#holders.values()) if (holder[what] > most[what]) most = holder;
    return most;
  }

  #loseOldest(holder: Holder): void {
    for (const [session, streams] of holder.sessions) {
      for (const [stream, kept] of streams) {
        const event = kept.events.shift();
        if (event !== undefined) {
          kept.lost = event.sequence;
          this.#count(holder, -1, -event.data.length);
        }
        if (kept.events.length === 0) streams.delete(stream);
        if (streams.size === 0) this.#forget(holder, session);
        return;
      }
    }
  }

  #forget(holder: Holder, session: string): void {
    holder.sessions.delete(session);
    this.#holderOf.delete(session);
    if (holder.sessions.size === 0) this.#holders.delete(holder.name);
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
