import type { AccessToken } from './access-token.js';
import { isOneOf } from './check-options.js';
import { describeThrown } from './describe-thrown.js';
import { McpLayerError } from './errors.js';
import type { Logger } from './ports.js';
import { defaultPrincipal, Principal, type PrincipalResolver, type RequestInfo } from './principal.js';

/** Where an SDK's `AuthInfo` carries a principal. A symbol, since nothing that was parsed from text can have one as a key. */
const PRINCIPAL = Symbol.for('cartouche.principal');

/** What the SDKs call `AuthInfo`: what an authentication layer puts at `request.auth`. */
export interface HostAuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
}

/** What an authentication layer in front said of a caller. */
export interface Caller {
  readonly principal: Principal | undefined;
  readonly accessToken: AccessToken | undefined;
}

/** Where authentication layers leave what they found, by the names that Express, Passport and the SDKs use. */
export interface CallerSlots {
  readonly principal?: unknown;
  readonly auth?: unknown;
  readonly user?: unknown;
}

const NOBODY: Caller = Object.freeze({ principal: undefined, accessToken: undefined });

/**
 * Carries a principal through an SDK's HTTP transport: put what it returns at `request.auth`, or pass it as `authInfo`,
 * and every layer behind finds the principal where no resolver says otherwise.
 *
 * @param token The bearer token, where handlers of the host want it. Default: empty.
 */
export function toAuthInfo(principal: Principal, token = ''): HostAuthInfo {
  return Object.assign({ token, clientId: principal.id, scopes: [...principal.roles] }, { [PRINCIPAL]: principal });
}

/**
 * Who a request is from, by what is at its `principal`, else its `auth`, else its `user`: the same in front of every
 * handler and host. What has none of the forms that are known says nothing.
 */
export function callerOf({ auth, principal, user }: CallerSlots): Caller {
  if (principal === undefined && auth === undefined && user === undefined) return NOBODY;
  const carried = asPrincipal(principal) ?? principalOf(auth);
  const accessToken = accessTokenOf(auth);
  if (carried !== undefined || accessToken !== undefined) return { principal: carried, accessToken };
  return { principal: principalOfUser(user), accessToken: undefined };
}

/**
 * A principal of whom a host's own authentication found, where that says who it is: its `sub`, `id`, `userId` or
 * `username`, with its `roles`, and its `scopes` or `scope`. Anything else is for a resolver.
 */
export function principalOfUser(user: unknown): Principal | undefined {
  const carried = asPrincipal(user) ?? principalOf(user);
  if (carried !== undefined) return carried;
  if (typeof user !== 'object' || user === null) return undefined;
  const claims = user as Record<string, unknown>;
  const id = [claims['sub'], claims['id'], claims['userId'], claims['username']].find(isId);
  if (id === undefined) return undefined;
  const { iss, roles, scope, scopes } = claims;
  return new Principal({
    id: String(id),
    roles: ['default', ...texts(roles), ...texts(scopes), ...texts(scope)],
    attributes: { auth: 'host', ...(typeof iss === 'string' ? { issuer: iss } : {}) },
  });
}

/** Checks `onResolverError`. */
export const isResolverError = isOneOf('default', 'refuse');

/** How it is said who requests come from. */
export interface ResolverOptions {
  /** Says who a request comes from. Default: what stands in front says it, else the transport's own user. */
  readonly principalResolver?: PrincipalResolver | undefined;
  /** What a resolver that throws does: leave it to the default, or refuse the request. Default: `default`. */
  readonly onResolverError?: 'default' | 'refuse' | undefined;
}

/**
 * Who a request comes from.
 *
 * @throws {McpLayerError} When the resolver gives anything but a principal, or fails where that refuses.
 */
export function resolvePrincipal(options: ResolverOptions, info: RequestInfo, logger: Logger): Principal {
  const { principalResolver: resolver } = options;
  if (resolver === undefined) return byDefault(info, logger);
  let resolved: unknown;
  try {
    resolved = resolver(info);
  } catch (error) {
    if (options.onResolverError === 'refuse') return refuse(logger, 'threw', error);
    logger.error('principalResolver threw; the default decides', describeThrown(error));
    return byDefault(info, logger);
  }
  if (resolved === undefined || resolved === null) return byDefault(info, logger);
  if (typeof (resolved as Partial<Promise<unknown>>).then === 'function') {
    void Promise.resolve(resolved).catch(() => undefined);
    return refuse(logger, 'returned a promise. Authenticate in front of the handler, and return a Principal');
  }
  return asPrincipal(resolved) ?? refuse(logger, 'must return a Principal with an id, or undefined');
}

function refuse(logger: Logger, problem: string, error?: unknown): never {
  logger.error(
    `principalResolver ${problem}. The request was refused.`,
    error === undefined ? {} : describeThrown(error),
  );
  throw new McpLayerError('Who is calling could not be determined.');
}

const WARNED = new WeakSet<Logger>();

function byDefault(info: RequestInfo, logger: Logger): Principal {
  const principal = defaultPrincipal(info);
  const { auth, subject } = principal.attributes;
  if (auth === 'oauth' && subject === undefined && !WARNED.has(logger)) {
    WARNED.add(logger);
    logger.warn('an access token has no subject: everybody behind its client is one caller. Have its issuer set sub.');
  }
  return principal;
}

/** A principal, also one that another loaded copy of this package made, or JavaScript wrote down. */
function asPrincipal(value: unknown): Principal | undefined {
  if (value instanceof Principal) return value.id === '' ? undefined : value;
  const { attributes, id, roles, tenant } = (value ?? {}) as Partial<Principal>;
  if (typeof id !== 'string' || id === '' || !(roles instanceof Set)) return undefined;
  return new Principal({ id, roles, tenant, ...(attributes === undefined ? {} : { attributes }) });
}

/** The principal that {@link toAuthInfo} put there. */
function principalOf(authInfo: unknown): Principal | undefined {
  if (typeof authInfo !== 'object' || authInfo === null) return undefined;
  return asPrincipal((authInfo as { [PRINCIPAL]?: unknown })[PRINCIPAL]);
}

/** The access token that a host validated: it names a client, a subject, or both. */
function accessTokenOf(authInfo: unknown): AccessToken | undefined {
  if (typeof authInfo !== 'object' || authInfo === null) return undefined;
  const { clientId, client_id: client, sub } = authInfo as AccessToken;
  return [clientId, client, sub].some((value) => typeof value === 'string' && value !== '')
    ? (authInfo as AccessToken)
    : undefined;
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function texts(value: unknown): string[] {
  const list: unknown = typeof value === 'string' ? value.split(' ') : value;
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}
