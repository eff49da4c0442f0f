import type { Wire } from '../core/content.js';
import type { Exchange } from './dialect.js';
import type { HostClaims } from './host-claims.js';
import type { HostRequest, ProtocolServer, RawHandler } from './host.js';
import type { Mount } from './mount.js';
import type { Mountable } from './options.js';

/** What a route needs to know of the server it stands in. */
export interface RoutingHost {
  readonly server: ProtocolServer;
  readonly mounts: readonly Mount[];
  readonly claims: HostClaims;
  readonly handshakeOnly: boolean;
  readonly isModern: boolean;
  inner(method: string): RawHandler | undefined;
  exchange(request: HostRequest, extra: unknown): Exchange;
  project(result: Wire): Wire;
}

/** One method that layers have a part in. */
export interface Route {
  readonly method: string;
  /** Any of them brings the method along. */
  readonly parts: readonly Mountable[];
  readonly handle: (host: RoutingHost, request: HostRequest, extra: unknown) => unknown;
}
