import { BOUNDS } from '../../../core/bounds.js';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isCount, isDelay, isFilled, isFlag, isObject, type OptionCheck } from '../../../core/check-options.js';
import { ConfigurationError } from '../../../core/errors.js';
import { finding } from '../../../core/finding.js';
import type { Layer } from '../../../layer/layer.js';
import { isStrayErrors, ownStrayErrors, type StrayErrors } from '../../stray-errors.js';
import { onSignals } from '../../stdio/signals.js';
import { HttpEndpoint } from '../routes/endpoint.js';
import { LOOPBACK_HOSTS, OriginHostGuard } from '../access/guard.js';
import { drained, FAREWELL_MS, FLUSH_MS, goodbye, stopListening } from './closing-server.js';
import { nodeHandlerOf } from './node-front.js';
import { type HttpOptions, withoutSlash } from '../options.js';
import { readTarget } from '../wire/target.js';

/** How `layer.serve('http')` listens, besides what every HTTP handler takes. */
export interface ServeHttpOptions extends HttpOptions {
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string;
  /** Default: 3000. 0 takes any that is free. */
  readonly port?: number;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Where a load balancer asks whether the server is there; `false` for nowhere. Default: `/healthz`. */
  readonly healthPath?: string | false;
  /** How long a client may take to send headers. Default: 15,000. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send a whole request. Default: 60,000. */
  readonly requestTimeoutMs?: number;
  /** How long an unused connection stays open. Default: 65,000, longer than most load balancers wait. */
  readonly keepAliveTimeoutMs?: number;
  /** Default: 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Default: no limit. */
  readonly maxConnections?: number;
  /** How long running requests may go on once the server closes. Default: 10,000. */
  readonly graceMs?: number;
  /** Whether SIGTERM, SIGINT and SIGHUP close the server and end the process with 0; a second one ends it at once. Default: true. */
  readonly exit?: boolean;
  /**
   * What becomes of rejections that nobody waits for and exceptions that nobody catches, where the process is ours to
   * end: `handle` logs a rejection and goes on, and after an exception ends with 1 once what runs is finished; `node`
   * leaves both to Node. Default: `handle`.
   */
  readonly strayErrors?: StrayErrors;
}

/** A layer that is served over HTTP. */
export interface HttpServing {
  /** Where clients connect. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly server: Server;
  /** How many sessions live. */
  readonly sessionCount: number;
  /** Takes no more requests, ends streams, waits for what runs, and closes the layer. */
  close(): Promise<void>;
}

/** What the values of the options must be, by name. */
const SERVING_CHECKS: Readonly<Record<Exclude<keyof ServeHttpOptions, keyof HttpOptions>, OptionCheck>> = {
  host: isFilled,
  port: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 65_536
      ? undefined
      : `is ${String(value)}. Pass a whole number from 0 to 65535`,
  healthPath: (value) =>
    value === false || (typeof value === 'string' && value.startsWith('/'))
      ? undefined
      : 'must be a path. Begin it with a slash',
  headersTimeoutMs: isDelay,
  requestTimeoutMs: isDelay,
  keepAliveTimeoutMs: isDelay,
  maxHeaderBytes: isCount,
  maxConnections: isCount,
  graceMs: (value) => (value === 0 ? undefined : isDelay(value)),
  exit: isFlag,
  strayErrors: isStrayErrors,
};

/** Node takes no time for headers that is longer than the time for the whole request. */
function servingChecks({ requestTimeoutMs }: ServeHttpOptions): Readonly<Record<string, OptionCheck>> {
  const whole = requestTimeoutMs ?? BOUNDS.requestTimeoutMs.default;
  const isShorter: OptionCheck = (value) =>
    (value as number) > whole
      ? `is ${String(value)}, longer than requestTimeoutMs (${whole}). Headers are a part of the request`
      : undefined;
  return { ...SERVING_CHECKS, headersTimeoutMs: (value) => isDelay(value) ?? isShorter(value) };
}

/**
 * Listens, and serves a layer at one path.
 *
 * @throws {ConfigurationError} For options that cannot be used, and a port that is taken.
 */
export async function serveHttp(layer: Layer, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const { port = 3000, path = '/mcp', graceMs = 10_000 } = options;
  // What is no text is found below, with everything else that is wrong.
  const host = typeof options.host === 'string' ? options.host : '127.0.0.1';
  const guard = guardFor(options, host);
  const endpoint = new HttpEndpoint(layer, { ...options, path, guard }, servingChecks(options));
  warnOfExposure(layer, options, host);
  await layer.start();
  const server = makeServer(endpoint, options);
  try {
    await listen(server, host, port);
  } catch (error) {
    await endpoint.close();
    throw explain(error, host, port);
  }
  const { port: actual } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      const closed = stopListening(server);
      const farewell = graceMs === 0 ? undefined : goodbye(server, Math.min(graceMs, FAREWELL_MS));
      await endpoint.close(graceMs);
      await farewell;
      server.close();
      await drained(server, closed);
      await layer.close();
      unlisten();
    })());
  // Whoever closes the layer closes what serves it; what runs has been cancelled then.
  layer.onClose(() => void close());
  const unlisten = options.exit === false ? () => undefined : ownProcess(layer, options, close);
  return {
    url: `http://${urlHost(host)}:${actual}${withoutSlash(path)}`,
    host,
    port: actual,
    server,
    get sessionCount() {
      return endpoint.sessions.size;
    },
    close,
  };
}

/** How long services may take to stop after an exception that nobody caught. */
const CLOSE_MS = 5000;

function ownProcess(
  layer: Layer,
  { graceMs = 10_000, strayErrors }: ServeHttpOptions,
  close: () => Promise<void>,
): () => void {
  const unlisten = onSignals(() => void close().finally(() => process.exit(0)));
  if (strayErrors === 'node') return unlisten;
  const disown = ownStrayErrors({ layer, boundMs: graceMs + FLUSH_MS + CLOSE_MS, finish: close });
  return () => {
    unlisten();
    disown();
  };
}

function makeServer(endpoint: HttpEndpoint, options: ServeHttpOptions): Server {
  const { healthPath = '/healthz', maxConnections = BOUNDS.maxConnections.default } = options;
  const { requestTimeoutMs = BOUNDS.requestTimeoutMs.default } = options;
  const { headersTimeoutMs = Math.min(BOUNDS.headersTimeoutMs.default, requestTimeoutMs) } = options;
  const handler = nodeHandlerOf(endpoint);
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(5000, headersTimeoutMs, requestTimeoutMs),
    keepAliveTimeout: options.keepAliveTimeoutMs ?? BOUNDS.keepAliveTimeoutMs.default,
    maxHeaderSize: options.maxHeaderBytes ?? BOUNDS.maxHeaderBytes.default,
  });
  if (maxConnections !== Infinity) server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    if (endpoint.closing) response.shouldKeepAlive = false;
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    if (isAsked && healthPath !== false && withoutSlash(readTarget(request.url ?? '/').path) === healthPath) {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end('{"status":"ok"}');
    } else handler(request, response);
  });
  return server;
}

/** A server that listens on one address of the network answers to that address too. */
function guardFor({ guard }: ServeHttpOptions, host: string): ServeHttpOptions['guard'] {
  if (guard !== undefined && guard !== false && isObject(guard) !== undefined) return guard;
  if (guard === false || guard instanceof OriginHostGuard || guard?.allowedHosts !== undefined) return guard;
  return isWildcard(host) || isLoopback(host)
    ? guard
    : { ...guard, allowedHosts: [...LOOPBACK_HOSTS, bracketed(host)] };
}

function warnOfExposure(layer: Layer, { auth, guard }: ServeHttpOptions, host: string): void {
  if (isLoopback(host)) return;
  if (auth === undefined) {
    layer.logger.warn(
      `serve('http'): ${host} can be reached from other machines, and anybody may call. Pass auth, or listen on 127.0.0.1.`,
    );
  }
  if (guard !== false && !(guard instanceof OriginHostGuard) && guard?.allowedHosts === undefined) {
    layer.logger.warn(
      `serve('http'): without allowedHosts, only requests to ${isWildcard(host) ? 'this machine by its loopback names' : host} are answered, ` +
        'others with 421. Pass guard: { allowedHosts: [...] } with the names that clients use.',
    );
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function explain(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ConfigurationError(
        finding('CT609', `serve('http'): port ${port} of ${host} is taken. Use another, or 0 for any that is free.`),
      );
    case 'EACCES':
      return new ConfigurationError(
        finding('CT610', `serve('http'): port ${port} needs more rights. Use one above 1023.`),
      );
    case 'EADDRNOTAVAIL':
      return new ConfigurationError(
        finding(
          'CT611',
          `serve('http'): ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`,
        ),
      );
    default:
      return error;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function urlHost(host: string): string {
  return isWildcard(host) ? '127.0.0.1' : bracketed(host);
}
