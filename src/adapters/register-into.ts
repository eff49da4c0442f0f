import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Layer } from '../layer/layer.js';
import { type Binding, hostAdapters } from './binding.js';
import { attachBus } from './changes.js';
import { type DetectedServer, detectServer } from './detect.js';
import type { Dialect } from './dialect.js';
import { DIALECT_V1 } from './dialect-v1.js';
import { DIALECT_V2 } from './dialect-v2.js';
import type { HighLevelServer, ProtocolServer } from './host.js';
import { ProtocolHub } from './hub.js';
import { mountNest, type NestStrategy } from './nest-strategy.js';
import { type MountOptions, resolveMountOptions, type ResolvedMountOptions } from './options.js';

/** Layers that were mounted before, which a new prefix renames everywhere. */
const MOUNTED = new WeakSet<Layer>();

/**
 * Serves a layer from a server that exists: its lists follow the host's own, calls go to whoever owns the name, and
 * what nobody owns goes to the host.
 *
 * @throws {TypeError} When `server` is nothing that a layer can be mounted in.
 * @throws {ConfigurationError} With every option that cannot be used.
 */
export function registerInto(layer: Layer, server: object, options: MountOptions = {}): Binding {
  const detected = detectServer(server);
  const { kind, target } = detected;
  if (kind === 'fastmcp') return adapterFor(kind, target).mount(layer, target, options);
  const resolved = prepareMount(layer, options);
  if (kind === 'native') return bindNative(layer, target);
  if (kind === 'nest') return mountNest(layer, target as NestStrategy, resolved, mountInProtocol);
  return mountProtocol(layer, detected, resolved);
}

/** Checks the options, names the layer as they say, and attaches their bus. @throws {ConfigurationError} */
export function prepareMount(layer: Layer, options: MountOptions): ResolvedMountOptions {
  const resolved = resolveMountOptions(options);
  const { bus, prefix } = resolved;
  if (prefix !== undefined && prefix !== layer.prefix) {
    if (MOUNTED.has(layer)) {
      layer.logger.warn(
        `registerInto: the layer is mounted with the prefix '${layer.prefix}' already. It is '${prefix}' everywhere now; use one layer per prefix.`,
      );
    }
    layer.setPrefix(prefix);
  }
  MOUNTED.add(layer);
  if (bus !== undefined) attachBus(layer, bus);
  return resolved;
}

function mountProtocol(layer: Layer, detected: DetectedServer, options: ResolvedMountOptions): Binding {
  const { highLevel, kind, protocol, sdkMajor, target } = detected;
  const dialect = sdkMajor === 2 ? DIALECT_V2 : DIALECT_V1;
  const unmount = mountInProtocol(layer, protocol as ProtocolServer, dialect, options, highLevel);
  return { kind, sdkMajor, layer, server: target, unmount };
}

/** Mounts in one low-level server. @returns What takes the layer out again. */
export function mountInProtocol(
  layer: Layer,
  server: ProtocolServer,
  dialect: Dialect,
  options: ResolvedMountOptions,
  highLevel?: HighLevelServer,
): () => void {
  const hub = ProtocolHub.of(server, dialect, highLevel);
  const mount = hub.add(layer, options);
  return () => hub.remove(mount);
}

/** @throws {ConfigurationError} When the subpath that knows the host was not imported, or only for another copy of the host. */
function adapterFor(kind: 'fastmcp', server: object): ReturnType<typeof hostAdapters>[number] {
  const known = hostAdapters().filter((adapter) => adapter.kind === kind);
  const adapter = known.find((candidate) => candidate.accepts(server));
  if (adapter !== undefined) return adapter;
  const problem =
    known.length === 0
      ? `the adapter for ${kind} is not loaded`
      : `this server is of another copy of its package than 'cartouche/${kind}' imported`;
  throw new ConfigurationError(
    finding(
      'CT704',
      `registerInto: ${problem}. Write import 'cartouche/${kind}' where the server's own package is imported, in the same module format.`,
    ),
  );
}

/** @throws {TypeError} For the server of another layer. */
function bindNative(layer: Layer, server: object): Binding {
  if ((server as { layer?: unknown }).layer !== layer) {
    throw new TypeError(
      'registerInto: this NativeMcpServer serves another layer. Merge the registries, or mount in a host.',
    );
  }
  return { kind: 'native', sdkMajor: undefined, layer, server, unmount: () => undefined };
}
