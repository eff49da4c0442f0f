import type { LayerCore } from '../layer/layer-core.js';
import type { Binding } from './binding.js';
import { attachBus, type EventBus } from './changes.js';
import type { Dialect } from './dialect.js';
import { DIALECT_V2 } from './dialect-v2.js';
import type { HighLevelServer, ProtocolServer } from './host.js';
import { principalOfUser } from './identity.js';
import type { ResolvedMountOptions } from './options.js';

/** The strategy of `@rekog/mcp-nest` 2.x, by shape alone. It makes a server of SDK 2.x for every request or session. */
export interface NestStrategy {
  readonly options?: { readonly transports?: readonly NestTransport[] };
  bindRequestHandlers(server: HighLevelServer, session: unknown, request?: unknown): void;
}

/** Its HTTP transport, whose handler for the stateless era has the bus that listen streams hang on. */
interface NestTransport {
  readonly modernHandler?: { readonly bus?: EventBus };
  /** The servers of its sessions, where it has any. */
  readonly servers?: Readonly<Record<string, HighLevelServer>>;
}

type MountIn = (
  layer: LayerCore,
  server: ProtocolServer,
  dialect: Dialect,
  options: ResolvedMountOptions,
  highLevel: HighLevelServer,
) => () => void;

const MOUNTED = new WeakMap<NestStrategy, Map<LayerCore, Binding>>();

/**
 * Mounts in every server that a strategy makes, where it knows the application's own request, and so its user: Nest's
 * guards have run by then.
 */
export function mountNest(
  layer: LayerCore,
  strategy: NestStrategy,
  options: ResolvedMountOptions,
  mountIn: MountIn,
): Binding {
  const layers = MOUNTED.get(strategy) ?? new Map<LayerCore, Binding>();
  MOUNTED.set(strategy, layers);
  const known = layers.get(layer);
  if (known !== undefined) {
    layer.logger.warn(
      'registerInto: this layer is mounted in this strategy already. It stays as it is; unmount it first to change it.',
    );
    return known;
  }
  const before = strategy.bindRequestHandlers.bind(strategy);
  const unmounts = new WeakMap<HighLevelServer, () => void>();
  let isMounted = true;
  const bind: NestStrategy['bindRequestHandlers'] = (server, session, request) => {
    if (isMounted) {
      unmounts.set(server, mountIn(layer, server.server, dialectOf(request), options, server));
      attachBuses(layer, strategy);
    }
    before(server, session, request);
  };
  strategy.bindRequestHandlers = bind;
  const binding: Binding = {
    kind: 'nest',
    sdkMajor: 2,
    layer,
    server: strategy,
    unmount() {
      isMounted = false;
      layers.delete(layer);
      if (strategy.bindRequestHandlers === bind) strategy.bindRequestHandlers = before;
      const sessions = (strategy.options?.transports ?? []).flatMap(({ servers }) => Object.values(servers ?? {}));
      for (const server of sessions) unmounts.get(server)?.();
    },
  };
  layers.set(layer, binding);
  return binding;
}

/** The handler exists only once the application listens. */
function attachBuses(layer: LayerCore, { options }: NestStrategy): void {
  for (const { modernHandler } of options?.transports ?? []) {
    const bus = modernHandler?.bus;
    if (typeof bus?.publish === 'function') attachBus(layer, bus);
  }
}

/** SDK 2.x, with what Nest knows of the caller. */
function dialectOf(request: unknown): Dialect {
  if (request === undefined) return DIALECT_V2;
  return {
    ...DIALECT_V2,
    exchange(server, message, extra) {
      const exchange = DIALECT_V2.exchange(server, message, extra);
      const { user } = request as { readonly user?: unknown };
      return { ...exchange, principal: exchange.principal ?? principalOfUser(user), raw: { context: extra, request } };
    },
  };
}
