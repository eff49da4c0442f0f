import { randomUUID } from 'node:crypto';
import { type Principal, RequestInfo } from '../../../core/principal.js';
import { HANDSHAKE_VERSIONS, MODERN_VERSIONS } from '../../era.js';
import { idOf, invalidRequest, type JsonRpcRequest, kindOf, type MessageKind } from '../../messages.js';
import { initialize } from '../../methods/initialize.js';
import { readEventId } from '../streams/channel.js';
import type { Admitted, RouteHost } from './route-host.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import { nameOf } from '../wire/request-headers.js';
import { HttpSession } from '../sessions/http-session.js';
import { type Accepted, readAccept } from '../wire/media-types.js';
import { sendEmpty, sendFailure, sendFault } from '../wire/replies.js';
import { primeFor, SessionExchange } from '../answers/session-exchange.js';
import { SessionTable } from '../sessions/session-table.js';
import { SessionlessRoute } from './sessionless-route.js';

const VERSIONS: ReadonlySet<string> = new Set(HANDSHAKE_VERSIONS);

/** Serves the handshake revisions: a session begins with `initialize`, and belongs to the principal that opened it. */
export class SessionRoute {
  readonly #host: RouteHost;
  readonly #table: SessionTable;
  readonly #sessionless: SessionlessRoute | undefined;

  constructor(host: RouteHost) {
    const { options, layer } = host;
    this.#host = host;
    this.#table = new SessionTable({ idleMs: options.sessionIdleMs, max: options.maxSessions }, layer.clock);
    this.#sessionless = options.sessions ? undefined : new SessionlessRoute(host);
  }

  /** How many sessions live. */
  get size(): number {
    return this.#table.size;
  }

  post(admitted: Admitted, accepted: Accepted, message: unknown): void {
    const { request, reply } = admitted;
    const kind = kindOf(message);
    const opens = kind === 'request' && (message as JsonRpcRequest).method === initialize.name;
    const version = request.headers['mcp-protocol-version']?.trim();
    if (kind === 'invalid') sendFailure(request, reply, 400, invalidRequest(message));
    else if (!opens && version !== undefined && !VERSIONS.has(version)) this.#refuseVersion(admitted, message, version);
    else if (this.#refusedByAuth(admitted, kind, message)) return;
    else if (this.#sessionless !== undefined) this.#sessionless.post(admitted, accepted, message, kind);
    else if (opens && admitted.info.sessionId === undefined)
      void this.#open(admitted, accepted, message as JsonRpcRequest);
    else this.#continue(admitted, accepted, message, kind);
  }

  /** Opens a stream for what belongs to no request, or goes on with one that was lost. */
  async get(admitted: Admitted): Promise<void> {
    const { request, reply } = admitted;
    const { headers } = request;
    const isModern = MODERN_VERSIONS.includes(headers['mcp-protocol-version']?.trim() ?? '');
    if (isModern || !readAccept(headers['accept']).eventsNamed) {
      this.#host.notAllowed(request, reply);
      return;
    }
    const session = this.#find(admitted, null)?.session;
    if (session === undefined) return;
    const last = headers['last-event-id'];
    if (last !== undefined) await this.#resume(admitted, session, last);
    else this.#listen(admitted, session);
  }

  /** Ends a session. */
  delete(admitted: Admitted): void {
    const session = this.#find(admitted, null)?.session;
    if (session === undefined) return;
    this.#table.end(session);
    sendEmpty(admitted.reply, 204);
  }

  /** Ends the streams that wait for something to happen. */
  endStreams(): void {
    this.#table.endStreams();
  }

  close(): void {
    this.#table.close();
  }

  /** Ends sessions that nobody used for too long. They are looked for regularly; this does it now. */
  sweep(): void {
    this.#table.sweep();
  }

  async #open(admitted: Admitted, accepted: Accepted, message: JsonRpcRequest): Promise<void> {
    const { request, reply, info } = admitted;
    const { server, options } = this.#host;
    if (!this.#table.hasRoom()) {
      sendFault(request, reply, {
        status: 503,
        message: 'Too many sessions. Try again later.',
        id: message.id,
        headers: { 'retry-after': 30 },
      });
      return;
    }
    const principal = server.principalOf(info);
    const id = randomUUID();
    const session = new HttpSession(id, principal.key, options.eventStore, `${this.#host.layer.name}/${id}`);
    // Kept as long as the session: the request object and its headers are not.
    const kept = new RequestInfo({ transport: 'http', sessionId: session.id });
    session.native = server.createSession({
      transport: 'http',
      id: session.id,
      info: kept,
      principal,
      send: (outgoing) => session.deliver(outgoing),
    });
    const exchange = new SessionExchange(info, principal, reply, accepted, this.#host, session, options, {
      'mcp-session-id': session.id,
    });
    const response = await session.native.handle(message, exchange);
    if (session.native.protocolVersion === undefined) session.end();
    else this.#table.add(session);
    exchange.answer(response);
  }

  #continue(admitted: Admitted, accepted: Accepted, message: unknown, kind: MessageKind): void {
    const { request, reply, info } = admitted;
    const found = this.#find(admitted, idOf(message));
    if (found === undefined) return;
    const { session, principal } = found;
    if (kind === 'notification' || kind === 'response') {
      void session.native.handle(message);
      sendEmpty(reply, 202);
      return;
    }
    if (kind === 'request' && (message as JsonRpcRequest).method === initialize.name) {
      const fault = 'Invalid request: this session is initialized already. Leave Mcp-Session-Id out to open another.';
      sendFault(request, reply, { status: 400, message: fault, id: idOf(message) });
      return;
    }
    // What the session's client said of itself counts for each of its requests.
    const known = info.with({ clientInfo: session.native.clientInfo });
    const exchange = new SessionExchange(known, principal, reply, accepted, this.#host, session, this.#host.options);
    void session.native.handle(message, exchange).then((outcome) => {
      const refusedBatch = kind === 'batch' && outcome !== undefined && !Array.isArray(outcome);
      exchange.answer(outcome, refusedBatch ? 400 : 200);
    });
  }

  /** The caller's session. Another's looks like one that is not there. */
  #find(
    { request, reply, info }: Admitted,
    id: string | number | null,
  ): { readonly session: HttpSession; readonly principal: Principal } | undefined {
    if (info.sessionId === undefined) {
      const message = 'Mcp-Session-Id is missing. Send initialize first, and then the id it is answered with.';
      sendFault(request, reply, { status: 400, message, id });
      return undefined;
    }
    const principal = this.#host.server.principalOf(info);
    const session = this.#table.use(info.sessionId, principal.key);
    if (session === undefined) {
      sendFault(request, reply, {
        status: 404,
        message: 'There is no such session, or it has ended. Send initialize again.',
        id,
      });
      return undefined;
    }
    return { session, principal };
  }

  #listen({ request, reply }: Admitted, session: HttpSession): void {
    const channel = session.openGet();
    if (channel === undefined) {
      sendFault(request, reply, { status: 409, message: 'This session has too many streams open. Close one.' });
      return;
    }
    channel.connect(this.#stream(reply), primeFor(session, this.#host.options));
    reply.onDisconnect(() => channel.lose());
  }

  async #resume({ request, reply }: Admitted, session: HttpSession, last: string): Promise<void> {
    const at = readEventId(last);
    const channel = at && session.find(at.stream);
    const resumed = at !== undefined && (await channel?.resume(at.sequence, () => this.#stream(reply)));
    if (resumed === true) reply.onDisconnect(() => channel?.lose());
    else sendFault(request, reply, { status: 400, message: 'Last-Event-ID names no event that is still known.' });
  }

  #stream(reply: Admitted['reply']): EventStream {
    return new EventStream(reply.open(200, STREAM_HEADERS), this.#host.heartbeat);
  }

  #refuseVersion({ request, reply }: Admitted, message: unknown, version: string): void {
    const data = { supported: [...MODERN_VERSIONS, ...HANDSHAKE_VERSIONS], requested: version };
    sendFault(request, reply, { status: 400, message: `MCP-Protocol-Version is not served.`, id: idOf(message), data });
  }

  #refusedByAuth({ request, reply, info }: Admitted, kind: MessageKind, message: unknown): boolean {
    const { auth } = this.#host.options;
    if (auth?.authorize === undefined || kind === 'response') return false;
    for (const member of (kind === 'batch' ? message : [message]) as readonly JsonRpcRequest[]) {
      if (kindOf(member) !== 'request') continue;
      const name = nameOf(this.#host.server.methodOf(member.method), member);
      const refusal = auth.authorize(info, member.method, name);
      if (refusal === undefined) continue;
      this.#host.refuse(request, reply, refusal);
      return true;
    }
    return false;
  }
}
