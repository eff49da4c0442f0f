import type { OptionCheck } from '../../../core/check-options.js';
import { RequestInfo } from '../../../core/principal.js';
import type { Layer } from '../../../layer/layer.js';
import { describeThrown as describe } from '../../../core/describe-thrown.js';
import { classify } from '../../classify.js';
import { NativeMcpServer } from '../../native-server.js';
import { serverOptionsOf } from '../../options.js';
import type { HttpReply, HttpRequest } from '../wire/carrier.js';
import { Cors } from '../access/cors.js';
import { Heartbeat } from '../streams/heartbeat.js';
import { type Caller, Gate } from './gate.js';
import { type LegacyPlace, LegacySse } from './legacy-sse.js';
import { readAccept } from '../wire/media-types.js';
import { type HttpOptions, type ResolvedHttpOptions, resolveHttpOptions, withoutSlash } from '../options.js';
import { sendEmpty, sendFault, sendJson } from '../wire/replies.js';
import type { RouteHost } from './route-host.js';
import { SessionRoute } from './session-route.js';
import { ModernRoute } from './modern-route.js';

const METHODS = 'GET, POST, DELETE';

/**
 * Serves MCP over HTTP, whichever front end the requests come through. The checks run in the order of the protocol's
 * ladder: host and origin, HTTP method, caller, body, and what the body says.
 */
export class HttpEndpoint implements RouteHost {
  readonly options: ResolvedHttpOptions;
  readonly server: NativeMcpServer;
  readonly layer: Layer;
  readonly heartbeat: Heartbeat;
  readonly sessions: SessionRoute;
  readonly #modern: ModernRoute;
  readonly #legacy: LegacySse | undefined;
  readonly #cors: Cors | undefined;
  readonly #gate: Gate;
  readonly #unlink: () => void;

  /** @throws {ConfigurationError} With everything that is wrong with the options. */
  constructor(layer: Layer, options: HttpOptions = {}, more: Readonly<Record<string, OptionCheck>> = {}) {
    this.layer = layer;
    this.options = resolveHttpOptions(options, more, layer.options.stores.events);
    this.server = new NativeMcpServer(layer, serverOptionsOf(options));
    this.#gate = new Gate(this);
    this.heartbeat = new Heartbeat(this.options.keepAliveMs);
    this.sessions = new SessionRoute(this);
    this.#modern = new ModernRoute(this);
    this.#legacy = this.options.legacySse && new LegacySse(this, this.options.legacySse);
    this.#cors = this.options.cors && new Cors(this.options.cors, this.options.guard);
    this.#unlink = layer.onClose(() => void this.close());
  }

  get responseMode(): ResolvedHttpOptions['responseMode'] {
    return this.options.responseMode;
  }

  /** Whether no more requests are taken. */
  get closing(): boolean {
    return this.#gate.closing;
  }

  /** Whether this path is one of the endpoint's. */
  serves(path: string): boolean {
    const { path: own, auth } = this.options;
    if (own === undefined) return true;
    const wanted = withoutSlash(path);
    return wanted === own || wanted === auth?.metadata?.path || this.#legacy?.placeOf(wanted) !== undefined;
  }

  /** Answers one request. Never throws. */
  handle(request: HttpRequest, reply: HttpReply): void {
    try {
      this.#route(request, reply);
    } catch (error) {
      this.#gate.failed(request, reply, error);
    }
  }

  failed(error: unknown): void {
    this.layer.logger.error('an HTTP request failed', describe(error));
  }

  /** Takes no more requests, ends the streams, and waits for what runs, at most `graceMs`. */
  async close(graceMs = 0): Promise<void> {
    if (this.closing) return;
    this.#unlink();
    this.#gate.close();
    this.server.endStreams();
    this.sessions.endStreams();
    this.#legacy?.endStreams();
    await this.#gate.idle(graceMs);
    this.sessions.close();
    this.#legacy?.close();
    this.server.close();
    this.heartbeat.close();
  }

  #route(request: HttpRequest, reply: HttpReply): void {
    const { headers, method } = request;
    const { guard, auth } = this.options;
    const origin = headers['origin'];
    // What is refused is for the page that asked to read, too.
    this.#allowReading(request, reply);
    if (this.#gate.refusesAll(request, reply)) return;
    const refusal = guard?.check(headers['host'] ?? headers[':authority'], origin);
    if (refusal !== undefined) {
      sendFault(request, reply, refusal);
      return;
    }
    if (auth?.metadata !== undefined && withoutSlash(request.path) === auth.metadata.path) {
      this.#metadata(request, reply, auth.metadata.document);
    } else if (this.#isPreflight(request, reply)) return;
    else if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') this.notAllowed(request, reply);
    else this.#enter(request, reply);
  }

  /** Answers for a path that nothing is served at. */
  notFound(request: HttpRequest, reply: HttpReply): void {
    this.#allowReading(request, reply);
    if (!this.#isPreflight(request, reply))
      sendFault(request, reply, { status: 404, message: 'Nothing is served at this path.' });
  }

  #allowReading({ headers }: HttpRequest, reply: HttpReply): void {
    if (this.#cors !== undefined) reply.addHeaders(this.#cors.headersFor(headers['origin']));
  }

  /** Answers what browsers ask before a page may call. */
  #isPreflight({ method, headers }: HttpRequest, reply: HttpReply): boolean {
    if (method !== 'OPTIONS' || this.#cors === undefined) return false;
    sendEmpty(reply, 204, this.#cors.preflight(headers['origin'], headers['access-control-request-headers']));
    return true;
  }

  #enter(request: HttpRequest, reply: HttpReply): void {
    const place = this.#legacy?.placeOf(request.path);
    const info = infoOf(request);
    const own = place === undefined ? info : this.#legacy?.infoOf(place, request, info);
    this.#gate.enter(request, reply, own ?? info, (caller) => this.#dispatch(caller, place));
  }

  #dispatch(caller: Caller, place: LegacyPlace | undefined): void {
    const { request, reply } = caller;
    if (place !== undefined && this.#legacy !== undefined) this.#old(this.#legacy, place, caller);
    else if (request.method === 'POST') this.#post(caller);
    else if (!this.options.sessions) this.notAllowed(request, reply);
    else if (request.method === 'GET')
      this.sessions.get(caller).catch((error: unknown) => this.#gate.failed(request, reply, error));
    else this.sessions.delete(caller);
  }

  #old(legacy: LegacySse, place: LegacyPlace, caller: Caller): void {
    const { request, reply } = caller;
    if (request.method !== (place === 'stream' ? 'GET' : 'POST')) legacy.refuseMethod(place, request, reply);
    else if (place === 'stream') legacy.open(caller);
    else this.#gate.pass(caller, (passed) => legacy.take(passed));
  }

  #post(caller: Caller): void {
    const { request, reply } = caller;
    const accepted = readAccept(request.headers['accept']);
    if (!accepted.json && !accepted.events) {
      sendFault(request, reply, {
        status: 406,
        message: 'Answers are application/json or text/event-stream. Accept one of them.',
      });
      return;
    }
    this.#gate.pass(caller, (passed) =>
      classify(passed.message, passed.version) === 'modern'
        ? this.#modern.post(passed, accepted)
        : this.sessions.post(passed, accepted),
    );
  }

  notAllowed(request: HttpRequest, reply: HttpReply): void {
    const allow = this.options.sessions ? METHODS : 'POST';
    sendFault(request, reply, { status: 405, message: `${request.method} is not served here.`, headers: { allow } });
  }

  #metadata(request: HttpRequest, reply: HttpReply, document: unknown): void {
    if (request.method === 'GET') {
      sendJson(reply, 200, JSON.stringify(document), {
        'access-control-allow-origin': '*',
        'cache-control': 'max-age=3600',
      });
    } else if (request.method === 'OPTIONS') {
      sendEmpty(reply, 204, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' });
    } else
      sendFault(request, reply, { status: 405, message: 'This document can only be read.', headers: { allow: 'GET' } });
  }
}

function infoOf({ headers, raw, principal, accessToken }: HttpRequest): RequestInfo {
  return new RequestInfo({
    transport: 'http',
    headers,
    sessionId: headers['mcp-session-id'],
    principal,
    accessToken,
    raw,
  });
}
