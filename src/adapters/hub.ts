import type { Wire } from '../core/content.js';
import { isRecord } from '../core/guards.js';
import type { Change } from '../core/ports.js';
import type { Layer } from '../layer/layer.js';
import { fillCapabilities, type Filled, releaseCapabilities } from './fill-capabilities.js';
import { type Dialect, type Exchange, letGo } from './dialect.js';
import { HostClaims, type HostSide } from './host-claims.js';
import type { HighLevelServer, HostRequest, ProtocolServer, RawHandler } from './host.js';
import { Mount, type MountHost } from './mount.js';
import type { ResolvedMountOptions } from './options.js';
import type { Route, RoutingHost } from './route.js';
import { ROUTES } from './routes.js';
import { transportKind } from './transport-kind.js';
import { warnOnce } from './warn-once.js';

/** Where a server keeps its hub, whichever loaded copy of this package made it. */
const HUB = Symbol.for('cartouche.hub.1');

/** What an unchanged server answers `assertCanSetRequestHandler` with, when a handler of its own is there. */
type Methods =
  'setRequestHandler' | 'removeRequestHandler' | 'assertCanSetRequestHandler' | 'registerCapabilities' | 'notification';

/**
 * Stands between one low-level server and its handlers, for every layer mounted in it. Each method that a layer may have
 * a part in gets a router in the server's map of handlers, which is looked up at every request; the host's own handler is
 * kept beside it, whether it is set before or after, and is what answers for everything that no layer owns.
 */
export class ProtocolHub implements HostSide, MountHost, RoutingHost {
  readonly server: ProtocolServer;
  readonly dialect: Dialect;
  readonly claims: HostClaims;
  readonly mounts: Mount[] = [];
  highLevel: HighLevelServer | undefined;
  readonly #inner = new Map<string, RawHandler>();
  readonly #routers = new Map<string, RawHandler>();
  readonly #overrides = new Map<string, { readonly own: unknown; readonly before: unknown }>();
  #filled: Filled = new Map();

  constructor(server: ProtocolServer, dialect: Dialect) {
    this.server = server;
    this.dialect = dialect;
    this.claims = new HostClaims(this);
  }

  /** The hub of a server, made when there is none. */
  static of(server: ProtocolServer, dialect: Dialect, highLevel?: HighLevelServer): ProtocolHub {
    const slots = server as ProtocolServer & { [HUB]?: ProtocolHub };
    let hub = slots[HUB];
    if (hub === undefined) {
      hub = new ProtocolHub(server, dialect);
      Object.defineProperty(server, HUB, { value: hub, configurable: true });
    }
    hub.highLevel ??= highLevel;
    return hub;
  }

  get handshakeOnly(): boolean {
    return this.dialect.major === 1;
  }

  get checksHeaders(): boolean {
    return this.#overrides.has('toolInputSchemaJson');
  }

  get isModern(): boolean {
    return this.dialect.isModern(this.server);
  }

  /** Mounts a layer. One that is there already keeps its place and its options. */
  add(layer: Layer, options: ResolvedMountOptions): Mount {
    const known = this.mounts.find((mount) => mount.layer === layer);
    if (known !== undefined) {
      layer.logger.warn(
        'registerInto: this layer is mounted in this server already. It stays as it is; unmount it first to change it.',
      );
      return known;
    }
    if (this.mounts.length === 0) this.#takeOver();
    const mount = new Mount(this, layer, options);
    this.mounts.push(mount);
    this.#advertise(mount);
    for (const route of ROUTES) {
      if (!this.#routers.has(route.method) && route.parts.some((part) => mount.includes(part))) this.#install(route);
    }
    return mount;
  }

  /** Takes a layer out. With the last one, the server is what it was. */
  remove(mount: Mount): void {
    const index = this.mounts.indexOf(mount);
    if (index === -1) return;
    this.mounts.splice(index, 1);
    mount.close();
    if (this.mounts.length === 0) this.#giveBack();
  }

  inner(method: string): RawHandler | undefined {
    return this.#inner.get(method) ?? this.server.fallbackRequestHandler;
  }

  exchange(request: HostRequest, extra: unknown): Exchange {
    return this.dialect.exchange(this.server, request, extra);
  }

  /** What the SDK would make of a tool's result, for the revision that this client speaks. */
  project(result: Wire): Wire {
    if (this.server.projectCallToolResult !== undefined) return this.server.projectCallToolResult(result);
    const structured = result['structuredContent'];
    if (structured === undefined || isRecord(structured)) return result;
    return Object.fromEntries(Object.entries(result).filter(([key]) => key !== 'structuredContent'));
  }

  warnOnce(key: string, message: string): void {
    const [first] = this.mounts;
    if (first !== undefined) warnOnce(first.layer, key, message);
  }

  /** Tells this server's client, if it has one. Sending is safe in the modern era too: what no stream asked for is dropped. */
  deliver({ kind, uri }: Change, mount: Mount): void {
    const { server } = this;
    if (server.transport === undefined) return;
    if (kind === 'resource') {
      if (uri === undefined || !mount.includes('subscriptions')) return;
      const isMeant = this.isModern ? mount.mayHear(uri, transportKind(server.transport)) : mount.subscribers.hear(uri);
      if (!isMeant) return;
      const notification = { method: 'notifications/resources/updated', params: { uri } };
      letGo(() => server.notification(notification));
    } else if (server._capabilities[kind]?.['listChanged'] === true && mount.options.listChanged !== false) {
      letGo(() => server.notification({ method: `notifications/${kind}/list_changed` }));
    }
  }

  #advertise(mount: Mount): void {
    const isForced = mount.options.listChanged === true;
    const { added, filled } = fillCapabilities(this.server, mount.capabilities, this.#filled, isForced);
    this.#filled = filled;
    if (this.server.transport === undefined) return;
    if (added.length > 0) {
      warnOnce(
        mount.layer,
        'connected',
        `the server is connected, and a client that has initialised was not told of ${added.join(', ')}. Mount before connecting.`,
      );
    }
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      if (mount.capabilities[kind] !== undefined) this.deliver({ kind }, mount);
    }
  }

  #install({ handle, method }: Route): void {
    const { _requestHandlers: handlers } = this.server;
    const own = handlers.get(method);
    if (own !== undefined) this.#inner.set(method, own);
    const router: RawHandler = (request, extra) => handle(this, request, extra);
    this.#routers.set(method, router);
    handlers.set(method, router);
  }

  /** Lets the host set, remove and ask for its handlers as if no router were there. */
  #takeOver(): void {
    const handlers = this.server._requestHandlers;
    this.#override('setRequestHandler', (before) => (...args) => {
      const result = before(...args);
      for (const [method, router] of this.#routers) {
        const set = handlers.get(method);
        if (set === router || set === undefined) continue;
        this.#inner.set(method, set);
        handlers.set(method, router);
        this.claims.handlerSet(method);
      }
      return result;
    });
    this.#override('removeRequestHandler', (before) => (method) => {
      const router = this.#routers.get(String(method));
      const result = before(method);
      if (router === undefined) return result;
      this.#inner.delete(String(method));
      handlers.set(String(method), router);
      this.claims.handlerSet(String(method));
      return result;
    });
    this.#override('assertCanSetRequestHandler', (before) => (method) => {
      if (!this.#routers.has(String(method))) return before(method);
      if (!this.#inner.has(String(method))) return undefined;
      throw new Error(`A request handler for ${String(method)} already exists, which would be overridden`);
    });
    this.#override('registerCapabilities', (before) => (capabilities) => {
      const result = before(capabilities);
      for (const name of Object.keys(capabilities ?? {})) this.#filled.delete(name);
      return result;
    });
    this.#override('notification', (before) => (notification, options) => {
      const { method } = (notification ?? {}) as { method?: unknown };
      if (typeof method === 'string' && method.endsWith('/list_changed')) this.claims.invalidate();
      return before(notification, options);
    });
    this.#guardHeaders();
  }

  /** Lets the HTTP entry of 2.x find our tools' schemas, which it compares headers with before it dispatches. */
  #guardHeaders(): void {
    const { highLevel } = this;
    if (highLevel?.toolInputSchemaJson === undefined) return;
    const before = highLevel.toolInputSchemaJson.bind(highLevel);
    const own = (name: string): unknown => {
      if (Object.hasOwn(highLevel._registeredTools, name)) return before(name);
      return before(name) ?? this.mounts.find((mount) => mount.hasTool(name))?.publicInputSchema(name);
    };
    this.#replace(highLevel, 'toolInputSchemaJson', own);
  }

  #override(name: Methods, wrap: (before: (...args: unknown[]) => unknown) => (...args: unknown[]) => unknown): void {
    const before = this.server[name].bind(this.server) as (...args: unknown[]) => unknown;
    this.#replace(this.server, name, wrap(before));
  }

  #replace(target: object, name: string, own: unknown): void {
    const before = Object.hasOwn(target, name) ? (target as Record<string, unknown>)[name] : undefined;
    Object.defineProperty(target, name, { value: own, configurable: true, writable: true, enumerable: false });
    this.#overrides.set(name, { own, before });
  }

  #giveBack(): void {
    const { _requestHandlers: handlers } = this.server;
    for (const [method, router] of this.#routers) {
      if (handlers.get(method) !== router) continue;
      const inner = this.#inner.get(method);
      if (inner === undefined) handlers.delete(method);
      else handlers.set(method, inner);
    }
    for (const [name, { own, before }] of this.#overrides) {
      const target = (name === 'toolInputSchemaJson' ? this.highLevel : this.server) as unknown as Record<
        string,
        unknown
      >;
      // What somebody else put over it keeps calling ours, which then only passes on.
      if (target[name] !== own) continue;
      if (before === undefined) delete target[name];
      else target[name] = before;
    }
    releaseCapabilities(this.server, this.#filled);
    this.#routers.clear();
    this.#inner.clear();
    this.#overrides.clear();
    this.#filled = new Map();
    delete (this.server as ProtocolServer & { [HUB]?: ProtocolHub })[HUB];
  }
}
