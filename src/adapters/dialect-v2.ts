import { callerOf } from '../core/identity.js';
import type { ClientPort } from '../core/client-port.js';
import type { LogLevel, NotificationSink } from '../core/context.js';
import { progressParams } from '../native/messages.js';
import { handshakeClient, type SendRequest } from './ask-client.js';
import { type Dialect, type Exchange, letGo, progressToken } from './dialect.js';
import type { HostRequest, ProtocolServer } from './host.js';
import { transportKind } from './transport-kind.js';

/** What SDK 2.x gives a handler beside the request. */
interface ContextV2 {
  readonly sessionId?: string | undefined;
  readonly http?: { readonly authInfo?: unknown; readonly req?: { readonly headers: Iterable<[string, string]> } };
  readonly mcpReq: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: Readonly<Record<string, unknown>>;
    /** The reserved `_meta` keys of the modern era, which the SDK takes out of `_meta`. */
    readonly envelope?: Readonly<Record<string, unknown>>;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    requestState(): unknown;
    readonly send?: SendRequest;
    notify(notification: object): Promise<void>;
    log?(level: string, data: unknown, logger?: string): Promise<void>;
  };
}

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** The first revision of the modern era. Revisions are dates, so that they compare as text. */
const MODERN = '2026-07-28';

/** Sends what belongs to one request on that request's own stream. */
class Sink implements NotificationSink {
  constructor(
    readonly context: ContextV2,
    readonly token: string | number | undefined,
  ) {}

  /** The SDK asks for the level: of the session, or in the modern era of the request. */
  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    letGo(() => this.context.mcpReq.log?.(level, data, logger));
  }
}

class ProgressSink extends Sink {
  progress(progress: number, total: number | undefined, message: string | undefined): void {
    const params = progressParams(this.token, progress, total, message);
    letGo(() => this.context.mcpReq.notify({ method: 'notifications/progress', params }));
  }
}

/** What a client of either era can be asked. What it answers a question of ours with is ours to check, so it is taken as it came. */
function clientOf(server: ProtocolServer, { mcpReq }: ContextV2): ClientPort | undefined {
  const version = server.getNegotiatedProtocolVersion?.();
  if (version === undefined || version < MODERN)
    return handshakeClient(server.getClientCapabilities?.(), version, mcpReq.send);
  return {
    era: 'modern',
    version,
    capabilities: (mcpReq.envelope?.[CLIENT_CAPABILITIES] ?? {}) as ClientPort['capabilities'],
    inputResponses: mcpReq.inputResponses,
    requestState: mcpReq.requestState(),
  };
}

/** `@modelcontextprotocol/server` 2.x: both eras. */
export const DIALECT_V2: Dialect = Object.freeze({
  major: 2,
  isModern: (server: ProtocolServer) => (server.getNegotiatedProtocolVersion?.() ?? '') >= MODERN,
  exchange(server: ProtocolServer, _request: HostRequest, given: unknown): Exchange {
    const context = given as ContextV2;
    const { http, mcpReq } = context;
    const { _meta: own, envelope } = mcpReq;
    const meta = envelope === undefined ? own : { ...envelope, ...own };
    const token = progressToken(meta);
    return {
      id: mcpReq.id,
      session: context.sessionId,
      meta,
      signal: mcpReq.signal,
      client: clientOf(server, context),
      sink: new (token === undefined ? Sink : ProgressSink)(context, token),
      transport: http === undefined ? transportKind(server.transport) : 'http',
      headers: http?.req === undefined ? undefined : Object.fromEntries(http.req.headers),
      clientInfo: (envelope?.[CLIENT_INFO] as Exchange['clientInfo']) ?? server.getClientVersion?.(),
      ...callerOf({ auth: http?.authInfo }),
      raw: context,
    };
  },
});
