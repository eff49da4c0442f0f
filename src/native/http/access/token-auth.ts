import { createHash, timingSafeEqual } from 'node:crypto';
import { checkOptions, isFilled, isFlag, isNames, isObject, type OptionCheck } from '../../../core/check-options.js';
import { ConfigurationError } from '../../../core/errors.js';
import { finding } from '../../../core/finding.js';
import { isPromise } from '../../../core/guards.js';
import { Principal, principalProblem } from '../../../core/principal.js';
import { type Authenticated, type AuthRefusal, type AuthRequest, bearerChallenge, type HttpAuth } from './auth.js';

/** Tokens and whom they stand for: principals by token, or specs `TOKEN[:ROLES[:ID]]`. */
export type TokenSource = Readonly<Record<string, Principal>> | ReadonlyMap<string, Principal> | readonly string[];

/** How static tokens are checked. */
export interface TokenAuthOptions {
  /** `false` lets callers without a token through as anonymous; a wrong token is refused all the same. Default: true. */
  readonly required?: boolean;
  /** Names the protected area in the challenge. Default: `mcp`. */
  readonly realm?: string;
  /** Where `env:VAR` is looked up. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const CHECKS: Readonly<Record<keyof TokenAuthOptions, OptionCheck>> = {
  required: isFlag,
  realm: isFilled,
  env: isObject,
};

/** A text has letters, each of which would be a token; a promise has nothing. */
function sourceProblems(tokens: unknown): string[] {
  if (typeof tokens !== 'object' || tokens === null || isPromise(tokens))
    return [finding('CT103', 'TokenAuth: the tokens must be a list, an object or a map. Pass one, and await it.')];
  const problem = Array.isArray(tokens)
    ? isNames(tokens)
    : [...pairs(tokens as Readonly<Record<string, Principal>>)]
        .map(([, principal]) => principalProblem(principal))
        .find((each) => each !== undefined);
  return problem === undefined ? [] : [finding('CT103', `TokenAuth: what a token stands for ${problem}.`)];
}

interface Entry {
  readonly digest: Buffer;
  readonly principal: Principal;
}

/**
 * Static bearer tokens. Only SHA-256 digests are kept, and a token is compared with every one of them in constant time.
 *
 * A spec is read from the right: the last part is the id, the one before it a list of roles with commas. Its token may be
 * `env:VAR`, for the value of an environment variable.
 */
export class TokenAuth implements HttpAuth {
  /** Whether callers without a token are refused. */
  readonly required: boolean;
  readonly #realm: string;
  readonly #entries: readonly Entry[];

  /** @throws {ConfigurationError} For an empty list, an empty token, or a variable that is not set. */
  constructor(tokens: TokenSource, options: TokenAuthOptions = {}) {
    checkOptions('TokenAuth', options, CHECKS, sourceProblems(tokens));
    this.required = options.required ?? true;
    this.#realm = options.realm ?? 'mcp';
    this.#entries = readTokens(tokens, options.env ?? process.env);
  }

  /** Whom a token stands for. */
  principalFor(token: string): Principal | undefined {
    const digest = sha256(token);
    let found: Principal | undefined;
    for (const entry of this.#entries) {
      if (timingSafeEqual(entry.digest, digest)) found = entry.principal;
    }
    return found;
  }

  authenticate({ info }: AuthRequest): Authenticated | AuthRefusal {
    const token = info.bearerToken;
    if (token === undefined) {
      if (!this.required && info.header('authorization') === undefined) return {};
      return this.#refuse('A bearer token is needed.', undefined);
    }
    const principal = this.principalFor(token);
    return principal === undefined ? this.#refuse('The bearer token is not valid.', 'invalid_token') : { principal };
  }

  #refuse(message: string, error: string | undefined): AuthRefusal {
    return { status: 401, message, challenge: bearerChallenge({ realm: this.#realm, error }) };
  }
}

function readTokens(tokens: TokenSource, env: Readonly<Record<string, string | undefined>>): readonly Entry[] {
  const findings: string[] = [];
  const entries = Array.isArray(tokens)
    ? (tokens as readonly string[]).map((spec, index) => readSpec(spec, index, env, findings))
    : [...pairs(tokens as Exclude<TokenSource, readonly string[]>)].map(([token, principal]) => ({ token, principal }));
  if (entries.length === 0)
    findings.push(finding('CT605', 'TokenAuth: no tokens. Pass at least one, or leave the authentication out.'));
  if (entries.some((entry) => entry?.token === ''))
    findings.push(finding('CT606', 'TokenAuth: a token is empty. Pass one that cannot be guessed.'));
  if (findings.length > 0) throw new ConfigurationError(findings);
  return entries.flatMap((entry) =>
    entry === undefined ? [] : [{ digest: sha256(entry.token), principal: entry.principal }],
  );
}

function pairs(
  tokens: Readonly<Record<string, Principal>> | ReadonlyMap<string, Principal>,
): Iterable<[string, Principal]> {
  return tokens instanceof Map
    ? (tokens as ReadonlyMap<string, Principal>)
    : Object.entries(tokens as Record<string, Principal>);
}

function readSpec(
  spec: string,
  index: number,
  env: Readonly<Record<string, string | undefined>>,
  findings: string[],
): { token: string; principal: Principal } | undefined {
  const isVariable = spec.startsWith('env:');
  const parts = (isVariable ? spec.slice(4) : spec).split(':');
  const id = parts.length > 2 ? parts.pop() : undefined;
  const roles = parts.length > 1 ? parts.pop() : undefined;
  const name = parts.join(':');
  const token = isVariable ? env[name] : name;
  if (token === undefined || (isVariable && token === '')) {
    findings.push(
      finding('CT607', `TokenAuth: spec ${index + 1} names the variable ${name}, which is not set. Set it.`),
    );
    return undefined;
  }
  const listed = (roles ?? '')
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  return {
    token,
    principal: new Principal({
      id: id === undefined || id === '' ? `token-${sha256(token).toString('hex').slice(0, 8)}` : id,
      roles: listed.length > 0 ? listed : ['default'],
      attributes: { auth: 'token' },
    }),
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
