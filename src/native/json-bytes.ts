import { isUtf8 } from 'node:buffer';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads a JSON text that came over the wire: UTF-8, and a byte order mark before it is overlooked, as RFC 8259 allows.
 *
 * @throws {SyntaxError} For what is not UTF-8 or not JSON.
 */
export function parseJsonBytes(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 become replacement characters, which text has seldom enough to look twice.
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw new SyntaxError('not UTF-8');
  return parseJsonText(text);
}

/** The same for what is text already. @throws {SyntaxError} For what is not JSON. */
export function parseJsonText(text: string): unknown {
  return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}
