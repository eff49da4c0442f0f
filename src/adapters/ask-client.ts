import type { ClientCapabilities, ClientPort, HandshakeClient } from '../core/client-port.js';
import { CancelledError, McpLayerError } from '../core/errors.js';

/** Sends one request to the client through its own request's stream, as an SDK does. */
export type SendRequest = (
  request: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  schema: unknown,
  options: { readonly signal: AbortSignal; readonly timeout: number },
) => Promise<unknown>;

/** The revision that a server speaks whose SDK does not tell: capabilities say what its client can do. */
const NEWEST_HANDSHAKE = '2025-11-25';

/** Takes every answer as it is: what is asked for is checked by whoever asked. One object for all the SDKs' kinds of schemas. */
const ANYTHING = Object.freeze({
  safeParse: (data: unknown) => ({ success: true, data }),
  safeParseAsync: (data: unknown) => Promise.resolve({ success: true, data }),
  '~standard': Object.freeze({ version: 1, vendor: 'cartouche', validate: (value: unknown) => ({ value }) }),
});

/** A client that waits, behind an SDK's own way of asking it; `undefined` where nothing is known of what it can do. */
export function handshakeClient(
  capabilities: ClientCapabilities | undefined,
  version: string | undefined,
  send: SendRequest | undefined,
): ClientPort | undefined {
  if (capabilities === undefined || send === undefined) return undefined;
  const client: HandshakeClient = {
    era: 'handshake',
    version: version ?? NEWEST_HANDSHAKE,
    capabilities,
    request: async (method, params, { signal, timeoutMs }) => {
      try {
        return await send({ method, params }, ANYTHING, { signal, timeout: timeoutMs });
      } catch (error) {
        throw asLayerError(error);
      }
    },
  };
  return client;
}

/** SDK errors that are not the client's have texts as codes (2.x), or the two codes that 1.x gives them. */
function asLayerError(error: unknown): McpLayerError {
  const { code, data, message } = (error ?? {}) as { code?: unknown; data?: unknown; message?: unknown };
  if (typeof code !== 'number' || code === -32_000 || code === -32_001)
    return new CancelledError('The client has gone.');
  return new McpLayerError(String(message).replace(/^MCP error -?\d+: /, ''), data, { code });
}
