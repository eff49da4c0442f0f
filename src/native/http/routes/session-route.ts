import { randomUUID } from 'node:crypto';
import { ErrorCode } from '../../../core/errors.js';
import { Principal, RequestInfo } from '../../../core/principal.js';
import { HANDSHAKE_VERSIONS, MODERN_VERSIONS } from '../../era.js';
import { failure, idOf, invalidRequest, type JsonRpcRequest } from '../../messages.js';
import { initialize } from '../../methods/initialize.js';
import { readEventId } from '../streams/channel.js';
import type { Caller, Passed } from './gate.js';
import type { RouteHost } from './route-host.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import { HttpSession } from '../sessions/http-session.js';
import { type Accepted, readAccept } from '../wire/media-types.js';
import { sendEmpty, sendFailure, sendFault } from '../wire/replies.js';
import { versionIn } from '../wire/request-headers.js';
import { primeFor, SessionExchange } from '../answers/session-exchange.js';
import { SessionTable } from '../sessions/session-table.js';
import { SessionlessRoute } from './sessionless-route.js';

const FULL = 'Too many sessions. Try again later.';
const VERSIONS: ReadonlySet<string> = new Set(HANDSHAKE_VERSIONS);

/** Serves the handshake revisions: a session begins with `initialize`, and belongs to the principal that opened it. */
export class SessionRoute {
  readonly #host: RouteHost;
  readonly #table: SessionTable;
  readonly #sessionless: SessionlessRoute | undefined;

  constructor(host: RouteHost) {
    const { options, layer } = host;
    this.#host = host;
    const { sessionIdleMs: idleMs, maxSessions: max, maxSessionsPerCaller: maxPerCaller } = options;
    const limits = { idleMs, max, maxPerCaller };
    this.#table = new SessionTable(limits, layer.clock);
    this.#sessionless = options.sessions ? undefined : new SessionlessRoute(host);
  }

  /** How many sessions live. */
  get size(): number {
    return this.#table.size;
  }

  post(passed: Passed, accepted: Accepted): Promise<unknown> | undefined {
    const { request, reply, message, kind, version } = passed;
    const opens = kind === 'request' && (message as JsonRpcRequest).method === initialize.name;
    if (kind === 'invalid') sendFailure(request, reply, 400, invalidRequest(message));
    else if (!opens && version !== undefined && !VERSIONS.has(version)) this.#refuseVersion(passed, version);
    else if (this.#sessionless !== undefined) return this.#sessionless.post(passed, accepted);
    else if (opens && passed.info.sessionId === undefined)
      return this.#open(passed, accepted, message as JsonRpcRequest);
    else return this.#continue(passed, accepted);
    return undefined;
  }

  /** Opens a stream for what belongs to no request, or goes on with one that was lost. */
  async get(caller: Caller): Promise<void> {
    const { request, reply } = caller;
    const { headers } = request;
    const isModern = MODERN_VERSIONS.includes(versionIn(headers) ?? '');
    if (isModern || !readAccept(headers['accept']).eventsNamed) {
      this.#host.notAllowed(request, reply);
      return;
    }
    const session = this.#find(caller, null);
    if (session === undefined) return;
    const last = headers['last-event-id'];
    if (last !== undefined) await this.#resume(caller, session, last);
    else this.#listen(caller, session);
  }

  /** Ends a session. */
  delete(caller: Caller): void {
    const session = this.#find(caller, null);
    if (session === undefined) return;
    this.#table.end(session);
    sendEmpty(caller.reply, 204);
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

  async #open(passed: Passed, accepted: Accepted, message: JsonRpcRequest): Promise<void> {
    const { request, reply, info, principal } = passed;
    const { server, options } = this.#host;
    if (!this.#table.hasRoom(principal.key)) {
      sendFault(request, reply, {
        status: 503,
        message: FULL,
        id: message.id,
        headers: { 'retry-after': 30 },
      });
      return;
    }
    const id = randomUUID();
    const storeKey = `${this.#host.layer.name}/${id}`;
    // Nobody in particular is everybody: then each session has a share of its own.
    const holder = principal.key === Principal.anonymous().key ? id : principal.key;
    const session = new HttpSession(id, principal.key, options.eventStore, storeKey, holder);
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
    // Others may have come while this one began.
    else if (this.#table.hasRoom(principal.key)) this.#table.add(session);
    else {
      session.end();
      exchange.answer(failure(message.id, ErrorCode.InvalidRequest, FULL), 503);
      return;
    }
    exchange.answer(response);
  }

  #continue(passed: Passed, accepted: Accepted): Promise<unknown> | undefined {
    const { request, reply, info, principal, message, kind } = passed;
    const session = this.#find(passed, idOf(message));
    if (session === undefined) return undefined;
    if (kind === 'notification' || kind === 'response') {
      void session.native.handle(message);
      sendEmpty(reply, 202);
      return undefined;
    }
    if (kind === 'request' && (message as JsonRpcRequest).method === initialize.name) {
      const fault = 'Invalid request: this session is initialized already. Leave Mcp-Session-Id out to open another.';
      sendFault(request, reply, { status: 400, message: fault, id: idOf(message) });
      return undefined;
    }
    // What the session's client said of itself counts for each of its requests.
    const known = info.with({ clientInfo: session.native.clientInfo });
    const exchange = new SessionExchange(known, principal, reply, accepted, this.#host, session, this.#host.options);
    return session.native.handle(message, exchange).then((outcome) => {
      const refusedBatch = kind === 'batch' && outcome !== undefined && !Array.isArray(outcome);
      const isOver = kind === 'request' && session.ended && outcome !== undefined && 'error' in outcome;
      exchange.answer(outcome, refusedBatch ? 400 : isOver ? 404 : 200);
    });
  }

  /** The caller's session. Another's looks like one that is not there. */
  #find({ request, reply, info, principal }: Caller, id: string | number | null): HttpSession | undefined {
    if (info.sessionId === undefined) {
      const message = 'Mcp-Session-Id is missing. Send initialize first, and then the id it is answered with.';
      sendFault(request, reply, { status: 400, message, id });
      return undefined;
    }
    const session = this.#table.use(info.sessionId, principal.key);
    if (session === undefined) {
      sendFault(request, reply, {
        status: 404,
        message: 'There is no such session, or it has ended. Send initialize again.',
        id,
      });
    }
    return session;
  }

  #listen({ request, reply }: Caller, session: HttpSession): void {
    const channel = session.openGet();
    if (channel === undefined) {
      sendFault(request, reply, { status: 409, message: 'This session has too many streams open. Close one.' });
      return;
    }
    channel.connect(this.#stream(reply), primeFor(session, this.#host.options));
    reply.onDisconnect(() => channel.lose());
  }

  async #resume({ request, reply }: Caller, session: HttpSession, last: string): Promise<void> {
    const at = readEventId(last);
    const channel = at && session.find(at.stream);
    const resumed = at !== undefined && (await channel?.resume(at.sequence, () => this.#stream(reply)));
    if (resumed === true) reply.onDisconnect(() => channel?.lose());
    else sendFault(request, reply, { status: 400, message: 'Last-Event-ID names no event that is still known.' });
  }

  #stream(reply: Caller['reply']): EventStream {
    return new EventStream(reply.open(200, STREAM_HEADERS), this.#host.heartbeat);
  }

  #refuseVersion({ request, reply, message }: Passed, version: string): void {
    const data = { supported: [...MODERN_VERSIONS, ...HANDSHAKE_VERSIONS], requested: version };
    sendFault(request, reply, { status: 400, message: `MCP-Protocol-Version is not served.`, id: idOf(message), data });
  }
}
