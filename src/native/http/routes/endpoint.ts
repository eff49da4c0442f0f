import type { OptionCheck } from '../../../core/check-options.js';
import { ErrorCode } from '../../../core/errors.js';
import { RequestInfo } from '../../../core/principal.js';
import type { Layer } from '../../../layer/layer.js';
import { describeThrown as describe } from '../../../core/describe-thrown.js';
import { classify } from '../../classify.js';
import { parseFailure } from '../../messages.js';
import { NativeMcpServer } from '../../native-server.js';
import { serverOptionsOf } from '../../options.js';
import { type Authenticated, type AuthRefusal, type HttpAuth, isRefusal } from '../access/auth.js';
import type { BodyError, HttpReply, HttpRequest } from '../wire/carrier.js';
import { Cors } from '../access/cors.js';
import { Heartbeat } from '../streams/heartbeat.js';
import { LegacySse } from './legacy-sse.js';
import { isJsonBody, readAccept } from '../wire/media-types.js';
import { type HttpOptions, type ResolvedHttpOptions, resolveHttpOptions, withoutSlash } from '../options.js';
import { sendEmpty, sendFailure, sendFault, sendJson } from '../wire/replies.js';
import type { Admitted, RouteHost } from './route-host.js';
import { SessionRoute } from './session-route.js';
import { ModernRoute } from './modern-route.js';

const METHODS = 'GET, POST, DELETE';

/** What is said where something in front read the body, and left it nowhere. */
const CONSUMED =
  'The body was read before it reached the MCP handler. Leave it at request.body, or pass it on: it is the third ' +
  'argument of a node handler, and parsedBody in the second one of a fetch handler.';

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
  #running = 0;
  #whenIdle: (() => void) | undefined;
  #closing = false;

  /** @throws {ConfigurationError} With everything that is wrong with the options. */
  constructor(layer: Layer, options: HttpOptions = {}, more: Readonly<Record<string, OptionCheck>> = {}) {
    this.layer = layer;
    this.options = resolveHttpOptions(options, more, layer.options.stores.events);
    this.server = new NativeMcpServer(layer, serverOptionsOf(options));
    this.heartbeat = new Heartbeat(this.options.keepAliveMs);
    this.sessions = new SessionRoute(this);
    this.#modern = new ModernRoute(this);
    this.#legacy = this.options.legacySse && new LegacySse(this, this.options.legacySse);
    this.#cors = this.options.cors && new Cors(this.options.cors, this.options.guard);
  }

  get responseMode(): ResolvedHttpOptions['responseMode'] {
    return this.options.responseMode;
  }

  /** Whether no more requests are taken. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Whether this path is one of the endpoint's. */
  serves(path: string): boolean {
    const { path: own, auth } = this.options;
    if (own === undefined) return true;
    const wanted = withoutSlash(path);
    return wanted === own || wanted === auth?.metadata?.path || this.#legacy?.serves(wanted) === true;
  }

  /** Answers one request. Never throws. */
  handle(request: HttpRequest, reply: HttpReply): void {
    try {
      this.#route(request, reply);
    } catch (error) {
      this.#fail(request, reply, error);
    }
  }

  began(): void {
    this.#running++;
  }

  ended(): void {
    if (--this.#running === 0) this.#whenIdle?.();
  }

  failed(error: unknown): void {
    this.layer.logger.error('an HTTP request failed', describe(error));
  }

  /** Takes no more requests, ends the streams, and waits for what runs, at most `graceMs`. */
  async close(graceMs = 0): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.server.endStreams();
    this.sessions.endStreams();
    this.#legacy?.endStreams();
    await this.#idle(graceMs);
    this.sessions.close();
    this.server.close();
    this.heartbeat.close();
  }

  #idle(graceMs: number): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #fail(request: HttpRequest, reply: HttpReply, error: unknown): void {
    this.failed(error);
    sendFault(request, reply, { status: 500, code: ErrorCode.InternalError, message: 'Internal error.' });
  }

  #route(request: HttpRequest, reply: HttpReply): void {
    const { headers, method } = request;
    const { guard, auth } = this.options;
    const origin = headers['origin'];
    if (this.#closing) {
      sendFault(request, reply, {
        status: 503,
        message: 'The server is closing.',
        headers: { 'retry-after': 1, connection: 'close' },
      });
      return;
    }
    const refusal = guard?.check(headers['host'] ?? headers[':authority'], origin);
    if (refusal !== undefined) {
      sendFault(request, reply, refusal);
      return;
    }
    if (this.#cors !== undefined) reply.addHeaders(this.#cors.headersFor(origin));
    if (auth?.metadata !== undefined && withoutSlash(request.path) === auth.metadata.path) {
      this.#metadata(request, reply, auth.metadata.document);
    } else if (method === 'OPTIONS' && this.#cors !== undefined) {
      sendEmpty(reply, 204, this.#cors.preflight(origin, headers['access-control-request-headers']));
    } else if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') this.notAllowed(request, reply);
    else if (auth === undefined) this.#dispatch({ request, reply, info: infoOf(request) });
    else this.#authenticate(request, reply, auth);
  }

  #authenticate(request: HttpRequest, reply: HttpReply, auth: HttpAuth): void {
    const { method, path } = request;
    const info = infoOf(request);
    const outcome = auth.authenticate({ info, method, path });
    const proceed = (known: Authenticated | AuthRefusal): void => {
      if (isRefusal(known)) this.refuse(request, reply, known);
      else {
        const { principal, accessToken } = known;
        this.#dispatch({ request, reply, info: info.with({ principal, accessToken }) });
      }
    };
    if (outcome instanceof Promise) outcome.then(proceed).catch((error: unknown) => this.#fail(request, reply, error));
    else proceed(outcome);
  }

  #dispatch(admitted: Admitted): void {
    const { request, reply } = admitted;
    if (this.#legacy?.serves(withoutSlash(request.path)) === true) this.#legacy.handle(admitted);
    else if (request.method === 'POST') this.#post(admitted);
    else if (!this.options.sessions) this.notAllowed(request, reply);
    else if (request.method === 'GET')
      this.sessions.get(admitted).catch((error: unknown) => this.#fail(request, reply, error));
    else this.sessions.delete(admitted);
  }

  #post(admitted: Admitted): void {
    const { request, reply } = admitted;
    const accepted = readAccept(request.headers['accept']);
    if (!accepted.json && !accepted.events) {
      sendFault(request, reply, {
        status: 406,
        message: 'Answers are application/json or text/event-stream. Accept one of them.',
      });
      return;
    }
    this.readBody(request, reply, (message) => {
      const version = request.headers['mcp-protocol-version']?.trim();
      const era = Array.isArray(message) ? 'handshake' : classify(message, version);
      if (era === 'modern') this.#modern.post(admitted, accepted, message);
      else this.sessions.post(admitted, accepted, message);
    });
  }

  readBody(request: HttpRequest, reply: HttpReply, next: (value: unknown) => void): void {
    const { headers } = request;
    const encoding = headers['content-encoding'];
    if (!isJsonBody(headers['content-type'])) {
      sendFault(request, reply, { status: 415, message: 'A body must be application/json, in UTF-8.' });
    } else if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      const plain = { 'accept-encoding': 'identity' };
      sendFault(request, reply, { status: 415, message: 'A body must not be compressed.', headers: plain });
    } else {
      request.readBody(this.options.maxBodyBytes, (value, error) => {
        try {
          if (error === undefined) next(value);
          else this.#refuseBody(request, reply, error);
        } catch (thrown) {
          this.#fail(request, reply, thrown);
        }
      });
    }
  }

  #refuseBody(request: HttpRequest, reply: HttpReply, { reason }: BodyError): void {
    if (reason === 'not-json') sendFailure(request, reply, 400, parseFailure());
    else if (reason === 'consumed') {
      this.layer.logger.error(`an HTTP request failed: ${CONSUMED}`);
      sendFault(request, reply, { status: 500, code: ErrorCode.InternalError, message: CONSUMED });
    } else if (reason === 'incomplete') sendFault(request, reply, { status: 400, message: 'The body ended early.' });
    else sendFault(request, reply, { status: 413, message: `A body may have ${this.options.maxBodyBytes} bytes.` });
  }

  refuse(request: HttpRequest, reply: HttpReply, refusal: AuthRefusal): void {
    const { status, message, challenge, cause } = refusal;
    if (cause !== undefined) this.layer.logger.warn('a token could not be verified', describe(cause));
    const headers: Readonly<Record<string, string | number>> =
      challenge === undefined ? { 'retry-after': 5 } : { 'www-authenticate': challenge };
    sendFault(request, reply, { status, message, headers });
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
