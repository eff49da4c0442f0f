import { checkOptions, isFilled, isFunction, isObject } from '../core/check-options.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Layer } from '../layer/layer.js';
import { NativeMcpServer } from '../native/native-server.js';
import type { NativeServerOptions } from '../native/options.js';
import type { Binding } from './binding.js';
import { installFastMcp } from './fastmcp/adapter.js';
import { loadIfInstalled, loadPackage, missingPackage } from './load-package.js';
import { type MountOptions, resolveMountOptions } from './options.js';
import { registerInto } from './register-into.js';

/** The servers that can be built of a layer alone. */
export const FLAVORS = Object.freeze(['auto', 'native', 'sdk', 'sdk-v1', 'sdk-v2', 'mcpserver', 'fastmcp'] as const);

/** One of {@link FLAVORS}. */
export type Flavor = (typeof FLAVORS)[number];

/** A class of servers, as every SDK and fastmcp have them. */
export type ServerClass<S extends object = object> = new (...args: never[]) => S;

/** How a server is built. */
export interface BuildOptions<S extends object = object> extends MountOptions {
  /** Names the server to clients. Default: the layer's name. */
  readonly name?: string;
  /** The class to build with, where it is not this package's to load: a copy in the other module format, a subclass. */
  readonly serverClass?: ServerClass<S>;
  /** For `native`. */
  readonly native?: NativeServerOptions;
}

/** The rest is what mounting takes. */
const CHECKS = { name: isFilled, native: isObject, serverClass: isFunction };

const BINDINGS = new WeakMap<object, Binding>();

/** The binding of a server that {@link buildServer} made. */
export function bindingOf(server: object): Binding | undefined {
  return BINDINGS.get(server);
}

/**
 * Builds a server that serves nothing but a layer. `sdk` is the low-level server of the newest SDK that is installed,
 * `mcpserver` the high-level one, and `auto` as `sdk`, or `native` where no SDK is installed.
 *
 * @throws {ConfigurationError} For a flavor that there is not, a package that is not installed, and options that cannot
 * be used.
 */
export function buildServer(layer: Layer, flavor: 'native', options?: BuildOptions): Promise<NativeMcpServer>;
export function buildServer<S extends object>(
  layer: Layer,
  flavor: Flavor,
  options: BuildOptions<S> & { readonly serverClass: ServerClass<S> },
): Promise<S>;
export function buildServer(layer: Layer, flavor?: Flavor, options?: BuildOptions): Promise<object>;
export async function buildServer(layer: Layer, flavor: Flavor = 'auto', options: BuildOptions = {}): Promise<object> {
  if (!FLAVORS.includes(flavor)) {
    throw new ConfigurationError(
      finding('CT703', `buildServer: there is no flavor '${flavor}'. Use ${FLAVORS.join(', ')}.`),
    );
  }
  const { name, native, serverClass, ...mountOptions } = options;
  checkOptions('buildServer', isObject(options) === undefined ? { name, native, serverClass } : options, CHECKS);
  resolveMountOptions(mountOptions);
  if (flavor === 'native') return buildNative(layer, native, mountOptions);
  if (flavor === 'fastmcp') return buildFastMcp(layer, name, serverClass, mountOptions);
  const Server = serverClass ?? (await classOf(flavor));
  if (Server === undefined) return buildNative(layer, native, mountOptions);
  const { instructions } = layer.options;
  const server = new (Server as new (info: object, options: object) => object)(implementation(layer, name), {
    capabilities: {},
    ...(instructions === undefined ? {} : { instructions }),
  });
  return mounted(layer, server, mountOptions);
}

/* eslint-disable @typescript-eslint/no-deprecated -- the low-level servers are what `sdk` asks for */
/** `undefined` when no SDK is installed, and none has to be. */
async function classOf(flavor: Exclude<Flavor, 'native' | 'fastmcp'>): Promise<ServerClass | undefined> {
  const site = `buildServer '${flavor}'`;
  switch (flavor) {
    case 'sdk-v1':
      return (await loadPackage('sdk-v1 Server', site)).Server;
    case 'sdk-v2':
      return (await loadPackage('sdk-v2', site)).Server;
    case 'mcpserver': {
      const newest = await loadIfInstalled('sdk-v2');
      return (
        newest?.McpServer ??
        (await loadIfInstalled('sdk-v1 McpServer'))?.McpServer ??
        missingPackage('@modelcontextprotocol/server', site)
      );
    }
    default: {
      const newest = await loadIfInstalled('sdk-v2');
      const found = newest?.Server ?? (await loadIfInstalled('sdk-v1 Server'))?.Server;
      return found ?? (flavor === 'auto' ? undefined : missingPackage('@modelcontextprotocol/server', site));
    }
  }
}
/* eslint-enable @typescript-eslint/no-deprecated */

/** Who the server says it is: what the layer says of itself. */
function implementation(layer: Layer, name: string | undefined): Record<string, unknown> {
  const { description, icons, title, version, websiteUrl } = layer.options;
  return {
    name: name ?? layer.name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
  };
}

function buildNative(layer: Layer, native: NativeServerOptions | undefined, options: MountOptions): NativeMcpServer {
  const { listChanged, onResolverError, prefix, principalResolver } = options;
  if (prefix !== undefined) layer.setPrefix(prefix);
  const server = new NativeMcpServer(layer, { principalResolver, onResolverError, listChanged, ...native });
  BINDINGS.set(server, registerInto(layer, server));
  return server;
}

async function buildFastMcp(
  layer: Layer,
  name: string | undefined,
  serverClass: ServerClass | undefined,
  options: MountOptions,
): Promise<object> {
  const FastMcp = serverClass ?? (await fastMcpClass());
  const { instructions } = layer.options;
  const server = new (FastMcp as new (options: object) => object)({
    ...implementation(layer, name),
    ...(instructions === undefined ? {} : { instructions }),
  });
  return mounted(layer, server, options);
}

/** The class, of a package that `registerInto` knows from then on. */
async function fastMcpClass(): Promise<ServerClass> {
  const fastmcp = await loadPackage('fastmcp', "buildServer 'fastmcp'");
  installFastMcp(fastmcp);
  return fastmcp.FastMCP;
}

function mounted(layer: Layer, server: object, options: MountOptions): object {
  BINDINGS.set(server, registerInto(layer, server, options));
  return server;
}
