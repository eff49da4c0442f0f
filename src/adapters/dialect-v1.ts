import { callerOf } from '../core/identity.js';
import type { LogLevel, NotificationSink } from '../core/context.js';
import type { TransportKind } from '../core/principal.js';
import { progressParams } from '../native/messages.js';
import { handshakeClient, type SendRequest } from './ask-client.js';
import { type Dialect, type Exchange, letGo, progressToken } from './dialect.js';
import type { HostRequest, ProtocolServer } from './host.js';
import { transportKind } from './transport-kind.js';

/** What SDK 1.x gives a handler beside the request. */
interface ExtraV1 {
  readonly requestId?: string | number;
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly authInfo?: unknown;
  readonly requestInfo?: { readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> };
  sendNotification(notification: object): Promise<void>;
  readonly sendRequest?: SendRequest;
}

/** Sends what belongs to one request on that request's own stream, which a stateless server has nothing but. */
class Sink implements NotificationSink {
  constructor(
    readonly server: ProtocolServer,
    readonly extra: ExtraV1,
    readonly token: string | number | undefined,
  ) {}

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    const { extra, server } = this;
    if (server._capabilities['logging'] === undefined) return;
    if (server.isMessageIgnored?.(level, extra.sessionId) === true) return;
    const params = { level, data, ...(logger === undefined ? {} : { logger }) };
    letGo(() => extra.sendNotification({ method: 'notifications/message', params }));
  }
}

class ProgressSink extends Sink {
  progress(progress: number, total: number | undefined, message: string | undefined): void {
    const params = progressParams(this.token, progress, total, message);
    letGo(() => this.extra.sendNotification({ method: 'notifications/progress', params }));
  }
}

/** The sink of one request of SDK 1.x. */
function sinkV1(server: ProtocolServer, extra: ExtraV1): NotificationSink {
  const token = progressToken(extra._meta);
  return new (token === undefined ? Sink : ProgressSink)(server, extra, token);
}

/** Headers whose values may be lists, as Node gives them. */
function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const flat: Record<string, string | undefined> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    flat[name.toLowerCase()] = typeof value === 'string' || value === undefined ? value : value.join(', ');
  }
  return flat;
}

/** A transport that knows of an HTTP request is one, whatever its class is called. */
function kindOf(server: ProtocolServer, isHttp: boolean): TransportKind {
  const kind = transportKind(server.transport);
  return isHttp && kind !== 'sse' ? 'http' : kind;
}

/** `@modelcontextprotocol/sdk` 1.x: handshake revisions only. */
export const DIALECT_V1: Dialect = Object.freeze({
  major: 1,
  isModern: () => false,
  exchange(server: ProtocolServer, _request: HostRequest, given: unknown): Exchange {
    const extra = given as ExtraV1;
    const { authInfo, requestInfo } = extra;
    return {
      id: extra.requestId,
      session: extra.sessionId,
      meta: extra._meta,
      signal: extra.signal,
      sink: sinkV1(server, extra),
      client: handshakeClient(server.getClientCapabilities?.(), undefined, extra.sendRequest),
      transport: kindOf(server, requestInfo !== undefined),
      headers: requestInfo?.headers === undefined ? undefined : flatten(requestInfo.headers),
      clientInfo: server.getClientVersion?.(),
      ...callerOf({ auth: authInfo }),
      raw: extra,
    };
  },
});
