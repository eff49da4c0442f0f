import type { EventStore, StoredEvent } from '../../../core/stores.js';

/** How much a {@link MemoryEventStore} keeps. What is too much goes from the session written to longest ago. */
export interface MemoryEventStoreOptions {
  /** Over all streams. Default: 10,000. */
  readonly maxEvents?: number;
  /** UTF-16 code units over all streams. Default: 16 Mi. */
  readonly maxChars?: number;
}

interface Kept {
  readonly events: StoredEvent[];
  /** The highest sequence that is gone. */
  lost: number;
}

/** Keeps the last events in this process. */
export class MemoryEventStore implements EventStore {
  /** The session written to longest ago first, and so for its streams. */
  readonly #sessions = new Map<string, Map<number, Kept>>();
  readonly #maxEvents: number;
  readonly #maxChars: number;
  #events = 0;
  #chars = 0;

  constructor({ maxEvents = 10_000, maxChars = 16 * 1024 * 1024 }: MemoryEventStoreOptions = {}) {
    this.#maxEvents = maxEvents;
    this.#maxChars = maxChars;
  }

  append(session: string, stream: number, event: StoredEvent): void {
    const streams = this.#sessions.get(session) ?? new Map<number, Kept>();
    const kept = streams.get(stream) ?? { events: [], lost: event.sequence - 1 };
    moveToEnd(this.#sessions, session, streams);
    moveToEnd(streams, stream, kept);
    kept.events.push(event);
    this.#events++;
    this.#chars += event.data.length;
    while (this.#events > this.#maxEvents || this.#chars > this.#maxChars) this.#loseOldest();
  }

  after(session: string, stream: number, sequence: number): readonly StoredEvent[] | undefined {
    const kept = this.#sessions.get(session)?.get(stream);
    if (kept === undefined || sequence < kept.lost) return undefined;
    return kept.events.filter((event) => event.sequence > sequence);
  }

  drop(session: string): void {
    for (const { events } of this.#sessions.get(session)?.values() ?? []) {
      this.#events -= events.length;
      for (const { data } of events) this.#chars -= data.length;
    }
    this.#sessions.delete(session);
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events;
  }

  #loseOldest(): void {
    for (const [session, streams] of this.#sessions) {
      for (const [stream, kept] of streams) {
        const event = kept.events.shift();
        if (event !== undefined) {
          kept.lost = event.sequence;
          this.#events--;
          this.#chars -= event.data.length;
        }
        if (kept.events.length === 0) streams.delete(stream);
        if (streams.size === 0) this.#sessions.delete(session);
        return;
      }
    }
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
