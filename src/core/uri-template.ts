import { ConfigurationError, InvalidArgumentsError } from './errors.js';
import { finding } from './finding.js';
import { hideLiteral } from './uri-literals.js';

type Part =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly reserved: boolean }
  | { readonly type: 'query'; readonly names: readonly string[]; readonly first: '?' | '&' };

const VARIABLE = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/;

/** Kept as they are in a `{+var}` value, besides the unreserved characters. */
const RESERVED_KEPT = /[^A-Za-z0-9\-._~/:@!$&'()*+,;=]/gu;
const SIMPLE_KEPT = /[^A-Za-z0-9\-._~]/gu;

/**
 * A URI template: `{var}` is one segment (no `/` or `?`), `{+var}` and the older spelling `{var*}` anything, `{?a,b}`
 * and `{&a,b}` optional query variables at the end. Expanding and then matching gives every non-empty value back, and
 * matching takes time linear in the URI's length. Source: RFC 6570, of which the other operators are refused.
 */
export class UriTemplate {
  readonly text: string;
  /** Names in the order of the template. */
  readonly variables: readonly string[];
  /** The variables of `{?…}` and `{&…}`, which a URI may leave out. */
  readonly optionalVariables: readonly string[];
  readonly #parts: readonly Part[];

  /** @throws {ConfigurationError} When the text is not a template this class can expand and match. */
  constructor(text: string) {
    this.text = text;
    this.#parts = parse(text);
    this.variables = this.#parts.flatMap(names);
    this.optionalVariables = this.#parts.flatMap((part) => (part.type === 'query' ? part.names : []));
    const repeated = this.variables.find((name, i) => this.variables.indexOf(name) !== i);
    if (repeated !== undefined) throw invalid(text, `the variable '${repeated}' occurs twice`, 'Name each one once');
  }

  /**
   * The URI that stands for `values`.
   *
   * @throws {InvalidArgumentsError} When a variable of the path is missing or empty, or not well-formed text.
   */
  expand(values: Readonly<Record<string, unknown>>): string {
    let uri = '';
    this.#parts.forEach((part, i) => {
      if (part.type === 'literal') uri += part.text;
      else if (part.type === 'query') uri += expandQuery(part, values);
      else {
        const encoded = encode(value(part.name, values), part.reserved ? RESERVED_KEPT : SIMPLE_KEPT, part.name);
        const next = this.#parts[i + 1];
        const isLast = i + 2 >= this.#parts.length;
        uri += next?.type === 'literal' && !isLast ? hideLiteral(encoded, next.text) : encoded;
      }
    });
    return uri;
  }

  /** The decoded variables of `uri`, or `undefined` when it does not match (broken percent-encoding included). */
  match(uri: string): Record<string, string> | undefined {
    const found = Object.create(null) as Record<string, string>;
    const parts = this.#parts;
    const text = normalise(uri);
    let at = 0;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as Part;
      if (part.type === 'literal') {
        if (!text.startsWith(part.text, at)) return undefined;
        at += part.text.length;
      } else if (part.type === 'query') {
        return matchQuery(part, text.slice(at), found) ? found : undefined;
      } else {
        const end = this.#endOf(i, text, at);
        if (end <= at) return undefined;
        const raw = text.slice(at, end);
        if (!part.reserved && /[/?]/.test(raw)) return undefined;
        const decoded = decode(raw);
        if (decoded === undefined) return undefined;
        found[part.name] = decoded;
        at = end;
      }
    }
    return at === text.length ? found : undefined;
  }

  /** Where the value of the variable at `i` ends: at the next literal, and at the last one's last occurrence. */
  #endOf(i: number, text: string, at: number): number {
    const next = this.#parts[i + 1];
    if (next === undefined) return text.length;
    if (next.type === 'query') {
      const mark = text.indexOf(next.first, at);
      return mark === -1 ? text.length : mark;
    }
    if (next.type === 'variable') return -1;
    if (i + 2 === this.#parts.length) return text.endsWith(next.text) ? text.length - next.text.length : -1;
    return text.indexOf(next.text, at + 1);
  }
}

function names(part: Part): readonly string[] {
  if (part.type === 'literal') return [];
  return part.type === 'variable' ? [part.name] : part.names;
}

function parse(text: string): Part[] {
  const parts: Part[] = [];
  let rest = text;
  while (rest !== '') {
    const open = rest.indexOf('{');
    const literal = open === -1 ? rest : rest.slice(0, open);
    if (literal.includes('}')) throw invalid(text, "a '}' without its '{'", 'Close what is open, or write %7D');
    if (literal !== '') parts.push({ type: 'literal', text: normalise(literal) });
    if (open === -1) break;
    const close = rest.indexOf('}', open);
    if (close === -1) throw invalid(text, "a '{' without its '}'", 'Close the expression');
    parts.push(expression(rest.slice(open + 1, close), text));
    rest = rest.slice(close + 1);
  }
  checkOrder(parts, text);
  return parts;
}

function expression(body: string, text: string): Part {
  const operator = /^[?&]/.exec(body)?.[0] as '?' | '&' | undefined;
  if (operator !== undefined) {
    const listed = body.slice(1).split(',');
    for (const name of listed) checkName(name, text);
    return { type: 'query', names: listed, first: operator };
  }
  const reserved = body.startsWith('+') || body.endsWith('*');
  const name = body.replace(/^\+/, '').replace(/\*$/, '');
  checkName(name, text);
  return { type: 'variable', name, reserved };
}

function checkName(name: string, text: string): void {
  if (VARIABLE.test(name)) return;
  throw invalid(text, `'{${name}}' is not supported`, `Use ${FORMS}`);
}

/** Refuses what could not be matched back to the values it was expanded from. */
function checkOrder(parts: readonly Part[], text: string): void {
  parts.forEach((part, i) => {
    const next = parts[i + 1];
    if (part.type === 'query' && next !== undefined) throw invalid(text, 'text after the query variables', 'Move it');
    if (part.type !== 'variable') return;
    if (next?.type === 'variable') throw invalid(text, 'two variables touch', 'Put text between them');
    if (next?.type === 'query' && next.first === '&') {
      throw invalid(text, "'{&…}' needs a '?' before it", 'Write {?…}, or put a fixed query before it');
    }
    if (next?.type === 'literal' && i + 2 < parts.length && next.text.startsWith('%')) {
      throw invalid(
        text,
        'the text between two variables begins with an encoded character',
        'Begin it with a plain one',
      );
    }
    if (next?.type === 'literal' && i + 2 < parts.length && /^[0-9A-F]/.test(next.text)) {
      throw invalid(
        text,
        'the text between two variables begins as an encoded character may end',
        'Begin it with none of 0-9 and A-F',
      );
    }
  });
}

const FORMS = '{var}, {+var}, {?a,b} or {&a,b}';

function invalid(text: string, problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError(
    finding(
      'CT504',
      `URI template '${text}': ${problem}. ${remedy}${remedy.includes(FORMS) ? '' : `, with ${FORMS}`}.`,
    ),
  );
}

function value(name: string, values: Readonly<Record<string, unknown>>): string {
  const given = Object.hasOwn(values, name) ? values[name] : undefined;
  const text = asText(given) ?? '';
  if (text === '') throw new InvalidArgumentsError([{ loc: name, msg: 'a value is required', type: 'missing' }]);
  return text;
}

/** Texts, numbers and booleans have a place in a URI; nothing else has. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function encode(text: string, escaped: RegExp, name: string): string {
  try {
    return text.replace(escaped, percent);
  } catch {
    throw new InvalidArgumentsError([{ loc: name, msg: 'must be well-formed Unicode text', type: 'string_unicode' }]);
  }
}

function percent(character: string): string {
  return encodeURIComponent(character).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function expandQuery(part: Part & { type: 'query' }, values: Readonly<Record<string, unknown>>): string {
  let separator = part.first as string;
  let query = '';
  for (const name of part.names) {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const text = asText(given);
    if (text === undefined) continue;
    query += `${separator}${name}=${encode(text, SIMPLE_KEPT, name)}`;
    separator = '&';
  }
  return query;
}

function matchQuery(part: Part & { type: 'query' }, tail: string, found: Record<string, string>): boolean {
  if (tail === '') return true;
  if (!tail.startsWith(part.first)) return false;
  for (const pair of tail.slice(1).split('&')) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const decoded = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (decoded === undefined) return false;
    if (part.names.includes(name) && !(name in found)) found[name] = decoded;
  }
  return true;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const NOT_URI = /[^\u0021-\u007E]/gu;

/** One spelling for text that people and clients write in two: `café` and `caf%C3%A9`, a blank and `%20`. */
function normalise(text: string): string {
  try {
    return text.replace(NOT_URI, (character) => encodeURIComponent(character));
  } catch {
    return text;
  }
}
