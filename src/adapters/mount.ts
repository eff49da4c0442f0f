import { BOUNDS } from '../core/bounds.js';
import type { Wire } from '../core/content.js';
import type { ContextInit, Looked } from '../core/context.js';
import { errorKind } from '../core/errors.js';
import { ALLOW_ALL, type Change } from '../core/ports.js';
import { nearest } from '../core/nearest.js';
import { type Principal, RequestInfo, type TransportKind } from '../core/principal.js';
import type { ListName } from '../layer/catalog.js';
import type { Layer } from '../layer/layer.js';
import { mayHear } from '../layer/may-hear.js';
import { Capabilities } from '../native/capabilities.js';
import type { CompletionRequest } from '../native/methods/completion-complete.js';
import { toolsCall } from '../native/methods/tools-call.js';
import { parameterFault } from '../native/http/wire/request-headers.js';
import { type ChangeTarget, followChanges } from './changes.js';
import type { Exchange } from './dialect.js';
import { foreignSession, HostError, NOT_OURS, toHostError } from './host-error.js';
import { resolvePrincipal } from '../core/identity.js';
import type { Mountable, ResolvedMountOptions } from './options.js';
import { ready } from './ready.js';
import { SessionOwners } from './session-owners.js';
import { Subscribers } from './subscribers.js';
import { warnOnce } from './warn-once.js';

/** Who a mount belongs to: passes changes on, and says what its clients speak. */
export interface MountHost {
  readonly handshakeOnly: boolean;
  /** Whether the host itself compares `Mcp-Param-*` headers with the arguments of tools that everybody sees. */
  readonly checksHeaders: boolean;
  deliver(change: Change, mount: Mount): void;
}

/** The parts a primitive needs to be included by. */
const RESOURCE_PARTS: readonly Mountable[] = ['resources', 'templates'];

const FOREIGN =
  'a session that one caller opened was used by another. The layer takes no part in it. Let the host refuse such requests.';

/** One layer in one server: what it has, and how requests for it run. */
export class Mount implements ChangeTarget {
  readonly layer: Layer;
  readonly options: ResolvedMountOptions;
  readonly subscribers: Subscribers;
  readonly #host: MountHost;
  readonly #owners = new SessionOwners();
  readonly #unfollow: () => void;
  /** Who the last request was from. */
  #caller: Principal | undefined;

  constructor(host: MountHost, layer: Layer, options: ResolvedMountOptions) {
    this.#host = host;
    this.layer = layer;
    this.options = options;
    this.subscribers = new Subscribers(layer);
    this.#unfollow = followChanges(layer, this);
    void ready(layer)?.catch(() => undefined);
  }

  includes(part: Mountable): boolean {
    return this.options.include.has(part);
  }

  /** Whether callers see different lists. */
  get varies(): boolean {
    return this.layer.policy !== ALLOW_ALL;
  }

  /** What is advertised for it, before the host's own choices. */
  get capabilities(): Record<string, unknown> {
    const { listChanged, promised } = this.options;
    const features = (['tools', 'prompts', 'completions'] as const).filter((feature) => promised.has(feature));
    const all = new Capabilities(this.layer, {
      listChanged: listChanged !== false,
      subscribe: this.includes('subscriptions'),
      features: RESOURCE_PARTS.some((part) => promised.has(part)) ? [...features, 'resources'] : features,
    }).toWire();
    const parts: Readonly<Record<string, readonly Mountable[]>> = { resources: RESOURCE_PARTS };
    return Object.fromEntries(
      Object.entries(all).filter(([name]) => (parts[name] ?? [name as Mountable]).some((part) => this.includes(part))),
    );
  }

  /** Whether the layer has a tool of this exposed name, for whichever caller. */
  hasTool(name: string): boolean {
    return this.includes('tools') && this.#hasNamed(this.layer.registry.tools, name);
  }

  hasPrompt(name: string): boolean {
    return this.includes('prompts') && this.#hasNamed(this.layer.registry.prompts, name);
  }

  hasUri(uri: string): boolean {
    const { registry } = this.layer;
    if (this.includes('resources') && registry.resources.has(uri)) return true;
    return this.includes('templates') && registry.findTemplate(uri) !== undefined;
  }

  hasTemplate(text: string): boolean {
    return this.includes('templates') && this.layer.registry.templates.has(text);
  }

  /** The schema that `Mcp-Param-*` headers of calls are compared with, where everybody may know that the tool is there. */
  publicInputSchema(name: string): unknown {
    return this.varies || !this.hasTool(name) ? undefined : this.layer.findTool(name)?.inputSchema;
  }

  /** What the layer adds to a list: nothing in a session of somebody else, where the host's part is the host's to give. */
  async list(list: ListName, exchange: Exchange): Promise<readonly Wire[]> {
    try {
      const { isForeign, ...options } = this.#call(exchange);
      if (isForeign) return [];
      await ready(this.layer);
      return await this.layer.list(list, options);
    } catch (error) {
      return fail(toHostError(this.layer, error));
    }
  }

  /** @returns {@link NOT_OURS} When there is no such tool for this caller, which the layer has taken note of. */
  async callTool(
    name: string,
    params: Readonly<Record<string, unknown>>,
    exchange: Exchange,
  ): Promise<Wire | typeof NOT_OURS> {
    const { isForeign, ...options } = this.#call(exchange);
    if (isForeign) return refused(this.layer.look('tool', name, options.context.principal));
    const looked = this.#checkHeaders(name, params, exchange, options.context);
    try {
      const starting = ready(this.layer);
      if (starting !== undefined) await starting;
      const result = await this.layer.callTool(name, params['arguments'], { ...options, looked });
      return result.toWire();
    } catch (error) {
      // Whatever else goes wrong in a tool is a result.
      if (errorKind(error) === 'NotFoundError') return NOT_OURS;
      return this.#inputRequired(error) ?? fail(toHostError(this.layer, error));
    }
  }

  async readResource(uri: string, exchange: Exchange): Promise<Wire | typeof NOT_OURS> {
    const { isForeign, ...options } = this.#call(exchange);
    const looked = this.layer.look('resource', uri, options.context.principal);
    if (isForeign) return refused(looked);
    try {
      await ready(this.layer);
      const contents = await this.layer.readResource(uri, { ...options, looked });
      return { contents: contents.map((entry) => entry.toWire()) };
    } catch (error) {
      if (looked.primitive === undefined && errorKind(error) === 'NotFoundError') return NOT_OURS;
      return this.#inputRequired(error) ?? fail(toHostError(this.layer, error, uri, this.#host.handshakeOnly));
    }
  }

  async getPrompt(name: string, args: unknown, exchange: Exchange): Promise<Wire | typeof NOT_OURS> {
    const { isForeign, ...options } = this.#call(exchange);
    const looked = this.layer.look('prompt', name, options.context.principal);
    if (isForeign) return refused(looked);
    try {
      await ready(this.layer);
      const result = await this.layer.getPrompt(name, args, { ...options, looked });
      return result.toWire();
    } catch (error) {
      if (looked.primitive === undefined && errorKind(error) === 'NotFoundError') return NOT_OURS;
      return this.#inputRequired(error) ?? fail(toHostError(this.layer, error));
    }
  }

  async complete(
    { reference, argument, given }: CompletionRequest,
    exchange: Exchange,
  ): Promise<Wire | typeof NOT_OURS> {
    const { isForeign, ...options } = this.#call(exchange);
    const { principal } = options.context;
    const looked =
      reference.type === 'ref/prompt'
        ? this.layer.look('prompt', reference.name, principal)
        : this.layer.look('template', reference.uri, principal);
    if (isForeign) return refused(looked);
    if (looked.primitive === undefined) return NOT_OURS;
    try {
      await ready(this.layer);
      return { completion: await this.layer.complete(reference, argument, { ...options, looked, arguments: given }) };
    } catch (error) {
      return fail(toHostError(this.layer, error));
    }
  }

  /** Who may subscribe to a resource: whoever sees it. `undefined` for anybody else. @throws {HostError} In a foreign session. */
  subscriber(uri: string, exchange: Exchange): Principal | undefined {
    const { context, isForeign } = this.#call(exchange);
    const looked = this.layer.look('resource', uri, context.principal);
    if (isForeign) refused(looked);
    return looked.primitive === undefined ? undefined : context.principal;
  }

  /** The name that one which nobody has may be meant for, of those that this caller sees. */
  nearest(list: 'tools' | 'prompts', name: string, exchange: Exchange): string | undefined {
    const { context, isForeign } = this.#call(exchange);
    if (isForeign || !this.includes(list)) return undefined;
    const { layer } = this;
    const seen = list === 'tools' ? layer.toolsWire(context.principal) : layer.promptsWire(context.principal);
    const names = seen.slice(0, BOUNDS.comparedNames.default).map((wire) => String(wire['name']));
    return nearest(name, names);
  }

  /**
   * Whether the client of a modern server may hear of a resource. Its streams are the host's: a connection is one caller's.
   *
   * @param transport Of the server, for a client that has only listened so far.
   */
  mayHear(uri: string, transport: TransportKind): boolean {
    if (!this.varies) return true;
    try {
      const info = new RequestInfo({ transport: this.options.transport ?? transport });
      const caller = this.#caller ?? resolvePrincipal(this.options, info, this.layer.logger);
      return mayHear(this.layer, uri, caller);
    } catch {
      // Whoever it is could not be said, and was logged.
      return false;
    }
  }

  deliver(change: Change): void {
    this.#host.deliver(change, this);
  }

  close(): void {
    this.#unfollow();
  }

  #hasNamed(map: ReadonlyMap<string, unknown>, name: string): boolean {
    const { prefix } = this.layer;
    return name.startsWith(prefix) && map.has(prefix === '' ? name : name.slice(prefix.length));
  }

  #call(exchange: Exchange): {
    readonly context: ContextInit & { readonly principal: Principal };
    readonly signal?: AbortSignal;
    /** Whether the session is another caller's. */
    readonly isForeign: boolean;
  } {
    const info = new RequestInfo({
      transport: this.options.transport ?? exchange.transport,
      ...(exchange.headers === undefined ? {} : { headers: exchange.headers }),
      sessionId: exchange.session,
      clientInfo: exchange.clientInfo,
      accessToken: exchange.accessToken,
      principal: exchange.principal,
      raw: exchange.raw,
    });
    const principal = resolvePrincipal(this.options, info, this.layer.logger);
    const isForeign = this.#owners.isForeign(exchange.session, principal);
    if (isForeign) warnOnce(this.layer, 'session', FOREIGN);
    else this.#caller = principal;
    const context = {
      principal,
      requestId: exchange.id,
      session: exchange.session,
      meta: exchange.meta,
      info,
      sink: exchange.sink,
      client: exchange.client,
    };
    return exchange.signal === undefined ? { context, isForeign } : { context, isForeign, signal: exchange.signal };
  }

  /** Hosts compare the headers of their own tools; a low-level one of nobody's. */
  #checkHeaders(
    name: string,
    params: Readonly<Record<string, unknown>>,
    { headers, id }: Exchange,
    { principal }: { readonly principal: Principal },
  ): Looked | undefined {
    if (headers?.['mcp-method'] === undefined || this.#host.handshakeOnly) return undefined;
    if (this.#host.checksHeaders && !this.varies) return undefined;
    const looked = this.layer.look('tool', name, principal);
    const declared = looked.primitive?.input.headerParams ?? [];
    if (declared.length === 0) return looked;
    const fault = parameterFault({ jsonrpc: '2.0', id: id ?? 0, method: toolsCall.name, params }, headers, declared);
    if (fault !== undefined) throw new HostError(fault.error.code, fault.error.message);
    return looked;
  }

  #inputRequired(error: unknown): Wire | undefined {
    if (errorKind(error) !== 'InputRequiredError' || this.#host.handshakeOnly) return undefined;
    return { resultType: 'input_required', ...((error as { data?: Wire }).data ?? {}) };
  }
}

/** The answer for what would be ours in a session of somebody else. What the caller may not know of is nobody's. */
function refused(looked: Looked): typeof NOT_OURS {
  if (looked.primitive !== undefined) throw foreignSession();
  return NOT_OURS;
}

function fail(error: HostError): never {
  throw error;
}
