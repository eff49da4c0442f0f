import { BOUNDS } from '../../../core/bounds.js';
import type { ByteStream } from '../wire/carrier.js';
import type { Beating, Heartbeat } from './heartbeat.js';

/** Headers of every event stream: no cache keeps it, no proxy holds it back. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** How many bytes may wait for a slow reader before what is not essential is left out. */
const SHED_BYTES = BOUNDS.shedBytes.default;
/** How many may wait before the reader is cut off. */
const CUT_BYTES = BOUNDS.cutBytes.default;
/** For how many beats a reader may take nothing at all. */
const MAX_STALLED_BEATS = BOUNDS.stalledBeats.default;
/** What a client can do without: newer ones say more, or nobody waits for them. */
const SHEDDABLE: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/** An open stream of server-sent events. */
export class EventStream implements Beating {
  nextBeating: Beating | undefined;
  previousBeating: Beating | undefined;
  readonly #bytes: ByteStream;
  readonly #heartbeat: Heartbeat;
  #ended = false;
  #stalledAt = 0;
  #stalledBeats = 0;

  constructor(bytes: ByteStream, heartbeat: Heartbeat) {
    this.#bytes = bytes;
    this.#heartbeat = heartbeat;
    heartbeat.add(this);
  }

  get closed(): boolean {
    return this.#ended || this.#bytes.closed;
  }

  /** Whether a message of this method is better left out, because the reader cannot keep up. */
  sheds(method: string): boolean {
    return this.#bytes.pending > SHED_BYTES && SHEDDABLE.has(method);
  }

  /** Writes one message, or with empty data an event that only has an id. JSON holds no line breaks. */
  event(data: string, id?: string): void {
    this.#write(id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`);
  }

  /** An event with a name, as the transport of 2024-11-05 has them. */
  named(name: string, data: string): void {
    this.#write(`event: ${name}\ndata: ${data}\n\n`);
  }

  /** Tells the client how long to wait before it comes back. */
  retry(milliseconds: number): void {
    this.#write(`retry: ${milliseconds}\n\n`);
  }

  /** A comment, which clients ignore, keeps proxies from ending a quiet stream. A reader that stands still is cut off. */
  beat(): void {
    const { pending } = this.#bytes;
    if (this.closed) this.#heartbeat.delete(this);
    else if (pending === 0) this.#write(': \n\n');
    else if (pending !== this.#stalledAt) this.#stalledBeats = 0;
    else if (++this.#stalledBeats >= MAX_STALLED_BEATS) this.#cut();
    this.#stalledAt = pending;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#heartbeat.delete(this);
    this.#bytes.end();
  }

  #write(text: string): void {
    if (this.closed) return;
    // What was written before counts: one long answer alone says nothing of its reader.
    if (this.#bytes.pending > CUT_BYTES) this.#cut();
    else this.#bytes.write(text);
  }

  #cut(): void {
    this.#ended = true;
    this.#heartbeat.delete(this);
    this.#bytes.destroy();
  }
}
