import { checkOptions, isNames, type OptionCheck } from '../../../core/check-options.js';
import type { OriginHostGuard } from './guard.js';

/** Which web pages may read answers. */
export interface CorsOptions {
  /** Origins, or `'*'`. Default: those that the guard lets pass. */
  readonly origins?: readonly string[] | '*';
  /** How long a browser may keep the answer to a preflight, in seconds. Default: 86,400. */
  readonly maxAgeSeconds?: number;
}

const CORS_CHECKS: Readonly<Record<keyof CorsOptions, OptionCheck>> = {
  origins: (value) => (value === '*' ? undefined : isNames(value)),
  maxAgeSeconds: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : `is ${String(value)}. Pass whole seconds`,
};

/** What pages may read of an answer beside its body. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Allow';
const METHODS = 'GET, POST, DELETE, OPTIONS';
const REQUEST_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
]);

/** Answers preflights, and lets pages of allowed origins read what they get. */
export class Cors {
  readonly #allows: (origin: string) => boolean;
  readonly #maxAge: string;

  /** @throws {ConfigurationError} For an option that does not exist, or that has no such value. */
  constructor(options: CorsOptions | true, guard: OriginHostGuard | undefined) {
    if (options !== true) checkOptions('cors', options, CORS_CHECKS);
    const { origins, maxAgeSeconds = 86_400 } = options === true ? {} : options;
    const listed = new Set(typeof origins === 'string' ? [] : origins?.map((origin) => origin.toLowerCase()));
    if (origins === '*' || listed.has('*')) this.#allows = () => true;
    else if (origins !== undefined) this.#allows = (origin) => listed.has(origin.toLowerCase());
    else this.#allows = (origin) => guard?.allowsOrigin(origin) ?? true;
    this.#maxAge = String(maxAgeSeconds);
  }

  /** Headers to add to any answer to this origin. */
  headersFor(origin: string | undefined): Record<string, string> {
    if (origin === undefined || !this.#allows(origin)) return { vary: 'Origin' };
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' };
  }

  /** Headers that answer a preflight. The names of `Mcp-Param-*` headers cannot be known, so what fits is echoed. */
  preflight(origin: string | undefined, requested: string | undefined): Record<string, string> {
    if (origin === undefined || !this.#allows(origin)) return { vary: 'Origin' };
    const asked = (requested ?? '').split(',').map((name) => name.trim().toLowerCase());
    const parameters = asked.filter((name) => /^mcp-param-[\w!#$%&'*+.^`|~-]+$/.test(name));
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': [...REQUEST_HEADERS, ...parameters].join(', '),
      'access-control-max-age': this.#maxAge,
      vary: 'Origin, Access-Control-Request-Headers',
    };
  }
}
