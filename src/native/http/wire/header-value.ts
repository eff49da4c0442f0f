/** What a header value may hold as it is. Source: MCP 2026-07-28, "Value encoding"; RFC 9110, field values. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes any text as a header value: as it is where it can be, else as `=?base64?…?=`. */
export function encodeHeaderValue(text: string): string {
  if (text === '' || (PLAIN.test(text) && !SENTINEL.test(text))) return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/**
 * Reads a header value back. Only the exact lower-case sentinel is decoded; anything else is literal.
 *
 * @returns `undefined` for base64 that is not canonical, bytes that are not UTF-8, and characters a header cannot hold.
 */
export function decodeHeaderValue(value: string): string | undefined {
  const trimmed = trimWhitespace(value);
  const encoded = trimmed.startsWith('=?') ? SENTINEL.exec(trimmed)?.[1] : undefined;
  if (encoded === undefined) return trimmed === '' || PLAIN.test(trimmed) ? trimmed : undefined;
  return decodeBase64(encoded);
}

/** Node's own decoder skips what it does not understand; a comparison must not. */
function decodeBase64(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Without the spaces and tabs around it, which are not part of a header's value. */
export function trimWhitespace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return start === 0 && end === value.length ? value : value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
