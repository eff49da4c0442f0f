import type { EventStore } from '../../../core/stores.js';
import type { EventStream } from './event-stream.js';

/** Names a channel that can be resumed. */
export interface ChannelKey {
  readonly store: EventStore;
  readonly session: string;
  /** Unique in its session. */
  readonly stream: number;
  /** Whose it is, as far as room in the store is concerned. */
  readonly owner?: string;
}

/**
 * One stream of messages as the protocol sees it: it may outlive the connection that carries it. With a store its events
 * have ids, and a client that comes back with the last one gets the rest.
 */
export class Channel {
  readonly key: ChannelKey | undefined;
  #carrier: EventStream | undefined;
  #sequence = 0;
  #ended = false;
  /** The last write to an asynchronous store. */
  #writing: Promise<void> | undefined;

  constructor(key?: ChannelKey) {
    this.key = key;
  }

  /** A channel of which only the store knows anything: it has ended, or its process has. */
  static past(key: ChannelKey): Channel {
    const channel = new Channel(key);
    channel.#ended = true;
    return channel;
  }

  /** Whether a client receives what is sent now. */
  get connected(): boolean {
    return this.#carrier !== undefined && !this.#carrier.closed;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Lets a connection carry the channel. With `prime` its client learns at once where to resume. */
  connect(carrier: EventStream, prime?: { readonly retryMs: number }): void {
    this.#carrier = carrier;
    if (prime === undefined || this.key === undefined) return;
    carrier.event('', this.#id(this.key, this.#sequence));
    carrier.retry(prime.retryMs);
  }

  /** Sends one message, written as JSON. */
  send(method: string | undefined, json: string): void {
    if (this.#ended || (method !== undefined && this.#carrier?.sheds(method) === true)) return;
    const { key } = this;
    if (key === undefined) {
      this.#carrier?.event(json);
      return;
    }
    const sequence = ++this.#sequence;
    this.#keep(key, sequence, json);
    this.#carrier?.event(json, this.#id(key, sequence));
  }

  /** Ends the connection and keeps the channel: the client is to come back for the rest. */
  disconnect(): void {
    this.#carrier?.end();
    this.#carrier = undefined;
  }

  /** Forgets a connection that its client closed. Another one may carry the channel by now. */
  lose(): void {
    if (this.#carrier?.closed === true) this.#carrier = undefined;
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true;
    this.disconnect();
  }

  /**
   * Lets another connection carry on behind `sequence`.
   *
   * @returns Whether what came since is still known.
   */
  async resume(sequence: number, open: () => EventStream): Promise<boolean> {
    const { key } = this;
    if (key === undefined) return false;
    await this.#writing;
    let last = sequence;
    let carrier: EventStream | undefined;
    for (;;) {
      const events = await key.store.after(key.session, key.stream, last);
      if (events === undefined && (this.#ended || last < this.#sequence)) {
        carrier?.end();
        return false;
      }
      carrier ??= open();
      for (const event of events ?? []) {
        carrier.event(event.data, this.#id(key, event.sequence));
        last = event.sequence;
      }
      // Something may have come while an asynchronous store was asked.
      if (last >= this.#sequence || (events ?? []).length === 0) break;
      await this.#writing;
    }
    this.disconnect();
    if (this.#ended) carrier.end();
    else this.#carrier = carrier;
    return true;
  }

  #id({ stream }: ChannelKey, sequence: number): string {
    return `${stream}-${sequence}`;
  }

  #keep({ store, session, stream, owner }: ChannelKey, sequence: number, data: string): void {
    const event = { sequence, data };
    const append = (): void | Promise<void> => store.append(session, stream, event, owner);
    // What a store cannot keep cannot be resumed; the client still gets it now.
    if (this.#writing !== undefined) this.#writing = this.#writing.then(append).catch(() => undefined);
    else {
      const waiting = append();
      if (waiting instanceof Promise) this.#writing = waiting.catch(() => undefined);
    }
  }
}

/** Reads an event's id back. */
export function readEventId(id: string): { stream: number; sequence: number } | undefined {
  const [, stream, sequence] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream: Number(stream), sequence: Number(sequence) };
}
