import type { Logger } from '../core/ports.js';
import {
  type AccessToken,
  defaultPrincipal,
  Principal,
  type PrincipalResolver,
  type RequestInfo,
  type TransportKind,
} from '../core/principal.js';

/** Where an SDK's `AuthInfo` carries a principal. A symbol, since nothing that was parsed from text can have one as a key. */
const PRINCIPAL = Symbol.for('cartouche.principal');

/** What the SDKs call `AuthInfo`: what an authentication layer puts at `request.auth`. */
export interface HostAuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
}

/**
 * Carries a principal through an SDK's HTTP transport: put what it returns at `request.auth`, or pass it as `authInfo`,
 * and every layer behind finds the principal where no resolver says otherwise.
 *
 * @param token The bearer token, where handlers of the host want it. Default: empty.
 */
export function toAuthInfo(principal: Principal, token = ''): HostAuthInfo {
  return Object.assign({ token, clientId: principal.id, scopes: [...principal.roles] }, { [PRINCIPAL]: principal });
}

/** The principal that {@link toAuthInfo} put there. */
export function principalOf(authInfo: unknown): Principal | undefined {
  if (typeof authInfo !== 'object' || authInfo === null) return undefined;
  return (authInfo as { [PRINCIPAL]?: Principal })[PRINCIPAL];
}

/**
 * A principal of whom a host's own authentication found, where that says who it is: its `sub`, `id`, `userId` or
 * `username`, with its `roles`, and its `scopes` or `scope`. Anything else is for a resolver.
 */
export function principalOfUser(user: unknown): Principal | undefined {
  const carried = principalOf(user);
  if (carried !== undefined) return carried;
  if (typeof user !== 'object' || user === null) return undefined;
  const claims = user as Record<string, unknown>;
  const id = [claims['sub'], claims['id'], claims['userId'], claims['username']].find(isId);
  if (id === undefined) return undefined;
  const { roles, scope, scopes } = claims;
  return new Principal({
    id: String(id),
    roles: [
      'default',
      ...texts(roles),
      ...texts(scopes),
      ...texts(typeof scope === 'string' ? scope.split(' ') : scope),
    ],
    attributes: { auth: 'host' },
  });
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}

/** The access token that a host validated, as resolvers see it. */
export function accessTokenOf(authInfo: unknown): AccessToken | undefined {
  return typeof authInfo === 'object' && authInfo !== null ? (authInfo as AccessToken) : undefined;
}

/** Who a request comes from. A resolver that throws is logged, and counts as one that does not say. */
export function resolvePrincipal(
  resolver: PrincipalResolver | undefined,
  info: RequestInfo,
  logger: Logger,
): Principal {
  if (resolver === undefined) return defaultPrincipal(info);
  try {
    return resolver(info) ?? defaultPrincipal(info);
  } catch (error) {
    logger.error('principalResolver threw; the default decides', { error: String(error) });
    return defaultPrincipal(info);
  }
}

/** Classes of transports that are one user's own. Anything that is not listed is not trusted. */
const TRANSPORTS: Readonly<Record<string, TransportKind>> = Object.freeze({
  StdioServerTransport: 'stdio',
  StdioConnectionChannel: 'stdio',
  InMemoryTransport: 'memory',
  SSEServerTransport: 'sse',
  StreamableHTTPServerTransport: 'http',
  NodeStreamableHTTPServerTransport: 'http',
  WebStandardStreamableHTTPServerTransport: 'http',
  PerRequestHTTPServerTransport: 'http',
});

/** How a request arrived, by the transport's class: a hint, so that what is not known counts as `unknown`. */
export function transportKind(transport: object | undefined): TransportKind {
  const name = transport?.constructor.name ?? '';
  return Object.hasOwn(TRANSPORTS, name) ? (TRANSPORTS[name] as TransportKind) : 'unknown';
}
