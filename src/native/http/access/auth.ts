import type { AccessToken } from '../../../core/access-token.js';
import { isPromise, isRecord } from '../../../core/guards.js';
import { type Principal, principalProblem, type RequestInfo } from '../../../core/principal.js';

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

/**
 * What is wrong with what an authenticator gave; `undefined` when nothing is. An object with nothing in it lets the caller
 * in as nobody: what says something else was meant to say who it is.
 */
export function outcomeProblem(outcome: unknown): string | undefined {
  if (!isRecord(outcome)) return 'must give { principal }, { accessToken }, {} or a refusal. Return one of them';
  const { accessToken, principal, status } = outcome;
  if (status !== undefined) return refusalProblem(outcome);
  const problem = principal === undefined ? undefined : principalProblem(principal);
  if (problem !== undefined) return `gave a principal that ${problem}`;
  if (accessToken !== undefined && (!isRecord(accessToken) || isPromise(accessToken)))
    return 'gave an accessToken that is no object. Return its claims';
  const isNobody = principal === undefined && accessToken === undefined;
  const keys = Object.keys(outcome).filter((key) => outcome[key] !== undefined);
  return isNobody && keys.length > 0 ? `gave '${keys[0]}', which says nothing. Return { principal }` : undefined;
}

/** What is wrong with a refusal: whatever it is, nobody is let in. */
export function refusalProblem(refusal: unknown): string | undefined {
  const { message, status } = (isRecord(refusal) ? refusal : {}) as Partial<AuthRefusal>;
  return Number.isInteger(status) &&
    (status as number) >= 400 &&
    (status as number) < 600 &&
    typeof message === 'string'
    ? undefined
    : 'gave a refusal without a status from 400 on and a message, or a promise of one. Return { status, message }';
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
