import { ConfigurationError } from '../../../core/errors.js';
import { finding } from '../../../core/finding.js';
import type { AccessToken, RequestInfo } from '../../../core/principal.js';
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
 * `iss` and `exp` (or `resource` and `expiresAt`) are checked afterwards.
 */
export type TokenVerifier = (
  token: string,
  request: AuthRequest,
) => AccessToken | undefined | Promise<AccessToken | undefined>;

/** How an OAuth 2.1 resource server checks tokens, and tells clients where to get them. */
export interface OAuthResourceOptions {
  /** The URL that clients know this server by, for example `https://host/mcp`. */
  readonly resource: string;
  /** Issuers whose tokens are good here. */
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

  /** @throws {ConfigurationError} When the resource is not an absolute URL, or there is no issuer. */
  constructor(options: OAuthResourceOptions) {
    const url = checkOptions(options);
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
      // Most verifiers throw for a token that is not good.
      return { ...this.#refuse(401, INVALID, 'invalid_token'), cause };
    }
    if (accessToken === undefined) return this.#refuse(401, INVALID, 'invalid_token');
    const required = this.#options.requiredScopes ?? [];
    return lacks(accessToken, required) ? this.#tooWeak(required) : { accessToken };
  }

  authorize(info: RequestInfo, method: string, name: string | undefined): AuthRefusal | undefined {
    const needed = this.#options.scopesFor?.(method, name) ?? [];
    if (needed.length === 0 || !lacks(info.accessToken, needed)) return undefined;
    return this.#tooWeak([...new Set([...(this.#options.requiredScopes ?? []), ...needed])]);
  }

  async #verify(token: string, request: AuthRequest): Promise<AccessToken | undefined> {
    const claims = await this.#options.verifyToken(token, request);
    if (claims === undefined || this.#isExpired(claims)) return undefined;
    const issuer = claims['iss'];
    if (issuer !== undefined && !this.#options.authorizationServers.some((known) => sameUrl(known, issuer)))
      return undefined;
    if (this.#options.checkAudience === false || this.#isForUs(claims)) return claims;
    return undefined;
  }

  #isExpired(claims: AccessToken): boolean {
    const expiresAt = claims['exp'] ?? claims['expiresAt'];
    if (expiresAt === undefined) return false;
    return typeof expiresAt !== 'number' || expiresAt * 1000 <= (this.#options.now ?? Date.now)();
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

function checkOptions({ resource, authorizationServers }: OAuthResourceOptions): URL {
  const findings: string[] = [];
  const url = URL.canParse(resource) ? new URL(resource) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    findings.push(
      finding(
        'CT603',
        `OAuthResource: resource '${resource}' is not the URL of a server. Pass one such as https://host/mcp.`,
      ),
    );
  }
  if (authorizationServers.length === 0) {
    findings.push(finding('CT604', 'OAuthResource: no authorization server. Pass the issuer of the tokens.'));
  }
  if (findings.length > 0 || url === undefined) throw new ConfigurationError(findings);
  return url;
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
  const held = new Set(token?.scopes);
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
