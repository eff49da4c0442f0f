import { randomUUID } from 'node:crypto';
import { RequestInfo } from '../../../core/principal.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../messages.js';
import { serialise } from '../../prepared.js';
import type { NativeSession } from '../../native-session.js';
import { Shares } from '../../shares.js';
import type { Caller, Passed } from './gate.js';
import type { RouteHost } from './route-host.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import type { LegacySseOptions } from '../options.js';
import { withoutSlash } from '../options.js';
import type { HttpReply, HttpRequest } from '../wire/carrier.js';
import { sendFault } from '../wire/replies.js';

interface Connection {
  readonly id: string;
  readonly native: NativeSession;
  readonly owner: string;
  readonly stream: EventStream;
  /** How many POSTs wait for their answer, which comes on the stream. */
  running: number;
}

/** Which of the two endpoints a path is. */
export type LegacyPlace = 'stream' | 'messages';

/**
 * The transport of 2024-11-05: a client opens a stream, is told where to POST, and gets every answer on the stream. The
 * session ends with it. Deprecated since 2025-03-26.
 */
export class LegacySse {
  readonly #host: RouteHost;
  readonly #paths: Required<LegacySseOptions>;
  readonly #connections = new Map<string, Connection>();
  readonly #shares: Shares<Connection>;
  #closing = false;

  constructor(host: RouteHost, paths: Required<LegacySseOptions>) {
    this.#host = host;
    this.#paths = paths;
    const { maxSessions: max, maxSessionsPerCaller: maxPerCaller } = host.options;
    // Each has a client at its other end: none is idle.
    this.#shares = new Shares({ max, maxPerCaller }, { idle: () => false, usedAt: () => 0 });
  }

  /** Which of the endpoints a path is, if it is one. */
  placeOf(path: string): LegacyPlace | undefined {
    const wanted = withoutSlash(path);
    if (wanted === this.#paths.streamPath) return 'stream';
    return wanted === this.#paths.messagePath ? 'messages' : undefined;
  }

  /** What is known of a request to one of the endpoints. */
  infoOf(place: LegacyPlace, request: HttpRequest, info: RequestInfo): RequestInfo {
    const sessionId = place === 'stream' ? undefined : (new URLSearchParams(request.query).get('sessionId') ?? '');
    return info.with({ transport: 'sse', sessionId });
  }

  /** Answers a method that an endpoint does not have. */
  refuseMethod(place: LegacyPlace, request: HttpRequest, reply: HttpReply): void {
    const allow = place === 'stream' ? 'GET' : 'POST';
    sendFault(request, reply, { status: 405, message: `${request.method} is not served here.`, headers: { allow } });
  }

  /** Ends the streams that wait for something to happen; the others when what runs was answered on them. */
  endStreams(): void {
    this.#closing = true;
    for (const connection of this.#connections.values()) if (connection.running === 0) this.#end(connection);
  }

  /** Ends every stream. */
  close(): void {
    for (const connection of this.#connections.values()) this.#end(connection);
  }

  /** Opens a stream, which names the place to POST to. */
  open({ request, reply, principal }: Caller): void {
    const { server, heartbeat } = this.#host;
    const room = this.#shares.roomFor(principal.key);
    if (room === false) {
      sendFault(request, reply, {
        status: 503,
        message: 'Too many sessions. Try again later.',
        headers: { 'retry-after': 30 },
      });
      return;
    }
    if (room !== true) this.#end(room);
    const id = randomUUID();
    const stream = new EventStream(reply.open(200, STREAM_HEADERS), heartbeat);
    const native = server.createSession({
      transport: 'sse',
      id,
      principal,
      info: new RequestInfo({ transport: 'sse', sessionId: id }),
      send: (message) => stream.named('message', serialise(message)),
    });
    const connection = { id, native, owner: principal.key, stream, running: 0 };
    this.#connections.set(id, connection);
    this.#shares.add(connection);
    stream.named('endpoint', `${this.#base(request)}${this.#paths.messagePath}?sessionId=${id}`);
    reply.onDisconnect(() => this.#end(connection));
  }

  /** Takes a message, and answers it on the stream. */
  take({ request, reply, info, principal, message }: Passed): Promise<unknown> | undefined {
    const connection = this.#connections.get(info.sessionId ?? '');
    if (connection?.owner !== principal.key) {
      sendFault(request, reply, { status: 404, message: 'There is no such session, or it has ended.' });
      return undefined;
    }
    const { native, stream } = connection;
    const exchange = {
      info,
      principal,
      notify: (sent: JsonRpcNotification | JsonRpcRequest): void => {
        if (!stream.sheds(sent.method)) stream.named('message', serialise(sent));
      },
    };
    reply.send(202, { 'content-type': 'text/plain', 'content-length': 8 }, 'Accepted');
    connection.running++;
    return native.handle(message, exchange).then((answer) => {
      connection.running--;
      if (answer !== undefined) stream.named('message', serialise(answer));
      if (this.#closing && connection.running === 0) this.#end(connection);
    });
  }

  #end(connection: Connection): void {
    this.#connections.delete(connection.id);
    this.#shares.delete(connection);
    connection.native.close();
    connection.stream.end();
  }

  /** What stands before our paths where a host serves them under one of its own. Two slashes would name another host. */
  #base({ fullPath }: HttpRequest): string {
    return withoutSlash(fullPath)
      .slice(0, -this.#paths.streamPath.length)
      .replace(/^[/\\]+/, '/');
  }
}
