import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessToken } from '../../../core/access-token.js';
import { callerOf, type CallerSlots } from '../../../core/identity.js';
import type { Principal } from '../../../core/principal.js';
import type { Layer } from '../../../layer/layer.js';
import { type NodeRequest, readNodeBody } from './body.js';
import { type Body, type BodyCallback, type ByteStream, type HttpReply, type HttpRequest } from '../wire/carrier.js';
import { HttpEndpoint } from '../routes/endpoint.js';
import { closesAfter, endAfterRequest } from './lingering.js';
import { cutWhenStalled } from './stalled-reader.js';
import type { Headers } from '../wire/request-headers.js';
import { readTarget } from '../wire/target.js';
import type { HttpOptions } from '../options.js';

/** What Fastify hands out in place of node's own request, as far as it is used here. */
export interface WrappedRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

/** The same for the response. */
export interface WrappedReply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  /** Tells Fastify that the answer is ours to send. */
  hijack(): unknown;
}

/**
 * Answers requests of `node:http`, Express, Connect and their like, and those of Fastify as a route gets them.
 *
 * The third argument is Express's `next`, called for a path that is not ours, or else a body that was parsed already. A
 * `principal`, `auth` or `user` property that a middleware set on the request says who the caller is.
 */
export interface NodeHandler {
  (request: NodeRequest | WrappedRequest, response: ServerResponse | WrappedReply, nextOrBody?: unknown): void;
  /** Ends streams and sessions, after waiting at most `graceMs` for what runs. The layer stays open. */
  close(graceMs?: number): Promise<void>;
  /** How many sessions live. */
  readonly sessionCount: number;
}

/** Makes a handler for `node:http`. @throws {ConfigurationError} With everything that is wrong with the options. */
export function createNodeHandler(layer: Layer, options: HttpOptions = {}): NodeHandler {
  return nodeHandlerOf(new HttpEndpoint(layer, options));
}

/** The handler of an endpoint. */
export function nodeHandlerOf(endpoint: HttpEndpoint): NodeHandler {
  const handler: Handle = (given, replied, nextOrBody) => {
    const request = 'raw' in given ? given.raw : given;
    const response = 'hijack' in replied ? takeOver(replied) : replied;
    const body = typeof nextOrBody === 'function' ? undefined : nextOrBody;
    const own = new NodeHttpRequest(request, body ?? (given === request ? undefined : given.body), given);
    if (endpoint.serves(own.path)) endpoint.handle(own, new NodeReply(response, endpoint));
    else if (typeof nextOrBody === 'function') (nextOrBody as () => void)();
    else endpoint.notFound(own, new NodeReply(response, endpoint));
  };
  return Object.defineProperty(
    Object.assign(handler, { close: (graceMs?: number) => endpoint.close(graceMs) }),
    'sessionCount',
    {
      get: () => endpoint.sessions.size,
    },
  ) as unknown as NodeHandler;
}

type Handle = (...args: Parameters<NodeHandler>) => void;

/** What hooks in front put on Fastify's reply, such as CORS headers, goes out with ours. */
function takeOver(reply: WrappedReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return reply.raw;
}

class NodeHttpRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly principal: Principal | undefined;
  readonly accessToken: AccessToken | undefined;
  readonly #body: unknown;

  constructor(
    readonly raw: NodeRequest,
    body: unknown,
    given: object,
  ) {
    const { path, query, host } = readTarget(raw.url ?? '/');
    this.method = raw.method ?? 'GET';
    this.path = path;
    this.query = query;
    // Only `set-cookie`, which no request has, is ever a list.
    this.headers = host === undefined ? (raw.headers as Headers) : { ...(raw.headers as Headers), host };
    const caller = callerOf(given === raw ? (raw as CallerSlots) : eitherOf(given, raw as CallerSlots));
    this.principal = caller.principal;
    this.accessToken = caller.accessToken;
    this.#body = body;
  }

  get fullPath(): string {
    const { originalUrl } = this.raw as { readonly originalUrl?: unknown };
    return typeof originalUrl === 'string' ? readTarget(originalUrl).path : this.path;
  }

  readBody(maxBytes: number, done: BodyCallback): void {
    readNodeBody(this.raw, this.#body, maxBytes, done);
  }
}

/** Hooks of the host put who calls on its own request, middleware on node's. */
function eitherOf(own: CallerSlots, outer: CallerSlots): CallerSlots {
  return {
    principal: own.principal ?? outer.principal,
    auth: own.auth ?? outer.auth,
    user: own.user ?? outer.user,
  };
}

type Headed = Readonly<Record<string, string | number>>;

class NodeReply implements HttpReply {
  readonly #response: ServerResponse;
  readonly #endpoint: HttpEndpoint;
  #opened = false;

  constructor(response: ServerResponse, endpoint: HttpEndpoint) {
    this.#response = response;
    this.#endpoint = endpoint;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    if (this.#response.headersSent) return;
    for (const [name, value] of Object.entries(headers)) this.#response.setHeader(name, value);
  }

  send(status: number, headers: Headed, body?: Body): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (response.headersSent) this.#late();
    else this.#begin(status, headers);
    const lingers = !response.req.complete && closesAfter(response, headers);
    if (typeof body !== 'object') {
      if (!lingers) response.end(body);
      else if (body === undefined) response.flushHeaders();
      else response.write(body);
    } else {
      response.cork();
      for (const part of body) response.write(part);
      if (lingers) response.uncork();
      else response.end();
    }
    if (lingers) endAfterRequest(response);
    cutWhenStalled(response, this.#endpoint.options.stallMs);
  }

  open(status: number, headers: Headed): ByteStream {
    const response = this.#response;
    this.#opened = true;
    response.on('error', () => undefined);
    if (response.headersSent) {
      this.#opened = false;
      this.#late();
      response.end();
    } else if (!response.destroyed) {
      this.#begin(status, headers);
      // Headers and what is written at once go out together; where nothing is, the headers do not wait.
      response.cork();
      process.nextTick(() => {
        response.flushHeaders();
        response.uncork();
      });
    }
    return new NodeStream(response, this.#endpoint.options.stallMs);
  }

  /** Whoever keeps the connection of a server that closes would send its next request into nothing. */
  #begin(status: number, headers: Headed): void {
    if (this.#endpoint.closing && this.#response.shouldKeepAlive) this.#response.shouldKeepAlive = false;
    this.#response.writeHead(status, headers);
  }

  onDisconnect(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) listener();
    else
      response.on('close', () => {
        if (!response.writableFinished) listener();
      });
  }

  /** Something in front of us wrote first: its answer stands, and the client must not wait for ours. */
  #late(): void {
    if (this.#opened) return;
    this.#endpoint.layer.logger.error(
      'an HTTP answer was begun before ours. Let nothing in front of the handler write.',
    );
  }
}

class NodeStream implements ByteStream {
  readonly #response: ServerResponse;
  readonly #stallMs: number;

  constructor(response: ServerResponse, stallMs: number) {
    this.#response = response;
    this.#stallMs = stallMs;
  }

  get pending(): number {
    return this.#response.writableLength;
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded || this.#response.closed;
  }

  write(text: string): void {
    if (!this.closed) this.#response.write(text);
  }

  end(): void {
    if (this.closed) return;
    this.#response.end();
    cutWhenStalled(this.#response, this.#stallMs);
  }

  destroy(): void {
    this.#response.destroy();
  }
}
