/**
 * What an OAuth layer found in a validated access token: claims by their names in RFC 9068 and RFC 7662, or as an SDK's
 * `AuthInfo` has them, which keeps others under `extra`.
 */
export interface AccessToken {
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/** What a token says of whom it was issued for; `undefined` for what it does not say, or not in the right form. */
export interface TokenClaims {
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
}

/** Reads the claims that tell callers apart. */
export function readClaims(token: AccessToken): TokenClaims {
  const extra = token['extra'];
  const more = (typeof extra === 'object' && extra !== null ? extra : {}) as Readonly<Record<string, unknown>>;
  return {
    issuer: firstText(token['iss'], more['iss']),
    subject: firstText(token['sub'], more['sub'], more['userId']),
    clientId: firstText(token.clientId, token['client_id'], token['azp']),
    scopes: scopesOf(token) ?? [],
  };
}

/** The scopes of a token: a list, or OAuth's own text with blanks between. `undefined` for anything else. */
export function scopesOf(token: AccessToken): readonly string[] | undefined {
  const scopes: unknown = token.scopes ?? token['scope'] ?? [];
  if (typeof scopes === 'string') return scopes.split(' ').filter((scope) => scope !== '');
  return Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && scope !== '')
    ? (scopes as readonly string[])
    : undefined;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
