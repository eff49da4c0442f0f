import { randomUUID } from 'node:crypto';
import { RequestInfo } from '../../../core/principal.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../messages.js';
import { serialise } from '../../prepared.js';
import type { NativeSession } from '../../native-session.js';
import type { Admitted, RouteHost } from './route-host.js';
import { EventStream, STREAM_HEADERS } from '../streams/event-stream.js';
import type { LegacySseOptions } from '../options.js';
import { withoutSlash } from '../options.js';
import { sendFault } from '../wire/replies.js';

interface Connection {
  readonly native: NativeSession;
  readonly owner: string;
  readonly stream: EventStream;
}

/**
 * The transport of 2024-11-05: a client opens a stream, is told where to POST, and gets every answer on the stream. The
 * session ends with it. Deprecated since 2025-03-26.
 */
export class LegacySse {
  readonly #host: RouteHost;
  readonly #paths: Required<LegacySseOptions>;
  readonly #connections = new Map<string, Connection>();

  constructor(host: RouteHost, paths: Required<LegacySseOptions>) {
    this.#host = host;
    this.#paths = paths;
  }

  /** Whether a path, without a slash at its end, is one of the two. */
  serves(path: string): boolean {
    return path.endsWith(this.#paths.streamPath) || path.endsWith(this.#paths.messagePath);
  }

  handle(admitted: Admitted): void {
    const { request, reply } = admitted;
    const opens = withoutSlash(request.path).endsWith(this.#paths.streamPath);
    if (request.method !== (opens ? 'GET' : 'POST')) {
      const allow = opens ? 'GET' : 'POST';
      sendFault(request, reply, { status: 405, message: `${request.method} is not served here.`, headers: { allow } });
    } else if (opens) this.#open(admitted);
    else this.#take(admitted);
  }

  endStreams(): void {
    for (const { stream, native } of this.#connections.values()) {
      native.close();
      stream.end();
    }
    this.#connections.clear();
  }

  #open({ request, reply, info }: Admitted): void {
    const { server, options, heartbeat } = this.#host;
    if (this.#connections.size >= options.maxSessions) {
      sendFault(request, reply, {
        status: 503,
        message: 'Too many sessions. Try again later.',
        headers: { 'retry-after': 30 },
      });
      return;
    }
    const id = randomUUID();
    const principal = server.principalOf(sseInfo(info));
    const stream = new EventStream(reply.open(200, STREAM_HEADERS), heartbeat);
    const native = server.createSession({
      transport: 'sse',
      id,
      principal,
      info: new RequestInfo({ transport: 'sse', sessionId: id }),
      send: (message) => stream.named('message', serialise(message)),
    });
    this.#connections.set(id, { native, owner: principal.key, stream });
    const base = withoutSlash(request.fullPath).slice(0, -this.#paths.streamPath.length);
    stream.named('endpoint', `${base}${this.#paths.messagePath}?sessionId=${id}`);
    reply.onDisconnect(() => {
      this.#connections.delete(id);
      native.close();
      stream.end();
    });
  }

  #take({ request, reply, info }: Admitted): void {
    const id = new URLSearchParams(request.query).get('sessionId') ?? '';
    const connection = this.#connections.get(id);
    const known = sseInfo(info, id);
    const principal = this.#host.server.principalOf(known);
    if (connection?.owner !== principal.key) {
      sendFault(request, reply, { status: 404, message: 'There is no such session, or it has ended.' });
      return;
    }
    const { native, stream } = connection;
    const exchange = {
      info: known,
      principal,
      notify: (message: JsonRpcNotification | JsonRpcRequest): void => {
        if (!stream.sheds(message.method)) stream.named('message', serialise(message));
      },
    };
    this.#host.readBody(request, reply, (message) => {
      reply.send(202, { 'content-type': 'text/plain', 'content-length': 8 }, 'Accepted');
      void native.handle(message, exchange).then((answer) => {
        if (answer !== undefined) stream.named('message', serialise(answer));
      });
    });
  }
}

function sseInfo(info: RequestInfo, sessionId?: string): RequestInfo {
  return info.with({ transport: 'sse', sessionId });
}
