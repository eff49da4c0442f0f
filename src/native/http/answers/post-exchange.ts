import type { Looked } from '../../../core/context.js';
import type { Principal, RequestInfo } from '../../../core/principal.js';
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, Reply } from '../../messages.js';
import { serialise } from '../../prepared.js';
import type { Cancellable, Exchange } from '../../request.js';
import type { HttpReply } from '../wire/carrier.js';
import { Channel } from '../streams/channel.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import type { Beating, Heartbeat } from '../streams/heartbeat.js';
import type { Accepted } from '../wire/media-types.js';
import { type OutHeaders, sendEmpty, sendOutcome } from '../wire/replies.js';

/** How requests are answered: as JSON until there is more to say than the answer, always so, or always as events. */
export type ResponseMode = 'auto' | 'json' | 'sse';

/** What the answers of one endpoint share. */
export interface Answering {
  /** Told of what nobody expected. */
  failed(error: unknown): void;
  readonly heartbeat: Heartbeat;
  readonly responseMode: ResponseMode;
}

/**
 * The answer to one POST. Status and headers are held back until the first message or the outcome exists, so that an
 * error that a handler finds can still be a 400.
 */
export class PostExchange implements Exchange, Beating {
  running: Cancellable | undefined;
  looked: Looked | undefined;
  nextBeating: Beating | undefined;
  previousBeating: Beating | undefined;
  protected channel: Channel | undefined;
  #over = false;
  #waited = false;

  constructor(
    readonly info: RequestInfo,
    readonly principal: Principal,
    protected readonly reply: HttpReply,
    protected readonly accepted: Accepted,
    protected readonly answering: Answering,
    protected readonly headers?: OutHeaders,
  ) {
    answering.heartbeat.add(this);
    reply.onDisconnect(() => this.disconnected());
  }

  /** Whether the answer was given, or nobody waits for it any more. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether the client can be sent anything before the answer. */
  get streams(): boolean {
    return this.accepted.events && this.answering.responseMode !== 'json';
  }

  notify(message: JsonRpcNotification | JsonRpcRequest): void {
    if (!this.#over && this.streams) this.stream().send(message.method, serialise(message));
  }

  /** Gives the answer; none for what was withdrawn. Never throws. */
  answer(outcome: Reply | undefined, status = 200): void {
    if (this.#over) return;
    this.#finish();
    try {
      this.#send(outcome, status);
    } catch (error) {
      this.answering.failed(error);
      sendEmpty(this.reply, 500);
    }
    this.ended();
  }

  #send(outcome: Reply | undefined, status: number): void {
    const asEvents = this.answering.responseMode === 'sse' ? this.accepted.events : !this.accepted.json;
    const channel = this.channel ?? (asEvents && status === 200 && outcome !== undefined ? this.stream() : undefined);
    if (channel !== undefined) {
      for (const response of listOf(outcome)) {
        channel.send(undefined, serialise(response));
      }
      channel.end();
    } else if (outcome === undefined) sendEmpty(this.reply, 202, this.headers);
    else sendOutcome(this.reply, status, outcome, this.headers);
  }

  /** A request that takes long is answered as events, whose comments keep proxies from giving up. */
  beat(): void {
    if (!this.#waited) {
      this.#waited = true;
      return;
    }
    this.answering.heartbeat.delete(this);
    if (!this.#over && this.streams) this.stream();
  }

  /** The client closed the connection. In the modern era that cancels the request. */
  protected disconnected(): void {
    if (this.#over) return;
    const { running } = this;
    this.#finish();
    running?.cancel('The client closed the connection.');
    this.channel?.end();
    this.ended();
  }

  protected stream(): Channel {
    if (this.channel !== undefined) return this.channel;
    this.channel = this.openChannel();
    this.connect(this.channel);
    return this.channel;
  }

  protected connect(channel: Channel): void {
    channel.connect(
      new EventStream(this.reply.open(200, { ...STREAM_HEADERS, ...this.headers }), this.answering.heartbeat),
    );
  }

  protected openChannel(): Channel {
    return new Channel();
  }

  /** Called once, when nothing more will be sent. */
  protected ended(): void {
    // A plain answer leaves nothing behind.
  }

  #finish(): void {
    this.#over = true;
    // A slow reader keeps this; what the call held, it does not keep.
    this.running = undefined;
    this.looked = undefined;
    this.answering.heartbeat.delete(this);
  }
}

function listOf(outcome: Reply | undefined): readonly JsonRpcResponse[] {
  if (outcome === undefined) return [];
  return isBatch(outcome) ? outcome : [outcome];
}

function isBatch(outcome: Reply): outcome is readonly JsonRpcResponse[] {
  return Array.isArray(outcome);
}
