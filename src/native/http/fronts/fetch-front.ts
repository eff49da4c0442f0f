import type { AccessToken } from '../../../core/access-token.js';
import { callerOf } from '../../../core/identity.js';
import type { Principal } from '../../../core/principal.js';
import type { Layer } from '../../../layer/layer.js';
import { readWebBody } from './body.js';
import { type Body, type BodyCallback, type ByteStream, type HttpReply, type HttpRequest } from '../wire/carrier.js';
import { HttpEndpoint } from '../routes/endpoint.js';
import type { Headers } from '../wire/request-headers.js';
import type { HttpOptions } from '../options.js';

/** What the host knows of a request already. */
export interface FetchContext {
  /** The body as JSON, where the host read it. */
  readonly parsedBody?: unknown;
  readonly principal?: Principal;
  readonly accessToken?: AccessToken;
}

/** Answers web-standard requests: Hono, Next, Deno, Bun, workers. Never rejects. */
export interface FetchHandler {
  (request: Request, context?: FetchContext): Promise<Response>;
  /** Ends streams and sessions, after waiting at most `graceMs` for what runs. The layer stays open. */
  close(graceMs?: number): Promise<void>;
  /** How many sessions live. */
  readonly sessionCount: number;
}

/** Makes a web-standard handler. @throws {ConfigurationError} With everything that is wrong with the options. */
export function createFetchHandler(layer: Layer, options: HttpOptions = {}): FetchHandler {
  const endpoint = new HttpEndpoint(layer, options);
  const handler = (request: Request, context: FetchContext = {}): Promise<Response> => {
    const own = new FetchRequest(request, context);
    const reply = new FetchReply(request, endpoint.options.stallMs);
    if (endpoint.serves(own.path)) endpoint.handle(own, reply);
    else endpoint.notFound(own, reply);
    return reply.response;
  };
  return Object.defineProperty(
    Object.assign(handler, { close: (graceMs?: number) => endpoint.close(graceMs) }),
    'sessionCount',
    {
      get: () => endpoint.sessions.size,
    },
  ) as unknown as FetchHandler;
}

class FetchRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly principal: Principal | undefined;
  readonly accessToken: AccessToken | undefined;
  readonly #parsedBody: unknown;

  constructor(
    readonly raw: Request,
    { parsedBody, principal, accessToken }: FetchContext,
  ) {
    const { host, pathname, search } = new URL(raw.url);
    this.method = raw.method;
    this.path = pathname;
    this.query = search;
    // Where the runtime keeps `Host` to itself, it is in the URL.
    this.headers = { host, ...Object.fromEntries(raw.headers) };
    // Hosts pass things of their own here, such as a worker's environment: only what has the right form counts.
    const caller = callerOf({ principal, auth: accessToken });
    this.principal = caller.principal;
    this.accessToken = caller.accessToken;
    this.#parsedBody = parsedBody;
  }

  get fullPath(): string {
    return this.path;
  }

  readBody(maxBytes: number, done: BodyCallback): void {
    if (this.#parsedBody === undefined) readWebBody(this.raw, maxBytes, done);
    else done(this.#parsedBody);
  }
}

/** What is given to whoever still waits for the answer of a client that has gone. Nobody sees it but logs, which know this number. */
const CLIENT_GONE = 499;

class FetchReply implements HttpReply {
  readonly response: Promise<Response>;
  readonly #stallMs: number;
  #more: Readonly<Record<string, string>> | undefined;
  #resolve!: (response: Response) => void;
  #listeners: (() => void)[] = [];
  #stream: FetchStream | undefined;
  #complete = false;
  #left = false;

  constructor({ signal }: Request, stallMs: number) {
    this.#stallMs = stallMs;
    this.response = new Promise((resolve) => (this.#resolve = resolve));
    if (signal.aborted) this.#gone();
    else signal.addEventListener('abort', () => this.#gone(), { once: true });
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#more = { ...this.#more, ...headers };
  }

  send(status: number, headers: Readonly<Record<string, string | number>>, body?: Body): void {
    if (this.#left) return;
    this.#complete = true;
    if (this.#stream === undefined)
      this.#resolve(
        new Response(typeof body === 'object' ? Buffer.concat(body) : (body ?? null), {
          status,
          headers: this.#headers(headers),
        }),
      );
    else this.#stream.end();
  }

  open(status: number, headers: Readonly<Record<string, string | number>>): ByteStream {
    const stream = new FetchStream(
      () => (this.#complete = true),
      () => this.#gone(),
      this.#stallMs,
    );
    this.#stream = stream;
    if (this.#left) stream.lose();
    this.#resolve(new Response(stream.readable, { status, headers: this.#headers(headers) }));
    return stream;
  }

  onDisconnect(listener: () => void): void {
    if (this.#left) listener();
    else this.#listeners.push(listener);
  }

  #gone(): void {
    if (this.#complete) return;
    this.#complete = this.#left = true;
    this.#stream?.lose();
    this.#resolve(new Response(null, { status: CLIENT_GONE }));
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #headers(headers: Readonly<Record<string, string | number>>): [string, string][] {
    return Object.entries({ ...this.#more, ...headers })
      .filter(([name]) => name !== 'connection')
      .map(([name, value]) => [name, String(value)]);
  }
}

const ENCODER = new TextEncoder();

/**
 * What a stream ends with whose reader stands still. Runtimes print it, and some know this code for no fault of the
 * program, as they know a client that leaves; where they do not, one line says it all.
 */
function cutOff(): Error {
  const error = new Error('The client took nothing for too long: its stream was cut off.');
  error.stack = `Error: ${error.message}`;
  return Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

class FetchStream implements ByteStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #onEnd: () => void;
  readonly #onCancel: () => void;
  readonly #stallMs: number;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #closed = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void, onCancel: () => void, stallMs: number) {
    this.#onEnd = onEnd;
    this.#onCancel = onCancel;
    this.#stallMs = stallMs;
    const strategy = { highWaterMark: 0, size: (chunk?: Uint8Array) => chunk?.byteLength ?? 0 };
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => {
          this.#closed = true;
          clearTimeout(this.#stall);
          onCancel();
        },
      },
      strategy,
    );
  }

  get pending(): number {
    return Math.max(0, -(this.#controller.desiredSize ?? 0));
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(text: string): void {
    if (!this.#closed) this.#controller.enqueue(ENCODER.encode(text));
  }

  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onEnd();
    this.#controller.close();
    if (this.#stallMs > 0 && this.pending > 0) this.#watch(this.pending);
  }

  /** Lets go of what a reader does not take. */
  #watch(before: number): void {
    this.#stall = setTimeout(() => {
      const { pending } = this;
      if (pending === before) this.#controller.error(cutOff());
      else if (pending > 0) this.#watch(pending);
    }, this.#stallMs);
    this.#stall.unref();
  }

  /** Whoever is cut off has gone, as one that left has: what runs for it alone is cancelled. */
  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#controller.error(cutOff());
    this.#onCancel();
  }

  /** The client has gone: nothing can be written any more. No error, since runtimes print those, and leaving is none. */
  lose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#controller.close();
  }
}
