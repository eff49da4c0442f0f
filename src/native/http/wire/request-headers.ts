import { BOUNDS } from '../../../core/bounds.js';
import { isRecord } from '../../../core/guards.js';
import type { HeaderParam } from '../../../schema/hosts/header-params.js';
import { MetaKey, metaOf, versionFault } from '../../era.js';
import { headerMismatch, type JsonRpcFailure, type JsonRpcRequest } from '../../messages.js';
import type { MethodFacts } from '../../method.js';
import { decodeHeaderValue, trimWhitespace } from './header-value.js';

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** The longest value that is decoded. Node itself ends requests with 16 KiB of headers. */
const MAX_VALUE_CHARS = BOUNDS.headerValueChars.default;

/** A method, as far as its headers are concerned. */
type Named = Pick<MethodFacts, 'nameParam'>;

/** What the `Mcp-Name` header of a message would hold. */
export function nameOf(method: Named | undefined, message: { readonly params?: unknown }): string | undefined {
  const source = method?.nameParam;
  if (source === undefined || !isRecord(message.params)) return undefined;
  const name = message.params[source];
  return typeof name === 'string' ? name : undefined;
}

/**
 * Compares the headers of a modern request, whose envelope is complete, with its body, which is right wherever they
 * differ. The version's header comes before the version itself, and both before the other headers.
 */
export function headerFault(
  method: Named | undefined,
  message: JsonRpcRequest,
  headers: Headers,
): JsonRpcFailure | undefined {
  const version = String(metaOf(message)?.[MetaKey.ProtocolVersion]);
  return (
    compare(message, 'MCP-Protocol-Version', headers['mcp-protocol-version'], version) ??
    versionFault(message) ??
    compare(message, 'Mcp-Method', headers['mcp-method'], message.method) ??
    nameFault(message, nameOf(method, message), headers['mcp-name'])
  );
}

/** The same for a notification, whose headers the revision leaves open: only what is there must agree. */
export function notificationHeaderFault(method: string, headers: Headers): string | undefined {
  const given = headers['mcp-method'];
  return given === undefined || readValue(given) === method
    ? undefined
    : `Mcp-Method is '${printable(given)}', the body's method is not`;
}

function compare(
  { id }: JsonRpcRequest,
  name: string,
  given: string | undefined,
  expected: string,
): JsonRpcFailure | undefined {
  if (given === undefined) return headerMismatch(id, `${name} is missing`);
  const value = readValue(given);
  if (value === expected) return undefined;
  if (value === undefined) return headerMismatch(id, `${name} is not well encoded`);
  return headerMismatch(id, `${name} is '${printable(given)}', the body says '${printable(expected)}'`);
}

/** What a header says, decoded before anything is compared with it: what is not well encoded equals nothing. */
function readValue(given: string): string | undefined {
  return given.length > MAX_VALUE_CHARS ? undefined : decodeHeaderValue(given);
}

/** The revision that a client names; blanks around it are no part of it. */
export function versionIn(headers: Headers): string | undefined {
  const given = headers['mcp-protocol-version'];
  return given === undefined ? undefined : trimWhitespace(given);
}

function nameFault(
  message: JsonRpcRequest,
  expected: string | undefined,
  given: string | undefined,
): JsonRpcFailure | undefined {
  return expected === undefined ? undefined : valueFault(message, 'Mcp-Name', given, (value) => value === expected);
}

function valueFault(
  { id }: JsonRpcRequest,
  name: string,
  given: string | undefined,
  matches: (value: string) => boolean,
): JsonRpcFailure | undefined {
  if (given === undefined) return headerMismatch(id, `${name} is missing`);
  const value = readValue(given);
  if (value === undefined) return headerMismatch(id, `${name} is not well encoded`);
  return matches(value) ? undefined : headerMismatch(id, `${name} differs from the body`);
}

/**
 * Compares the `Mcp-Param-*` headers of a tool call with its arguments: one for every annotated argument that is there,
 * none for one that is not. Source: MCP 2026-07-28, "Custom headers from tool parameters".
 */
export function parameterFault(
  message: JsonRpcRequest,
  headers: Headers,
  parameters: readonly HeaderParam[],
): JsonRpcFailure | undefined {
  const args: unknown = message.params?.['arguments'];
  for (const { header: name, path } of parameters) {
    const header = `Mcp-Param-${name}`;
    const given = headers[header.toLowerCase()];
    const value = valueAt(args, path);
    if (value === undefined || value === null) {
      if (given !== undefined) return headerMismatch(message.id, `${header} is there, the argument is not`);
      continue;
    }
    const fault = valueFault(message, header, given, (text) => isSame(text, value));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Whole numbers compare as numbers: `42.0` is 42. */
function isSame(text: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return text === value;
    case 'boolean':
      return text === String(value);
    case 'number':
      return /^-?\d+(?:\.0+)?$/.test(text) && Number(text) === value;
    default:
      return false;
  }
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}
