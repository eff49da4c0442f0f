import type { AccessToken } from '../../../core/access-token.js';
import type { Principal, RequestInfo } from '../../../core/principal.js';

/** What an authenticator judges. */
export interface AuthRequest {
  readonly info: RequestInfo;
  /** The HTTP method and path, for proofs that cover them. */
  readonly method: string;
  readonly path: string;
}

/** A caller that was let in; without a principal or token it is nobody in particular. */
export interface Authenticated {
  readonly principal?: Principal;
  readonly accessToken?: AccessToken;
}

/** A caller that was turned away. */
export interface AuthRefusal {
  /** `503`: the token could not be checked, and may be good. */
  readonly status: 400 | 401 | 403 | 503;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
  readonly message: string;
  /** What an operator should know, and no client. */
  readonly cause?: unknown;
}

/** A document that tells clients where to get tokens, and the path it is served at, which needs none. */
export interface ResourceMetadata {
  readonly path: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Judges who sends each HTTP request, before anything else of it is looked at. */
export interface HttpAuth {
  authenticate(request: AuthRequest): Authenticated | AuthRefusal | Promise<Authenticated | AuthRefusal>;
  /** Judges whether the caller may send this message; `name` is what `Mcp-Name` would hold. */
  authorize?(info: RequestInfo, method: string, name: string | undefined): AuthRefusal | undefined;
  readonly metadata?: ResourceMetadata;
}

/** Whether an outcome turns the caller away. */
export function isRefusal(outcome: Authenticated | AuthRefusal): outcome is AuthRefusal {
  return 'status' in outcome;
}

/** Writes a `WWW-Authenticate` value. Source: RFC 6750, section 3; RFC 9728, section 5.1. */
export function bearerChallenge(parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`],
  );
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}
