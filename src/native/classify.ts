import { isRecord } from '../core/guards.js';
import { type Era, MetaKey, metaOf, MODERN_VERSIONS } from './era.js';
import { METHODS } from './methods/index.js';

/** Methods that no handshake revision has, so that they are a claim by themselves. */
const MODERN_ONLY: ReadonlySet<unknown> = new Set(
  METHODS.filter(({ eras }) => !(eras as readonly Era[]).includes('handshake')).map(({ name }) => name),
);

/**
 * The era of one message, decided by nothing but the message. The envelope outranks the method's name: an `initialize`
 * with one is an unknown method of the modern era.
 *
 * @param headerVersion What a carrier with headers was told as `MCP-Protocol-Version`: naming a modern revision is a claim too.
 */
export function classify(message: unknown, headerVersion?: string): Era {
  if (headerVersion !== undefined && MODERN_VERSIONS.includes(headerVersion)) return 'modern';
  if (!isRecord(message)) return 'handshake';
  const meta = metaOf(message);
  if (meta !== undefined && (MetaKey.ProtocolVersion in meta || MetaKey.ClientCapabilities in meta)) return 'modern';
  return MODERN_ONLY.has(message['method']) ? 'modern' : 'handshake';
}
