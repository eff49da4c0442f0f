import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect, Exchange } from '../dialect.js';
import { DIALECT_V1 } from '../dialect-v1.js';
import type { HostRequest, ProtocolServer } from '../host.js';
import { type Caller, callerOf } from '../../core/identity.js';
import type { SessionCarrier, Transport } from './session-hooks.js';

/** What a transport says beside a message. FastMCP's HTTP transport is not of the SDK that its sessions are of. */
interface MessageExtra {
  readonly request?: Request;
  readonly authInfo?: unknown;
  readonly requestInfo?: { readonly headers?: unknown };
}

const MESSAGES = new AsyncLocalStorage<MessageExtra>();

/** What `authenticate` said of each session's caller. */
const AUTHS = new WeakMap<ProtocolServer, () => unknown>();

/** Notes whom a session belongs to. */
export function rememberAuth(server: ProtocolServer, auth: () => unknown): void {
  AUTHS.set(server, auth);
}

/** What `authenticate` returned may be a user, or what an SDK would have at `auth`. */
function callerOfSession({ accessToken, principal }: Exchange, authInfo: unknown, given: unknown): Caller {
  const caller = callerOf({ principal, auth: accessToken ?? authInfo, user: given });
  return caller.principal === undefined && caller.accessToken === undefined ? callerOf({ auth: given }) : caller;
}

/** SDK 1.x, on a transport that tells its requests in another way. */
const DIALECT: Dialect = Object.freeze({
  ...DIALECT_V1,
  exchange(server: ProtocolServer, request: HostRequest, extra: unknown): Exchange {
    const exchange = DIALECT_V1.exchange(server, request, extra);
    const message = MESSAGES.getStore();
    const auth = AUTHS.get(server)?.();
    const headers = message?.request === undefined ? exchange.headers : Object.fromEntries(message.request.headers);
    return {
      ...exchange,
      transport: message?.request === undefined ? exchange.transport : 'http',
      headers,
      ...callerOfSession(exchange, message?.authInfo, auth),
      raw: { extra, request: message?.request, auth },
    };
  },
});

/** Keeps what came with a message while it is worked on. */
export const FASTMCP_CARRIER: SessionCarrier = Object.freeze({
  dialect: DIALECT,
  carry(transport: Transport): void {
    const { onmessage } = transport;
    if (onmessage === undefined) return;
    transport.onmessage = (message, extra) => {
      MESSAGES.run(extra ?? {}, () => onmessage(message, extra));
    };
  },
});
