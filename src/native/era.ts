import { failure, type JsonRpcFailure, type JsonRpcRequest, unsupportedVersion } from './messages.js';
import { ErrorCode } from '../core/errors.js';
import { isRecord } from '../core/guards.js';

/** The revision of the modern era that is served. */
export const MODERN = '2026-07-28';

/** The modern revisions, newest first: what `server/discover` offers and a version error names. */
export const MODERN_VERSIONS: readonly string[] = Object.freeze([MODERN]);

/** The revisions that open with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = Object.freeze(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const);

/** One of {@link HANDSHAKE_VERSIONS}. */
export type HandshakeVersion = (typeof HANDSHAKE_VERSIONS)[number];

/** The only revision with batches. */
export const BATCH_VERSION: HandshakeVersion = '2025-03-26';

export type { ProtocolEra as Era } from '../core/extension.js';

/**
 * The `_meta` keys that the protocol defines, in full: a key that was put together is looked up ten times as slowly.
 * Source: MCP 2026-07-28, "Per-request metadata".
 */
export const MetaKey = Object.freeze({
  ProtocolVersion: 'io.modelcontextprotocol/protocolVersion',
  ClientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  ClientInfo: 'io.modelcontextprotocol/clientInfo',
  LogLevel: 'io.modelcontextprotocol/logLevel',
  ServerInfo: 'io.modelcontextprotocol/serverInfo',
  SubscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const);

/** The `_meta` of a message's parameters, where it is an object. */
export function metaOf(message: { readonly params?: unknown }): Readonly<Record<string, unknown>> | undefined {
  const { params } = message;
  if (typeof params !== 'object' || params === null) return undefined;
  const meta = (params as { _meta?: unknown })._meta;
  return isRecord(meta) ? meta : undefined;
}

/** What is wrong with a modern request's envelope: a required key that is missing, or has the wrong type, is -32602. */
export function envelopeFault(message: JsonRpcRequest): JsonRpcFailure | undefined {
  const meta = metaOf(message);
  if (meta === undefined) return fault(message, 'params._meta is missing');
  if (typeof meta[MetaKey.ProtocolVersion] !== 'string')
    return fault(message, `params._meta lacks ${MetaKey.ProtocolVersion}`);
  if (!isRecord(meta[MetaKey.ClientCapabilities]))
    return fault(message, `params._meta lacks ${MetaKey.ClientCapabilities}`);
  return undefined;
}

function fault({ id }: JsonRpcRequest, problem: string): JsonRpcFailure {
  return failure(id, ErrorCode.InvalidParams, `Invalid params: ${problem}.`);
}

/** Whether the version that a complete envelope names is served; asked after headers were compared. */
export function versionFault(message: JsonRpcRequest): JsonRpcFailure | undefined {
  const version = String(metaOf(message)?.[MetaKey.ProtocolVersion]);
  return MODERN_VERSIONS.includes(version) ? undefined : unsupportedVersion(message.id, version, MODERN_VERSIONS);
}

/** The version that an `initialize` is answered with: the one asked for, else the newest. */
export function negotiate(requested: string): HandshakeVersion {
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0];
}
