import { AsyncLocalStorage } from 'node:async_hooks';
import { Principal } from '../../core/principal.js';
import type { Dialect, Exchange } from '../dialect.js';
import { DIALECT_V1 } from '../dialect-v1.js';
import type { HostRequest, ProtocolServer } from '../host.js';
import { accessTokenOf, principalOf } from '../identity.js';
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

/**
 * A principal of what `authenticate` returned, where it says who it is: `id`, `userId`, `sub` or `username`, with
 * `roles` and `scopes` where they are lists. Anything else is for a resolver, which finds it as `info.raw.auth`.
 */
export function principalOfSession(auth: unknown): Principal | undefined {
  const carried = principalOf(auth);
  if (carried !== undefined) return carried;
  if (typeof auth !== 'object' || auth === null) return undefined;
  const claims = auth as Record<string, unknown>;
  const id = [claims['id'], claims['userId'], claims['sub'], claims['username']].find(isId);
  if (id === undefined) return undefined;
  return new Principal({
    id: String(id),
    roles: ['default', ...texts(claims['roles']), ...texts(claims['scopes'])],
    attributes: { auth: 'host' },
  });
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
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
      accessToken: exchange.accessToken ?? accessTokenOf(message?.authInfo),
      principal: exchange.principal ?? principalOfSession(auth),
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
      MESSAGES.run((extra ?? {}) as MessageExtra, () => onmessage(message, extra));
    };
  },
});
