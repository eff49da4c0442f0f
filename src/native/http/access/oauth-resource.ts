import { type AccessToken, scopesOf } from '../../../core/access-token.js';
import { checkOptions, isFlag, isFunction, isNames, isText, type OptionCheck } from '../../../core/check-options.js';
import { finding } from '../../../core/finding.js';
import { principalOfToken, type RequestInfo } from '../../../core/principal.js';
import {
  type Authenticated,
  type AuthRefusal,
  type AuthRequest,
  bearerChallenge,
  type HttpAuth,
  type ResourceMetadata,
} from './auth.js';

/**
 * Checks a token's signature, or asks its issuer, and gives its claims; `undefined` for a token that is not good. `aud`,
 * `iss`, `exp` and `nbf` (or `resource` and `expiresAt`) and `active` are checked afterwards. What it throws refuses the
 * token, except for a failure of the network or of the issuer, which is answered with 503: the token may be good.
 */
export type TokenVerifier = (
  token: string,
  request: AuthRequest,
) => AccessToken | undefined | Promise<AccessToken | undefined>;

/** How an OAuth 2.1 resource server checks tokens, and tells clients where to get them. */
export interface OAuthResourceOptions {
  /** The URL that clients know this server by, for example `https://host/mcp`. */
  readonly resource: string;
  /** The URLs of issuers whose tokens are good here. With more than one, a token has to say whose it is. */
  readonly authorizationServers: readonly string[];
  readonly verifyToken: TokenVerifier;
  /** Scopes without which nothing is served. */
  readonly requiredScopes?: readonly string[];
  /** Scopes that one message needs beside them. */
  readonly scopesFor?: (method: string, name: string | undefined) => readonly string[] | undefined;
  /** What the metadata document offers. Default: `requiredScopes`. */
  readonly scopesSupported?: readonly string[];
  readonly resourceName?: string;
  readonly resourceDocumentation?: string;
  /** `false` for verifiers that check whom a token is for themselves. Default: true. */
  readonly checkAudience?: boolean;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const INVALID = 'The access token is not valid here.';

/**
 * Lets in callers with an OAuth access token that was issued for this server. Source: MCP, "Authorization"; RFC 9728,
 * RFC 8707, RFC 6750.
 */
export class OAuthResource implements HttpAuth {
  readonly metadata: ResourceMetadata;
  readonly #options: OAuthResourceOptions;
  readonly #resource: string;
  readonly #metadataUrl: string;

  /** @throws {ConfigurationError} With everything that is wrong with the options. */
  constructor(options: OAuthResourceOptions) {
    checkOptions('OAuthResource', options, CHECKS, missing(options));
    const url = new URL(options.resource);
    const path = `${WELL_KNOWN}${url.pathname === '/' ? '' : url.pathname}`;
    this.#options = options;
    this.#resource = canonical(options.resource) ?? '';
    this.#metadataUrl = `${url.origin}${path}`;
    this.metadata = Object.freeze({ path, document: metadataDocument(options) });
  }

  async authenticate(request: AuthRequest): Promise<Authenticated | AuthRefusal> {
    const token = request.info.bearerToken;
    if (token === undefined)
      return this.#refuse(401, 'An access token is needed.', undefined, this.#options.requiredScopes);
    let accessToken: AccessToken | undefined;
    try {
      accessToken = await this.#verify(token, request);
    } catch (cause) {
      if (isOutage(cause)) return { status: 503, message: 'The access token could not be checked. Try again.', cause };
      // Most verifiers throw for a token that is not good.
      return { ...this.#refuse(401, INVALID, 'invalid_token'), cause };
    }
    if (accessToken === undefined) return this.#refuse(401, INVALID, 'invalid_token');
    const required = this.#options.requiredScopes ?? [];
    if (lacks(accessToken, required)) return this.#tooWeak(required);
    // Two issuers may call two people by one name.
    return this.#hasSeveralIssuers ? { accessToken, principal: principalOfToken(accessToken, true) } : { accessToken };
  }

  get #hasSeveralIssuers(): boolean {
    return this.#options.authorizationServers.length > 1;
  }

  authorize(info: RequestInfo, method: string, name: string | undefined): AuthRefusal | undefined {
    const needed: unknown = this.#options.scopesFor?.(method, name) ?? [];
    if (!isScopes(needed))
      throw new TypeError('scopesFor must return a list of scopes, and not later. Return an array');
    if (needed.length === 0 || !lacks(info.accessToken, needed)) return undefined;
    return this.#tooWeak([...new Set([...(this.#options.requiredScopes ?? []), ...needed])]);
  }

  async #verify(token: string, request: AuthRequest): Promise<AccessToken | undefined> {
    const claims: unknown = await this.#options.verifyToken(token, request);
    if (typeof claims !== 'object' || claims === null) return undefined;
    const known = claims as AccessToken;
    const { active = true } = known;
    if (active !== true || scopesOf(known) === undefined || !this.#isInTime(known) || !this.#isFromKnown(known['iss']))
      return undefined;
    return this.#options.checkAudience === false || this.#isForUs(known) ? known : undefined;
  }

  #isInTime(claims: AccessToken): boolean {
    const now = (this.#options.now ?? Date.now)() / 1000;
    const expiresAt = claims['exp'] ?? claims['expiresAt'] ?? Infinity;
    const notBefore = claims['nbf'] ?? 0;
    return typeof expiresAt === 'number' && expiresAt > now && typeof notBefore === 'number' && notBefore <= now;
  }

  #isFromKnown(issuer: unknown): boolean {
    if (issuer === undefined) return !this.#hasSeveralIssuers;
    return this.#options.authorizationServers.some((known) => sameUrl(known, issuer));
  }

  /** The whole URL counts: a prefix of it may be another server of the same host. */
  #isForUs(claims: AccessToken): boolean {
    const audience = claims['aud'] ?? claims['resource'];
    const list: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
    return list.some((item) => canonical(item) === this.#resource);
  }

  #tooWeak(scopes: readonly string[]): AuthRefusal {
    return this.#refuse(
      403,
      `The access token lacks a scope. Needed: ${scopes.join(' ')}.`,
      'insufficient_scope',
      scopes,
    );
  }

  #refuse(status: 401 | 403, message: string, error?: string, scopes?: readonly string[]): AuthRefusal {
    const scope = scopes === undefined || scopes.length === 0 ? undefined : scopes.join(' ');
    return { status, message, challenge: bearerChallenge({ error, scope, resource_metadata: this.#metadataUrl }) };
  }
}

/** A URL of http, without a fragment. */
const isUrl: OptionCheck = (value) => {
  if (typeof value !== 'string') return isText(value);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isGood = url !== undefined && /^https?:$/.test(url.protocol) && url.hash === '';
  return isGood ? undefined : `'${value}' is not a URL. Pass one such as https://host/mcp`;
};

const isScopes = (value: unknown): value is readonly string[] => isNames(value) === undefined;

const CHECKS: Readonly<Record<keyof OAuthResourceOptions, OptionCheck>> = {
  resource: isUrl,
  authorizationServers: (value) =>
    isNames(value) ?? (value as readonly string[]).map(isUrl).find((problem) => problem !== undefined),
  verifyToken: isFunction,
  requiredScopes: isNames,
  scopesFor: isFunction,
  scopesSupported: isNames,
  resourceName: isText,
  resourceDocumentation: isText,
  checkAudience: isFlag,
  now: isFunction,
};

/** What nothing works without. */
function missing(options: Partial<OAuthResourceOptions> = {}): readonly string[] {
  const { authorizationServers, resource, verifyToken } = options;
  return [
    ...(resource === undefined
      ? [finding('CT603', 'OAuthResource: no resource. Pass the URL of this server, such as https://host/mcp.')]
      : []),
    ...(authorizationServers === undefined || (authorizationServers as readonly string[] | null)?.length === 0
      ? [finding('CT604', 'OAuthResource: no authorization server. Pass the issuer of the tokens.')]
      : []),
    ...(verifyToken === undefined
      ? [finding('CT603', 'OAuthResource: no verifyToken. Pass a function that gives the claims of a good token.')]
      : []),
  ];
}

/** Codes of Node, undici and jose for an issuer that cannot be asked. */
const OUTAGE = /^(?!ERR_)E[A-Z_]+$|^UND_ERR_|^ERR_JWKS_TIMEOUT$|^ERR_JOSE_GENERIC$/;

/** Whether a verifier failed because of the network or the issuer, and not because of the token. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, code, name, status } = error as Error & { readonly code?: unknown; readonly status?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError' || error.message === 'fetch failed') return true;
  if (typeof status === 'number' && status >= 500) return true;
  return (typeof code === 'string' && OUTAGE.test(code)) || (cause !== error && isOutage(cause));
}

function metadataDocument(options: OAuthResourceOptions): Readonly<Record<string, unknown>> {
  const scopes = options.scopesSupported ?? options.requiredScopes ?? [];
  return Object.freeze({
    resource: options.resource,
    authorization_servers: options.authorizationServers,
    ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
    bearer_methods_supported: ['header'],
    ...(options.resourceName === undefined ? {} : { resource_name: options.resourceName }),
    ...(options.resourceDocumentation === undefined ? {} : { resource_documentation: options.resourceDocumentation }),
  });
}

function lacks(token: AccessToken | undefined, scopes: readonly string[]): boolean {
  const held = new Set(token === undefined ? [] : scopesOf(token));
  return scopes.some((scope) => !held.has(scope));
}

/** Scheme and host in lower case, the default port and one slash at the end left out. */
function canonical(value: unknown): string | undefined {
  const text = value instanceof URL ? value.href : value;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hash === '' ? `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}${url.search}` : undefined;
}

function sameUrl(known: string, issuer: unknown): boolean {
  return known === issuer || canonical(known) === canonical(issuer);
}
