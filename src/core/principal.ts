/** Who is calling: an id, the roles that policies match on, and free attributes. */
export class Principal {
  readonly id: string;
  readonly roles: ReadonlySet<string>;
  readonly attributes: Readonly<Record<string, unknown>>;

  constructor(init: {
    readonly id: string;
    readonly roles?: Iterable<string>;
    readonly attributes?: Readonly<Record<string, unknown>>;
  }) {
    this.id = init.id;
    this.roles = new Set(init.roles ?? ['default']);
    this.attributes = init.attributes ?? {};
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

const LOCAL = new Principal({ id: 'local', roles: ['default', 'local'] });
const ANONYMOUS = new Principal({ id: 'anonymous', roles: ['default'] });

/** How a request arrived. Only `stdio` and `memory` are the local user's own. */
export type TransportKind = 'stdio' | 'memory' | 'http' | 'sse' | 'unknown';

/** What an OAuth layer found in a validated access token. */
export interface AccessToken {
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

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
    const { transport, headers, sessionId, clientInfo, accessToken, principal, raw } = this;
    return new RequestInfo({ transport, headers, sessionId, clientInfo, accessToken, principal, raw, ...changes });
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
 * Who a request comes from when no resolver says: what an authentication layer set, else an OAuth token's client, else
 * the local user on stdio and in memory, else an anonymous caller.
 */
export function defaultPrincipal(info: RequestInfo): Principal {
  if (info.principal !== undefined) return info.principal;
  if (info.accessToken !== undefined) {
    const scopes = info.accessToken.scopes ?? [];
    return new Principal({
      id: info.accessToken.clientId ?? 'oauth-client',
      roles: ['default', ...scopes],
      attributes: { auth: 'oauth', scopes },
    });
  }
  return info.transport === 'stdio' || info.transport === 'memory' ? LOCAL : ANONYMOUS;
}
