/** What a request asks for. */
export interface Target {
  /** Without the query. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  /** The host that the target itself names: where it does, it counts in place of `Host`. */
  readonly host: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Reads a request target, a whole URL too, as proxies send it. Source: RFC 9112, "absolute-form". */
export function readTarget(target: string): Target {
  if (target.startsWith('/')) return split(target, undefined);
  const [, host, rest = target] = ABSOLUTE.exec(target) ?? [];
  return split(host === undefined || rest.startsWith('/') ? rest : `/${rest}`, host);
}

function split(target: string, host: string | undefined): Target {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '', host }
    : { path: target.slice(0, mark), query: target.slice(mark), host };
}
