import { type AccessToken, readClaims } from './access-token.js';

/** What a {@link Principal} is made of. */
export interface PrincipalInit {
  readonly id: string;
  /** Default: `default`. */
  readonly roles?: Iterable<string>;
  /** With `issuer`, `subject` and `clientId`, where a token says who this is: the three are part of the key. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** What else tells callers of one id apart, such as the customer they work for. */
  readonly tenant?: string | undefined;
}

/** Who is calling: an id, the roles that policies match on, and free attributes. */
export class Principal {
  readonly id: string;
  readonly roles: ReadonlySet<string>;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly tenant: string | undefined;
  /**
   * The same for the same caller and for nobody else: id, issuer, subject, client and tenant. Sessions, request states,
   * kept answers and limits belong to it. Roles are no part of it: who is granted another one stays who it is.
   */
  readonly key: string;

  constructor({ attributes = {}, id, roles = ['default'], tenant }: PrincipalInit) {
    const { clientId, issuer, subject } = attributes;
    this.id = id;
    this.roles = new Set(roles);
    this.attributes = attributes;
    this.tenant = tenant;
    this.key = JSON.stringify([id, ...[issuer, subject, clientId, tenant].map((part) => textOr(part, null))]);
  }

  /** The person at this machine: stdio, in memory, and calls made inside the process. */
  static local(): Principal {
    return LOCAL;
  }

  /** A caller about whom nothing is known. */
  static anonymous(): Principal {
    return ANONYMOUS;
  }
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

/** What is wrong with something that is to be a principal, also one that another loaded copy of this package made. */
export function principalProblem(value: unknown): string | undefined {
  const { key, roles } = (value ?? {}) as Partial<Principal>;
  return typeof key === 'string' && roles instanceof Set
    ? undefined
    : 'must be a Principal. Pass new Principal({ id }), or what a promise of one gives';
}

const LOCAL = new Principal({ id: 'local', roles: ['default', 'local'] });
const ANONYMOUS = new Principal({ id: 'anonymous', roles: ['default'] });

/** How a request arrived. Only `stdio` and `memory` are the local user's own. */
export type TransportKind = 'stdio' | 'memory' | 'http' | 'sse' | 'unknown';

/** Everything an adapter knows about one request, for resolvers. `clientInfo` is the client's own claim: never trust it. */
export class RequestInfo {
  readonly transport: TransportKind;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string | undefined;
  readonly clientInfo: Readonly<Record<string, unknown>> | undefined;
  readonly accessToken: AccessToken | undefined;
  /** Set by an authentication layer in front. */
  readonly principal: Principal | undefined;
  /** The carrier's own request object. */
  readonly raw: unknown;

  constructor(init: {
    readonly transport: TransportKind;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly sessionId?: string | undefined;
    readonly clientInfo?: Readonly<Record<string, unknown>> | undefined;
    readonly accessToken?: AccessToken | undefined;
    readonly principal?: Principal | undefined;
    readonly raw?: unknown;
  }) {
    this.transport = init.transport;
    this.headers = init.headers ?? {};
    this.sessionId = init.sessionId;
    this.clientInfo = init.clientInfo;
    this.accessToken = init.accessToken;
    this.principal = init.principal;
    this.raw = init.raw;
  }

  /** The same request, of which more is known, or something else. */
  with(changes: Partial<RequestInfo>): RequestInfo {
    return Object.assign(new RequestInfo(this), changes);
  }

  /** One header, by its name in any case. */
  header(name: string): string | undefined {
    return this.headers[name.toLowerCase()];
  }

  /** The token of `Authorization: Bearer …`. */
  get bearerToken(): string | undefined {
    return /^Bearer +(\S+) *$/i.exec(this.header('authorization') ?? '')?.[1];
  }
}

/** Says who a request comes from; `undefined` leaves it to {@link defaultPrincipal}. */
export type PrincipalResolver = (info: RequestInfo) => Principal | undefined;

/**
 * Who a request comes from when no resolver says: what an authentication layer set, else whom an OAuth token was issued
 * for, else the local user on stdio and in memory, else an anonymous caller.
 */
export function defaultPrincipal(info: RequestInfo): Principal {
  if (info.principal !== undefined) return info.principal;
  if (info.accessToken !== undefined) return principalOfToken(info.accessToken);
  return info.transport === 'stdio' || info.transport === 'memory' ? LOCAL : ANONYMOUS;
}

/**
 * Whom a token was issued for: its subject, or where it has none, its client.
 *
 * @param withIssuer Whether the id has the issuer before it, for servers that take tokens of several.
 */
export function principalOfToken(token: AccessToken, withIssuer = false): Principal {
  const { clientId, issuer, scopes, subject } = readClaims(token);
  const id = subject ?? clientId ?? 'oauth-client';
  return new Principal({
    id: withIssuer && issuer !== undefined ? `${issuer}#${id}` : id,
    roles: ['default', ...scopes],
    attributes: {
      auth: 'oauth',
      ...(issuer === undefined ? {} : { issuer }),
      ...(subject === undefined ? {} : { subject }),
      ...(clientId === undefined ? {} : { clientId }),
      scopes,
    },
  });
}
