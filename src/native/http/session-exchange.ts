import type { Principal, RequestInfo } from '../../core/principal.js';
import type { HttpReply } from './carrier.js';
import type { Channel } from './channel.js';
import { EventStream, STREAM_HEADERS } from './event-stream.js';
import type { HttpSession } from './http-session.js';
import type { Accepted } from './media-types.js';
import { type Answering, PostExchange } from './post-exchange.js';
import type { OutHeaders } from './refusals.js';

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

  protected override openChannel(): Channel {
    return this.#session.openPost();
  }

  protected override connect(channel: Channel): void {
    const bytes = this.reply.open(200, { ...STREAM_HEADERS, ...this.headers });
    channel.connect(new EventStream(bytes, this.answering.heartbeat), primeFor(this.#session, this.#reconnecting));
  }

  protected override disconnected(): void {
    this.channel?.lose();
  }

  protected override ended(): void {
    super.ended();
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
