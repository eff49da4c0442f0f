import { FastMCP, FastMCPSession } from 'fastmcp';
import { type Binding, hostAdapters } from './adapters/binding.js';
import { FASTMCP_CARRIER, rememberAuth } from './adapters/fastmcp/dialect.js';
import { hookSessions, type Session, type SessionPrototype } from './adapters/fastmcp/session-hooks.js';
import type { MountOptions } from './adapters/options.js';
import { mountInProtocol, prepareMount } from './adapters/register-into.js';
import { ConfigurationError } from './core/errors.js';
import { finding } from './core/finding.js';
import type { LayerCore } from './layer/layer-core.js';

export { FastMCP };
export { principalOfUser } from './adapters/identity.js';

const MARKERS = hookSessions(FastMCPSession.prototype as unknown as SessionPrototype, FASTMCP_CARRIER);

/** Where each server has which layers, so that none is there twice. */
const MOUNTED = new WeakMap<object, Map<LayerCore, Binding>>();

/**
 * Mounts a layer in a FastMCP server: in every session that connects from then on. Importing `cartouche/fastmcp` is
 * enough for `layer.registerInto(server)` to do the same.
 *
 * @throws {ConfigurationError} For a server of another copy of `fastmcp`, and with every option that cannot be used.
 */
export function registerIntoFastMcp(layer: LayerCore, server: object, options: MountOptions = {}): Binding {
  if (!(server instanceof FastMCP)) {
    throw new ConfigurationError(
      finding(
        'CT701',
        "registerInto: this FastMCP does not come from the copy of fastmcp that 'cartouche/fastmcp' imported. Import both in the same module format.",
      ),
    );
  }
  const layers = MOUNTED.get(server) ?? new Map<LayerCore, Binding>();
  MOUNTED.set(server, layers);
  const known = layers.get(layer);
  if (known !== undefined) {
    layer.logger.warn(
      'registerInto: this layer is mounted in this server already. It stays as it is; unmount it first to change it.',
    );
    return known;
  }
  const resolved = prepareMount(layer, options);
  if (server.sessions.length > 0) {
    layer.logger.warn('registerInto: sessions that are connected do not get this layer. Mount before start().');
  }
  const unmounts = new WeakMap<object, () => void>();
  const marker = MARKERS.make({
    opened(session: Session, auth) {
      rememberAuth(session.server, auth);
      unmounts.set(session, mountInProtocol(layer, session.server, FASTMCP_CARRIER.dialect, resolved));
    },
  });
  server.addTool(marker as Parameters<typeof server.addTool>[0]);
  const binding: Binding = {
    kind: 'fastmcp',
    sdkMajor: 1,
    layer,
    server,
    unmount() {
      MARKERS.forget(marker);
      layers.delete(layer);
      for (const session of server.sessions) unmounts.get(session)?.();
    },
  };
  layers.set(layer, binding);
  return binding;
}

hostAdapters().push({
  kind: 'fastmcp',
  accepts: (server) => server instanceof FastMCP,
  mount: (layer, server, options) => registerIntoFastMcp(layer, server, options as MountOptions),
});
