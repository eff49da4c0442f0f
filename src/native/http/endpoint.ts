import { ErrorCode } from '../../core/errors.js';
import { RequestInfo } from '../../core/principal.js';
import type { LayerCore } from '../../layer/layer-core.js';
import { describeThrown as describe } from '../../core/describe-thrown.js';
import { classify } from '../era.js';
import { parseFailure } from '../messages.js';
import { NativeMcpServer } from '../native-server.js';
import { type AuthRefusal, type HttpAuth, isRefusal } from './auth.js';
import { BodyError, type HttpReply, type HttpRequest } from './carrier.js';
import { Cors } from './cors.js';
import { Heartbeat } from './heartbeat.js';
import { LegacySse } from './legacy-sse.js';
import { isJsonBody, readAccept } from './media-types.js';
import { type HttpOptions, type ResolvedHttpOptions, resolveHttpOptions, withoutSlash } from './options.js';
import { sendEmpty, sendFailure, sendFault, sendJson } from './refusals.js';
import type { Admitted, RouteHost } from './route-host.js';
import { SessionRoute } from './session-route.js';
import { StatelessRoute } from './stateless-route.js';

const METHODS = 'GET, POST, DELETE';

/**
 * Serves MCP over HTTP, whichever front end the requests come through. The checks run in the order of the protocol's
 * ladder: host and origin, HTTP method, caller, body, and what the body says.
 */
export class HttpEndpoint implements RouteHost {
  readonly options: ResolvedHttpOptions;
  readonly server: NativeMcpServer;
  readonly layer: LayerCore;
  readonly heartbeat: Heartbeat;
  readonly sessions: SessionRoute;
  readonly #stateless: StatelessRoute;
  readonly #legacy: LegacySse | undefined;
  readonly #cors: Cors | undefined;
  #running = 0;
  #whenIdle: (() => void) | undefined;
  #closing = false;

  /** @throws {ConfigurationError} With everything that is wrong with the options. */
  constructor(layer: LayerCore, options: HttpOptions = {}, more: readonly string[] = []) {
    this.layer = layer;
    this.options = resolveHttpOptions(options, more);
    this.server = new NativeMcpServer(layer, options);
    this.heartbeat = new Heartbeat(this.options.keepAliveMs);
    this.sessions = new SessionRoute(this);
    this.#stateless = new StatelessRoute(this);
    this.#legacy = this.options.legacySse && new LegacySse(this, this.options.legacySse);
    this.#cors = this.options.cors && new Cors(this.options.cors, this.options.guard);
  }

  get responseMode(): ResolvedHttpOptions['responseMode'] {
    return this.options.responseMode;
  }

  /** Whether this path is one of the endpoint's. */
  serves(path: string): boolean {
    const { path: own, auth } = this.options;
    if (own === undefined) return true;
    const wanted = withoutSlash(path);
    return wanted === own || wanted === auth?.metadata?.path || this.#legacy?.serves(wanted) === true;
  }

  /** Answers one request. Never rejects. */
  async handle(request: HttpRequest, reply: HttpReply): Promise<void> {
    this.#running++;
    try {
      await this.#route(request, reply);
    } catch (error) {
      this.layer.logger.error('an HTTP request failed', describe(error));
      sendFault(request, reply, { status: 500, code: ErrorCode.InternalError, message: 'Internal error.' });
    } finally {
      if (--this.#running === 0) this.#whenIdle?.();
    }
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

  async #route(request: HttpRequest, reply: HttpReply): Promise<void> {
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
    else {
      const info = auth === undefined ? infoOf(request, request) : await this.#authenticate(request, reply, auth);
      if (info !== undefined) await this.#dispatch({ request, reply, info });
    }
  }

  /** What is known of the request and its caller; `undefined` when the caller was refused. */
  async #authenticate(request: HttpRequest, reply: HttpReply, auth: HttpAuth): Promise<RequestInfo | undefined> {
    const { method, path } = request;
    const outcome = await auth.authenticate({ info: infoOf(request, request), method, path });
    if (!isRefusal(outcome)) return infoOf(request, outcome);
    this.refuse(request, reply, outcome);
    return undefined;
  }

  async #dispatch(admitted: Admitted): Promise<void> {
    const { request, reply } = admitted;
    if (this.#legacy?.serves(withoutSlash(request.path)) === true) await this.#legacy.handle(admitted);
    else if (request.method === 'POST') await this.#post(admitted);
    else if (this.options.stateless) this.notAllowed(request, reply);
    else if (request.method === 'GET') await this.sessions.get(admitted);
    else this.sessions.delete(admitted);
  }

  async #post(admitted: Admitted): Promise<void> {
    const { request, reply } = admitted;
    const accepted = readAccept(request.headers['accept']);
    if (!accepted.json && !accepted.events) {
      sendFault(request, reply, {
        status: 406,
        message: 'Answers are application/json or text/event-stream. Accept one of them.',
      });
      return;
    }
    const body = await this.readBody(request, reply);
    if (body === undefined) return;
    const era = Array.isArray(body.value)
      ? 'handshake'
      : classify(body.value, request.headers['mcp-protocol-version']?.trim());
    if (era === 'stateless') await this.#stateless.post(admitted, accepted, body.value);
    else await this.sessions.post(admitted, accepted, body.value);
  }

  async readBody(request: HttpRequest, reply: HttpReply): Promise<{ readonly value: unknown } | undefined> {
    const { headers } = request;
    const encoding = headers['content-encoding'];
    if (!isJsonBody(headers['content-type'])) {
      sendFault(request, reply, { status: 415, message: 'A body must be application/json.' });
      return undefined;
    }
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      sendFault(request, reply, {
        status: 415,
        message: 'A body must not be compressed.',
        headers: { 'accept-encoding': 'identity' },
      });
      return undefined;
    }
    try {
      return { value: await request.readBody(this.options.maxBodyBytes) };
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      if (error.reason === 'too-large') {
        sendFault(request, reply, { status: 413, message: `A body may have ${this.options.maxBodyBytes} bytes.` });
      } else if (error.reason === 'not-json') sendFailure(request, reply, 400, parseFailure());
      else sendFault(request, reply, { status: 400, message: 'The body ended early.' });
      return undefined;
    }
  }

  refuse(request: HttpRequest, reply: HttpReply, refusal: AuthRefusal): void {
    const { status, message, challenge, cause } = refusal;
    if (cause !== undefined) this.layer.logger.warn('a token could not be verified', describe(cause));
    sendFault(request, reply, { status, message, headers: { 'www-authenticate': challenge } });
  }

  notAllowed(request: HttpRequest, reply: HttpReply): void {
    const allow = this.options.stateless ? 'POST' : METHODS;
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

type Identity = Pick<HttpRequest, 'principal' | 'accessToken'>;

function infoOf(request: HttpRequest, { principal, accessToken }: Partial<Identity>): RequestInfo {
  const { headers, raw } = request;
  return new RequestInfo({
    transport: 'http',
    headers,
    sessionId: headers['mcp-session-id'],
    principal,
    accessToken,
    raw,
  });
}
