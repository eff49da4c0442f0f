import { McpLayerError } from '../../../core/errors.js';
import type { Principal, RequestInfo } from '../../../core/principal.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../messages.js';
import type { HttpReply } from '../wire/carrier.js';
import type { Channel } from '../streams/channel.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import type { HttpSession } from '../sessions/http-session.js';
import type { Accepted } from '../wire/media-types.js';
import { type Answering, PostExchange } from './post-exchange.js';
import type { OutHeaders } from '../wire/replies.js';

/** How clients that lose a stream, or are sent away from one, come back. */
export interface Reconnecting {
  /** What clients are told to wait before they come back. */
  readonly retryMs: number;
  /** After how long the connection of a running request is closed; 0 for never. */
  readonly reconnectAfterMs: number;
}

/** The revision whose clients take an event without data, and come back when told to. Source: MCP 2025-11-25, SEP-1699. */
const PRIMED = '2025-11-25';

/** The answer to a POST of a handshake session: its request outlives the connection, and so does its stream. */
export class SessionExchange extends PostExchange {
  readonly #session: HttpSession;
  readonly #reconnecting: Reconnecting;
  #timer: NodeJS.Timeout | undefined;
  /** The client is gone, and cannot come back for what is sent here. */
  #gone = false;

  constructor(
    info: RequestInfo,
    principal: Principal,
    reply: HttpReply,
    accepted: Accepted,
    answering: Answering,
    session: HttpSession,
    reconnecting: Reconnecting,
    headers?: OutHeaders,
  ) {
    super(info, principal, reply, accepted, answering, headers);
    this.#session = session;
    this.#reconnecting = reconnecting;
    session.running++;
    if (reconnecting.reconnectAfterMs > 0 && this.streams && isPrimed(session)) {
      this.#timer = setTimeout(() => this.stream().disconnect(), reconnecting.reconnectAfterMs);
      this.#timer.unref();
    }
  }

  /**
   * A question to the client that this answer cannot carry goes out on a stream that a GET opened.
   *
   * @throws {McpLayerError} When there is none either, so that nobody waits for an answer that cannot come.
   */
  override notify(message: JsonRpcNotification | JsonRpcRequest): void {
    if (!('id' in message) || (this.streams && !this.#gone)) super.notify(message);
    else if (this.#session.listening) this.#session.deliver(message);
    else throw new McpLayerError('The client cannot be asked: it takes no events, and has no stream open.');
  }

  protected override openChannel(): Channel {
    return this.#session.openPost();
  }

  protected override connect(channel: Channel): void {
    const bytes = this.reply.open(200, { ...STREAM_HEADERS, ...this.headers });
    channel.connect(new EventStream(bytes, this.answering.heartbeat), primeFor(this.#session, this.#reconnecting));
  }

  protected override disconnected(): void {
    this.channel?.lose();
    this.#gone ||= this.channel?.key === undefined;
  }

  protected override ended(): void {
    clearTimeout(this.#timer);
    this.#session.running--;
    if (this.channel !== undefined) this.#session.closePost(this.channel);
  }
}

/** How a session's streams begin; `undefined` for clients that an event without data would trip. */
export function primeFor(session: HttpSession, { retryMs }: Reconnecting): { readonly retryMs: number } | undefined {
  return isPrimed(session) ? { retryMs } : undefined;
}

function isPrimed(session: HttpSession): boolean {
  return session.store !== undefined && session.native.protocolVersion === PRIMED;
}
