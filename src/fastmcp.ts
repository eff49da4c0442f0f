import { FastMCP, FastMCPSession } from 'fastmcp';
import type { Binding } from './adapters/binding.js';
import { installFastMcp } from './adapters/fastmcp/adapter.js';
import type { MountOptions } from './adapters/options.js';
import type { Layer } from './layer/layer.js';

export { FastMCP };
export { principalOfUser } from './core/identity.js';

const ADAPTER = installFastMcp({ FastMCP, FastMCPSession });

/**
 * Mounts a layer in a FastMCP server: in every session that connects from then on. Importing `cartouche/fastmcp` is
 * enough for `layer.registerInto(server)` to do the same.
 *
 * @throws {ConfigurationError} For a server of another copy of `fastmcp`, and with every option that cannot be used.
 */
export function registerIntoFastMcp(layer: Layer, server: object, options: MountOptions = {}): Binding {
  return ADAPTER.mount(layer, server, options);
}
