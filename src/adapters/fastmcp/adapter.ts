import { ConfigurationError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import type { Layer } from '../../layer/layer.js';
import { type Binding, type HostAdapter, hostAdapters } from '../binding.js';
import type { MountOptions } from '../options.js';
import { mountInProtocol, prepareMount } from '../register-into.js';
import { FASTMCP_CARRIER, rememberAuth } from './dialect.js';
import { hookSessions, type MarkerTool, type Session, type SessionPrototype } from './session-hooks.js';

/** The package `fastmcp`, as far as it is needed. */
export interface FastMcpModule {
  readonly FastMCP: new (...args: never[]) => object;
  readonly FastMCPSession: { readonly prototype: object };
}

interface FastMcpServer {
  readonly sessions: readonly Session[];
  addTool(tool: MarkerTool): void;
}

/** Makes `registerInto` know the servers of one copy of fastmcp. Done twice, it is done once. */
export function installFastMcp({ FastMCP, FastMCPSession }: FastMcpModule): HostAdapter {
  const prototype = FastMCP.prototype as object;
  const known = hostAdapters().find((adapter) => adapter.kind === 'fastmcp' && adapter.accepts(prototype));
  if (known !== undefined) return known;
  const adapter = new FastMcpAdapter(FastMCP, FastMCPSession.prototype as SessionPrototype);
  hostAdapters().push(adapter);
  return adapter;
}

class FastMcpAdapter implements HostAdapter {
  readonly kind = 'fastmcp';
  readonly #FastMCP: FastMcpModule['FastMCP'];
  readonly #markers: ReturnType<typeof hookSessions>;
  /** Where each server has which layers, so that none is there twice. */
  readonly #mounted = new WeakMap<object, Map<Layer, Binding>>();

  constructor(FastMCP: FastMcpModule['FastMCP'], prototype: SessionPrototype) {
    this.#FastMCP = FastMCP;
    this.#markers = hookSessions(prototype, FASTMCP_CARRIER);
  }

  accepts(server: object): boolean {
    return server === this.#FastMCP.prototype || server instanceof this.#FastMCP;
  }

  mount(layer: Layer, server: object, options: unknown): Binding {
    if (!(server instanceof this.#FastMCP)) {
      throw new ConfigurationError(
        finding(
          'CT701',
          "registerInto: this FastMCP does not come from the copy of fastmcp that 'cartouche/fastmcp' imported. Import both in the same module format.",
        ),
      );
    }
    const layers = this.#mounted.get(server) ?? new Map<Layer, Binding>();
    this.#mounted.set(server, layers);
    const known = layers.get(layer);
    if (known !== undefined) {
      layer.logger.warn(
        'registerInto: this layer is mounted in this server already. It stays as it is; unmount it first to change it.',
      );
      return known;
    }
    const binding = this.#bind(layer, server as FastMcpServer, options as MountOptions, () => layers.delete(layer));
    layers.set(layer, binding);
    return binding;
  }

  #bind(layer: Layer, server: FastMcpServer, options: MountOptions, forget: () => void): Binding {
    const resolved = prepareMount(layer, options);
    if (server.sessions.length > 0) {
      layer.logger.warn('registerInto: sessions that are connected do not get this layer. Mount before start().');
    }
    const unmounts = new WeakMap<object, () => void>();
    const marker = this.#markers.make({
      opened(session: Session, auth) {
        rememberAuth(session.server, auth);
        unmounts.set(session, mountInProtocol(layer, session.server, FASTMCP_CARRIER.dialect, resolved));
      },
    });
    server.addTool(marker);
    return {
      kind: 'fastmcp',
      sdkMajor: 1,
      layer,
      server,
      unmount: () => {
        this.#markers.forget(marker);
        forget();
        for (const session of server.sessions) unmounts.get(session)?.();
      },
    };
  }
}
