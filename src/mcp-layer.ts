import type { Binding } from './adapters/binding.js';
import { attachBus, type EventBus } from './adapters/changes.js';
import { hostFactory } from './adapters/host-factory.js';
import type { MountOptions } from './adapters/options.js';
import { registerInto } from './adapters/register-into.js';
import { ConfigurationError } from './core/errors.js';
import { finding } from './core/finding.js';
import type { Layer } from './layer/layer.js';
import { LayerCore } from './layer/layer-core.js';
import type { McpLayerOptions } from './layer/options.js';
import { protocolCollisions } from './native/extensions.js';
import { createFetchHandler, type FetchHandler } from './native/http/fronts/fetch-front.js';
import { createNodeHandler, type NodeHandler } from './native/http/fronts/node-front.js';
import type { HttpOptions } from './native/http/options.js';
import type { HttpServing, ServeHttpOptions } from './native/http/fronts/serve-http.js';
import type { StdioOptions, StdioServing } from './native/stdio.js';

/** The centre of a server: services and functions in, tools, resources, templates and prompts out, over any transport. */
export class McpLayer extends LayerCore implements Layer {
  /** @throws {ConfigurationError} With everything that is wrong with the options and the services. */
  constructor(options: McpLayerOptions) {
    super(options);
    const collisions = protocolCollisions(this.options.extensions);
    if (collisions.length > 0) throw new ConfigurationError(collisions);
  }

  /**
   * Serves over standard input and output, which belong to the protocol from then on. Resolves when serving has begun;
   * the process ends when the client closes the input.
   *
   * @throws {ConfigurationError} For an unknown transport, and with every option that cannot be used.
   */
  serve(transport: 'stdio', options?: StdioOptions): Promise<StdioServing>;
  /**
   * Listens on a port and serves over HTTP, in every revision at one path.
   *
   * @throws {ConfigurationError} With every option that cannot be used, and for a port that is taken.
   */
  serve(transport: 'http', options?: ServeHttpOptions): Promise<HttpServing>;
  async serve(transport: string, options?: StdioOptions & ServeHttpOptions): Promise<StdioServing | HttpServing> {
    if (transport === 'http') {
      const { serveHttp } = await import('./native/http/fronts/serve-http.js');
      return serveHttp(this, options);
    }
    if (transport !== 'stdio') {
      throw new ConfigurationError(
        finding('CT601', `layer.serve: no transport '${transport}'. Use 'stdio' or 'http'.`),
      );
    }
    // Loaded when it is used: a layer that is only called, or mounted, starts without it.
    const { serveStdio } = await import('./native/stdio.js');
    return serveStdio(this, options);
  }

  /**
   * A handler for `node:http`, Express and their like: `(request, response)`.
   *
   * @throws {ConfigurationError} With everything that is wrong with the options.
   */
  nodeHandler(options?: HttpOptions): NodeHandler {
    return createNodeHandler(this, options);
  }

  /**
   * A web-standard handler for Hono, Next, Deno, Bun and workers: `(request) => Promise<Response>`.
   *
   * @throws {ConfigurationError} With everything that is wrong with the options.
   */
  fetchHandler(options?: HttpOptions): FetchHandler {
    return createFetchHandler(this, options);
  }

  /**
   * Serves this layer from an MCP server that exists, beside what the server has. Nothing of the host is given up: its
   * own tools, resources and prompts come first in every list, and keep their names.
   *
   * @throws {TypeError} When `server` is nothing that a layer can be mounted in.
   * @throws {ConfigurationError} With every option that cannot be used.
   */
  registerInto(server: object, options?: MountOptions): Binding {
    return registerInto(this, server, options);
  }

  /**
   * Publishes this layer's changes on the listen bus of a host that makes a server per request, such as
   * `createMcpHandler(…).bus`. Once per bus is enough.
   *
   * @returns What detaches it.
   */
  attachBus(bus: EventBus): () => void {
    return attachBus(this, bus);
  }

  /** Wraps a host's factory, as `createMcpHandler` and `serveStdio` take it, so that every server it makes has this layer. */
  factory<A extends readonly unknown[], S extends object | Promise<object>>(
    makeServer: (...args: A) => S,
    options?: MountOptions,
  ): (...args: A) => S {
    return hostFactory(this, makeServer, options);
  }
}
