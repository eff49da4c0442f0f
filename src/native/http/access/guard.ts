import { checkOptions, isNames, type OptionCheck } from '../../../core/check-options.js';
import { ConfigurationError } from '../../../core/errors.js';
import { finding } from '../../../core/finding.js';
import { Memo } from './memo.js';

/** Which names a server answers to, and which web pages may call it. */
export interface GuardOptions {
  /**
   * Names that `Host` may hold: `name` (any port), `name:port`, `name:*`, or `'*'` for every one. Default: the names of
   * this machine (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly allowedHosts?: readonly string[] | '*';
  /**
   * Origins of pages on other hosts: `https://app.example`, with a port or `:*`, or `'*'`. Default: pages of this
   * machine. A page of the server's own host always passes; so does a request without an origin, which no page sends.
   */
  readonly allowedOrigins?: readonly string[] | '*';
}

const isNamesOrAll: OptionCheck = (value) => (value === '*' ? undefined : isNames(value));

const GUARD_CHECKS: Readonly<Record<keyof GuardOptions, OptionCheck>> = {
  allowedHosts: isNamesOrAll,
  allowedOrigins: isNamesOrAll,
};

/** Why a request was turned away. */
export interface Refusal {
  readonly status: 421 | 403;
  readonly message: string;
}

/** What names the machine itself. */
export const LOOPBACK_HOSTS: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK_ORIGINS = LOOPBACK_HOSTS.flatMap((host) => [`http://${host}:*`, `https://${host}:*`]);
/** Where an operator passes the guard's options. */
const WHERE = "to serve('http'), nodeHandler() or fetchHandler()";
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}|\*))?$/;
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/;

/**
 * Protects a server against web pages that reach it by a name of their own (DNS rebinding): 421 for a `Host` that is not
 * one of the server's, 403 for a page that may not call it. Source: MCP, "Transports", security warning.
 */
export class OriginHostGuard {
  readonly #hosts: Memo<boolean>;
  readonly #origins: Memo<boolean>;

  /** @throws {ConfigurationError} For an entry that can match nothing. */
  constructor(options: GuardOptions = {}) {
    checkOptions('OriginHostGuard', options, GUARD_CHECKS);
    const hosts = compile(options.allowedHosts ?? LOOPBACK_HOSTS, 'allowedHosts', hostRule);
    const origins = compile(options.allowedOrigins ?? LOOPBACK_ORIGINS, 'allowedOrigins', originRule);
    this.#hosts = new Memo((host) => hosts(host.toLowerCase()));
    this.#origins = new Memo((origin) => origins(origin.toLowerCase()));
  }

  /** Judges the `Host` and `Origin` of a request; `undefined` lets it pass. */
  check(host: string | undefined, origin: string | undefined): Refusal | undefined {
    if (host === undefined || !this.#hosts.get(host)) {
      const name = printable(host ?? '');
      return {
        status: 421,
        message: `The host '${name}' is not served here. If it should be, pass guard: { allowedHosts: ['${name}'] } ${WHERE}.`,
      };
    }
    if (origin === undefined || isSameHost(origin, host) || this.#origins.get(origin)) return undefined;
    const name = printable(origin);
    return {
      status: 403,
      message: `Pages of '${name}' may not call this server. If they should, pass guard: { allowedOrigins: ['${name}'] } ${WHERE}.`,
    };
  }

  /** Whether a page of this origin, on another host, may call. */
  allowsOrigin(origin: string): boolean {
    return this.#origins.get(origin);
  }
}

type Rule = (text: string) => boolean;

function compile(list: readonly string[] | '*', option: string, toRule: (entry: string) => Rule | undefined): Rule {
  if (list === '*' || list.includes('*')) return () => true;
  const findings: string[] = [];
  const rules: Rule[] = [];
  for (const entry of list) {
    const rule = toRule(entry.toLowerCase().replace(/\/$/, ''));
    if (rule === undefined)
      findings.push(
        finding('CT608', `OriginHostGuard: ${option} holds '${entry}', which matches nothing. ${USE[option] ?? ''}`),
      );
    else rules.push(rule);
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  return (text) => rules.some((rule) => rule(text));
}

const USE: Readonly<Record<string, string>> = {
  allowedHosts: "Use 'name', 'name:port' or 'name:*'.",
  allowedOrigins: "Use 'https://name', 'https://name:port' or 'https://name:*'.",
};

function hostRule(entry: string): Rule | undefined {
  const [, name, port = '*'] = HOST.exec(entry) ?? [];
  if (name === undefined) return undefined;
  return (host) => {
    const [, given, givenPort] = HOST.exec(host) ?? [];
    return given === name && (port === '*' || port === givenPort);
  };
}

/** Unlike a host's, an origin's missing port means the scheme's own. */
function originRule(entry: string): Rule | undefined {
  const [, scheme, authority = ''] = ORIGIN.exec(entry) ?? [];
  const [, name, port] = HOST.exec(authority) ?? [];
  if (scheme === undefined || name === undefined) return undefined;
  return (origin) => {
    const [, givenScheme, givenAuthority = ''] = ORIGIN.exec(origin) ?? [];
    const [, givenName, givenPort] = HOST.exec(givenAuthority) ?? [];
    return givenScheme === scheme && givenName === name && (port === '*' || port === givenPort);
  };
}

/** Compares without the scheme: a proxy that ends TLS hides it from the server. */
function isSameHost(origin: string, host: string): boolean {
  const start = origin.indexOf('://');
  return (
    start > 0 && origin.length - start - 3 === host.length && origin.toLowerCase().endsWith(`//${host.toLowerCase()}`)
  );
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}
