import { BOUNDS } from '../../../core/bounds.js';
import type { NativeSession } from '../../native-session.js';
import type { JsonRpcMessage } from '../../messages.js';
import { serialise } from '../../prepared.js';
import { Channel } from '../streams/channel.js';
import type { EventStore } from '../../../core/stores.js';

/** How long what was cancelled with its session may take to be answered. */
const ANSWER_MS = 1000;
/** How many GET streams one session may hold open. */
const MAX_GET_STREAMS = BOUNDS.getStreams.default;

/** A handshake session over HTTP: whose it is, and the streams it has. Small, since there may be thousands. */
export class HttpSession {
  /** The engine's side of it. */
  native!: NativeSession;
  /** When it was last used, on the layer's monotonic clock. */
  usedAt = 0;
  /** How many of its requests run. */
  running = 0;
  #ended = false;
  #finishing: NodeJS.Timeout | undefined;
  #streams = 0;
  /** Opened by GET, the newest last. */
  #gets: Channel[] | undefined;
  /** Those of running requests, where they can be resumed. */
  #posts: Map<number, Channel> | undefined;

  /**
   * @param owner The key of the principal that opened it: nobody else may use it.
   * @param storeKey Names it in the store.
   * @param holder Whose room in the store its events take.
   */
  constructor(
    readonly id: string,
    readonly owner: string,
    readonly store: EventStore | undefined,
    readonly storeKey: string = id,
    readonly holder: string = owner,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a request runs or the client listens. */
  get active(): boolean {
    return this.running > 0 || this.listening;
  }

  /** Whether a stream that GET opened is connected. */
  get listening(): boolean {
    return this.#gets?.some(({ connected }) => connected) === true;
  }

  /** A stream for the answer to one POST. */
  openPost(): Channel {
    const channel = this.#newChannel();
    if (channel.key !== undefined) (this.#posts ??= new Map()).set(channel.key.stream, channel);
    return channel;
  }

  /** To be called when a POST's answer is complete: the rest is in the store. */
  closePost({ key }: Channel): void {
    if (key === undefined || this.#posts?.delete(key.stream) !== true) return;
    if (this.#ended && this.#posts.size === 0) this.#finish();
  }

  /** A stream opened by GET; `undefined` when there are too many. */
  openGet(): Channel | undefined {
    const open = this.#gets?.filter(({ connected }) => connected) ?? [];
    if (open.length >= MAX_GET_STREAMS) return undefined;
    const channel = this.#newChannel();
    this.#gets = [...open, channel];
    return channel;
  }

  /** The channel that an event id names; of one that is over, only the store knows. */
  find(stream: number): Channel | undefined {
    if (this.store === undefined) return undefined;
    const known = this.#posts?.get(stream) ?? this.#gets?.find(({ key }) => key?.stream === stream);
    return known ?? Channel.past({ store: this.store, session: this.storeKey, stream });
  }

  /** Sends what belongs to no request, on exactly one stream. */
  deliver(message: JsonRpcMessage): void {
    const channel = this.#gets?.findLast(({ connected }) => connected) ?? this.#gets?.at(-1);
    channel?.send('method' in message ? message.method : undefined, serialise(message));
  }

  /** Ends the streams that GET opened. */
  endGets(): void {
    for (const channel of this.#gets ?? []) channel.end();
    this.#gets = undefined;
  }

  /** Ends every stream: those of running requests when they were told that it is over. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.endGets();
    this.native.close();
    if (this.#posts === undefined || this.#posts.size === 0) this.#finish();
    else {
      this.#finishing = setTimeout(() => this.#finish(), ANSWER_MS);
      this.#finishing.unref();
    }
  }

  #finish(): void {
    clearTimeout(this.#finishing);
    const rest = this.#posts;
    this.#posts = undefined;
    for (const channel of rest?.values() ?? []) channel.end();
    void this.#drop();
  }

  /** What a store cannot forget now, it has to forget by itself. */
  async #drop(): Promise<void> {
    try {
      await this.store?.drop(this.storeKey);
    } catch {
      return;
    }
  }

  #newChannel(): Channel {
    if (this.store === undefined) return new Channel();
    const { holder: owner, store, storeKey: session } = this;
    return new Channel({ store, session, stream: ++this.#streams, owner });
  }
}
