import type { TransportKind } from '../core/principal.js';

/** Classes of transports that are one user's own. Anything that is not listed is not trusted. */
const TRANSPORTS: Readonly<Record<string, TransportKind>> = Object.freeze({
  StdioServerTransport: 'stdio',
  StdioConnectionChannel: 'stdio',
  InMemoryTransport: 'memory',
  SSEServerTransport: 'sse',
  StreamableHTTPServerTransport: 'http',
  NodeStreamableHTTPServerTransport: 'http',
  WebStandardStreamableHTTPServerTransport: 'http',
  PerRequestHTTPServerTransport: 'http',
});

/** How a request arrived, by the transport's class: a hint, so that what is not known counts as `unknown`. */
export function transportKind(transport: object | undefined): TransportKind {
  const name = transport?.constructor.name ?? '';
  return Object.hasOwn(TRANSPORTS, name) ? (TRANSPORTS[name] as TransportKind) : 'unknown';
}
