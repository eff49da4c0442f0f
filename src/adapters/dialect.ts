import type { AccessToken } from '../core/access-token.js';
import type { ClientPort } from '../core/client-port.js';
import type { NotificationSink } from '../core/context.js';
import type { Principal, TransportKind } from '../core/principal.js';
import type { HostRequest, ProtocolServer } from './host.js';

/** One request as its host tells it, in the same words for every host. */
export interface Exchange {
  readonly id: string | number | undefined;
  readonly session: string | undefined;
  /** The request's `_meta`, as it came. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly sink: NotificationSink;
  /** The client, where it can be asked. */
  readonly client: ClientPort | undefined;
  readonly transport: TransportKind;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>> | undefined;
  readonly clientInfo: Readonly<Record<string, unknown>> | undefined;
  readonly accessToken: AccessToken | undefined;
  readonly principal: Principal | undefined;
  readonly raw: unknown;
}

/** What differs between the SDK majors. */
export interface Dialect {
  readonly major: 1 | 2;
  exchange(server: ProtocolServer, request: HostRequest, extra: unknown): Exchange;
  /** Whether this server speaks the modern era. */
  isModern(server: ProtocolServer): boolean;
}

/** The token that progress is reported under, where the client asked for it. */
export function progressToken(meta: Readonly<Record<string, unknown>> | undefined): string | number | undefined {
  const token = meta?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Lets a notification go out without waiting for it: one that cannot be delivered is nobody's error. */
export function letGo(sending: () => unknown): void {
  try {
    const sent = sending();
    if (sent instanceof Promise) sent.catch(() => undefined);
  } catch {
    // The same, of a host that fails at once.
  }
}
