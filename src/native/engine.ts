import type { Wire } from '../core/content.js';
import { ErrorCode } from '../core/errors.js';
import { resolvePrincipal } from '../core/identity.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { Capabilities } from './capabilities.js';
import { MetaKey } from './era.js';
import { Extensions } from './extensions.js';
import { toResponse, unexpected } from './failures.js';
import { ListenStreams } from './listen.js';
import { Lists } from './lists.js';
import { failure, type JsonRpcFailure, type JsonRpcRequest, type JsonRpcResponse, success } from './messages.js';
import type { Method, MethodHost, RunningMethod } from './method.js';
import { type CacheableMethod, LIST_METHODS } from './methods/index.js';
import { type NativeServerOptions, type ResolvedServerOptions, resolveServerOptions } from './options.js';
import type { ActiveRequest } from './request.js';
import type { Revision } from './revisions.js';
import type { RunningRequests } from './running.js';

/** What all conversations of one server share. */
export class Engine implements MethodHost {
  readonly options: ResolvedServerOptions;
  readonly capabilities: Capabilities;
  readonly lists: Lists;
  readonly listening: ListenStreams;
  readonly #extensions: Extensions;
  readonly #identities = new Map<Revision, { readonly info: Wire; readonly meta: Wire }>();

  /** @throws {ConfigurationError} With every option that cannot be used. */
  constructor(
    readonly layer: Layer,
    options: NativeServerOptions,
  ) {
    this.options = resolveServerOptions(layer, options);
    this.#extensions = new Extensions(layer);
    this.capabilities = new Capabilities(layer, this.options, (era) => this.#extensions.capabilities(era));
    this.lists = new Lists(this.options.pageSize, (revision, list, page) =>
      this.cacheable(revision, LIST_METHODS[list], page),
    );
    const { maxListenStreams: max, maxListenStreamsPerCaller: maxPerCaller } = this.options;
    this.listening = new ListenStreams({ max, maxPerCaller }, this.#extensions);
  }

  /** Every method that is answered, by name. */
  get methods(): ReadonlyMap<string, Method> {
    return this.#extensions.methods;
  }

  /** Who this server is, as far as a revision can say it. */
  identity(revision: Revision): Wire {
    return this.#identityOf(revision).info;
  }

  /** Adds to a new result what all results of its revision carry. */
  finish(revision: Revision, result: Wire): Wire {
    if (revision.era === 'handshake') return result;
    result['resultType'] ??= 'complete';
    if (!this.options.identify) return result;
    const { info, meta } = this.#identityOf(revision);
    const own = result['_meta'];
    result['_meta'] = own === undefined ? meta : withKey(own as Wire, MetaKey.ServerInfo, info);
    return result;
  }

  /** The same for answers that clients may keep. */
  cacheable(revision: Revision, method: string, result: Wire): Wire {
    if (revision.era === 'handshake') return result;
    const { ttlMs, cacheScope } = this.options.cacheHints[method as CacheableMethod];
    result['ttlMs'] = ttlMs;
    result['cacheScope'] = cacheScope;
    return this.finish(revision, result);
  }

  /**
   * Runs a method. Never rejects; nothing is answered once the request was cancelled.
   *
   * @param running Where the request is known while it runs.
   */
  async answer(
    method: RunningMethod,
    active: ActiveRequest,
    running?: RunningRequests,
  ): Promise<JsonRpcResponse | undefined> {
    const { id } = active.message;
    try {
      if (this.#extensions.wraps(method)) {
        const result = await this.#wrapped(method, active);
        return active.cancelled ? undefined : success(id, result);
      }
      const value = await method.run(this, active);
      return active.cancelled ? undefined : success(id, method.result(this, active, value));
    } catch (thrown) {
      return active.cancelled ? undefined : this.#failed(method, active, thrown);
    } finally {
      running?.remove(active);
    }
  }

  /** A result that an extension made is finished like any other; the method's own is finished already, and may be shared. */
  async #wrapped(method: RunningMethod, active: ActiveRequest): Promise<Wire> {
    let own: Wire | undefined;
    const result = await this.#extensions.wrap(method, active, async () => {
      own = method.result(this, active, await method.run(this, active));
      return own;
    });
    return result === own ? result : this.finish(active.revision, { ...result });
  }

  /** Who a request comes from. @throws {McpLayerError} When that cannot be said. */
  principalOf(info: RequestInfo): Principal {
    return resolvePrincipal(this.options, info, this.layer.logger);
  }

  /** The answer to a request that could not even be begun. Never throws. */
  unexpected(message: JsonRpcRequest, thrown: unknown): JsonRpcFailure {
    return this.#guarded(message, () => unexpected({ layer: this.layer, message }, thrown));
  }

  #failed(method: RunningMethod, active: ActiveRequest, thrown: unknown): JsonRpcResponse {
    return this.#guarded(active.message, () =>
      toResponse(method, active, thrown, (result) => this.finish(active.revision, result)),
    );
  }

  /** A logger may throw, or an error whose properties do: then there is nobody left to tell but the client. */
  #guarded<T>({ id }: JsonRpcRequest, answer: () => T): T | JsonRpcFailure {
    try {
      return answer();
    } catch {
      return failure(id, ErrorCode.InternalError, 'Internal error.');
    }
  }

  #identityOf(revision: Revision): { readonly info: Wire; readonly meta: Wire } {
    let identity = this.#identities.get(revision);
    if (identity === undefined) {
      const { name, version, title, description, websiteUrl, icons } = this.layer.options;
      const all = Object.entries({ name, version, title, description, websiteUrl, icons }).filter(
        ([, value]) => value !== undefined,
      );
      const info = Object.freeze(revision.implementation(Object.fromEntries(all)));
      identity = { info, meta: Object.freeze({ [MetaKey.ServerInfo]: info }) };
      this.#identities.set(revision, identity);
    }
    return identity;
  }
}

/** A copy with one more key. Spreading takes ten times as long where the keys are not those of a literal, as in `_meta`. */
function withKey(own: Wire, key: string, value: unknown): Wire {
  const copy: Wire = Object.assign({}, own);
  copy[key] = value;
  return copy;
}
