import { AsyncLocalStorage } from 'node:async_hooks';
import type { Layer } from '../layer/layer.js';
import type { Binding } from './binding.js';
import { attachBus, type EventBus } from './changes.js';
import type { Dialect, Exchange } from './dialect.js';
import { DIALECT_V2 } from './dialect-v2.js';
import type { HighLevelServer, HostRequest, ProtocolServer } from './host.js';
import { callerOf, type CallerSlots } from '../core/identity.js';
import type { ResolvedMountOptions } from './options.js';

/** The strategy of `@rekog/mcp-nest` 2.x, by shape alone. It makes a server of SDK 2.x for every request or session. */
export interface NestStrategy {
  readonly options?: { readonly transports?: readonly NestTransport[] };
  bindRequestHandlers(server: HighLevelServer, session: unknown, request?: unknown): void;
  /** Private by TypeScript's word only. A server is connected before its handlers are bound, and too late for capabilities. */
  createServer?(): HighLevelServer;
}

/** Its HTTP transport, whose handler for the modern era has the bus that listen streams hang on. */
interface NestTransport {
  readonly modernHandler?: { readonly bus?: EventBus };
  /** The servers of its sessions, where it has any. */
  readonly servers?: Readonly<Record<string, HighLevelServer>>;
}

type MountIn = (
  layer: Layer,
  server: ProtocolServer,
  dialect: Dialect,
  options: ResolvedMountOptions,
  highLevel: HighLevelServer,
) => () => void;

/** The application's own request behind each server: the last one, where several share it. */
const REQUESTS = new WeakMap<ProtocolServer, unknown>();

/** The request that is being worked on: those of one session share a server, and overtake one another. */
const CURRENT = new AsyncLocalStorage<{ readonly server: ProtocolServer; readonly request: unknown }>();

const MOUNTED = new WeakMap<NestStrategy, Map<Layer, Binding>>();

/**
 * Mounts in every server that a strategy makes, where it knows the application's own request, and so its user: Nest's
 * guards have run by then.
 */
export function mountNest(
  layer: Layer,
  strategy: NestStrategy,
  options: ResolvedMountOptions,
  mountIn: MountIn,
): Binding {
  const layers = MOUNTED.get(strategy) ?? new Map<Layer, Binding>();
  MOUNTED.set(strategy, layers);
  const known = layers.get(layer);
  if (known !== undefined) {
    layer.logger.warn(
      'registerInto: this layer is mounted in this strategy already. It stays as it is; unmount it first to change it.',
    );
    return known;
  }
  const before = strategy.bindRequestHandlers.bind(strategy);
  const create = strategy.createServer?.bind(strategy);
  const unmounts = new WeakMap<HighLevelServer, () => void>();
  let isMounted = true;
  const mount = (server: HighLevelServer): void => {
    if (isMounted && !unmounts.has(server))
      unmounts.set(server, mountIn(layer, server.server, DIALECT, options, server));
  };
  const bind: NestStrategy['bindRequestHandlers'] = (server, session, request) => {
    REQUESTS.set(server.server, request);
    // What calls this goes on to hand the request to the server, in the same turn.
    CURRENT.enterWith({ server: server.server, request });
    mount(server);
    if (isMounted) attachBuses(layer, strategy);
    before(server, session, request);
  };
  const make = (): HighLevelServer => {
    const server = (create as () => HighLevelServer)();
    mount(server);
    return server;
  };
  strategy.bindRequestHandlers = bind;
  if (create !== undefined) strategy.createServer = make;
  const binding: Binding = {
    kind: 'nest',
    sdkMajor: 2,
    layer,
    server: strategy,
    unmount() {
      isMounted = false;
      layers.delete(layer);
      if (strategy.bindRequestHandlers === bind) strategy.bindRequestHandlers = before;
      if (create !== undefined && strategy.createServer === make) strategy.createServer = create;
      const sessions = (strategy.options?.transports ?? []).flatMap(({ servers }) => Object.values(servers ?? {}));
      for (const server of sessions) unmounts.get(server)?.();
    },
  };
  layers.set(layer, binding);
  return binding;
}

/** The handler exists only once the application listens. */
function attachBuses(layer: Layer, { options }: NestStrategy): void {
  for (const { modernHandler } of options?.transports ?? []) {
    const bus = modernHandler?.bus;
    if (typeof bus?.publish === 'function') attachBus(layer, bus);
  }
}

/** SDK 2.x, with what Nest knows of the caller. */
const DIALECT: Dialect = Object.freeze({
  ...DIALECT_V2,
  exchange(server: ProtocolServer, message: HostRequest, extra: unknown): Exchange {
    const exchange = DIALECT_V2.exchange(server, message, extra);
    const current = CURRENT.getStore();
    const request = current?.server === server ? current.request : REQUESTS.get(server);
    if (request === undefined || !isOf(request, exchange.headers)) return exchange;
    const { auth, principal, user } = request as CallerSlots;
    const caller = callerOf({ principal: exchange.principal ?? principal, auth: exchange.accessToken ?? auth, user });
    return { ...exchange, ...caller, raw: { context: extra, request } };
  },
});

/** One that came in between must not lend its user to another's. */
function isOf(request: unknown, headers: Exchange['headers']): boolean {
  const own = (request as { readonly headers?: Exchange['headers'] }).headers;
  return (['authorization', 'cookie'] as const).every((name) => own?.[name] === headers?.[name]);
}
