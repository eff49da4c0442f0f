import { StateSealer } from '../asking/sealer.js';
import type { Container } from '../core/container.js';
import type { ResourceContents, Wire } from '../core/content.js';
import { type CallOptions, type ContextInit, type Looked, ToolContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import type { CompletionResult, Middleware } from '../core/middleware.js';
import type { Change, ChangeKind, Clock, Ids, Logger, Policy, Primitive } from '../core/ports.js';
import { Principal } from '../core/principal.js';
import type { PromptResult } from '../core/prompt-result.js';
import type { ToolResult } from '../core/tool-result.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import { Registry } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import { buildCatalog } from './build.js';
import type { CompleteOptions } from './call-kinds.js';
import { propertyKey, type Runtime } from './call-parts.js';
import type { Catalog, ListName } from './catalog.js';
import { Carriers } from './carriers.js';
import { Chain } from './chain.js';
import { Changes } from './changes.js';
import { Deadlines } from './deadlines.js';
import { ExtensionLifecycle } from './extension-lifecycle.js';
import { closed } from './failures.js';
import type { CompletionReference, Layer } from './layer.js';
import { ServiceLifecycle } from './lifecycle.js';
import { Look } from './look.js';
import { middlewareHost } from './middleware-host.js';
import { type McpLayerOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { Requests } from './requests.js';
import { ServiceScopes } from './service-scopes.js';
import { UndeclaredWarning } from './undeclared.js';
import { warnOfUndescribed } from './undescribed.js';

const NO_OPTIONS: CallOptions = Object.freeze({});

/**
 * Runs primitives out of a container, for whoever carries requests: every request ends in exactly one of
 * {@link callTool}, {@link readResource}, {@link getPrompt} and {@link complete}, and nothing else calls a handler.
 */
export class LayerCore implements Layer {
  /** Every primitive, filtered out or not. What is added or removed here is served, or no longer, at once. */
  readonly registry: Registry;
  readonly options: ResolvedOptions;
  readonly #catalog: Catalog;
  readonly #chain = new Chain();
  readonly #changes: Changes;
  readonly #runtime: Runtime;
  readonly #container: Container;
  readonly #lifecycle: ServiceLifecycle;
  readonly #requests: Requests;
  readonly #extensions: ExtensionLifecycle;
  readonly #undeclared: UndeclaredWarning;
  readonly #unlink: (() => void)[] = [];
  readonly #carriers = new Carriers();
  #closing: Promise<void> | undefined;

  /** @throws {ConfigurationError} With everything that is wrong with the options and the services. */
  constructor(options: McpLayerOptions) {
    this.options = resolveOptions(options);
    this.registry = new Registry({ defaultCapabilities: this.options.defaultCapabilities });
    this.#changes = new Changes(this.options);
    const { catalog, container, unlink } = buildCatalog(this.registry, this.options, (list) =>
      this.#changes.notify(list),
    );
    this.#undeclared = new UndeclaredWarning(this.registry, this.options);
    this.#undeclared.give();
    this.#catalog = catalog;
    this.#container = container;
    this.#unlink.push(unlink, this.#changes.connect());
    const scopes = new ServiceScopes(container);
    const sealer = new StateSealer(this.options.requestState, this.options.clock);
    this.#runtime = {
      options: this.options,
      durationKey: propertyKey(`${this.options.metaPrefix}duration_ms`),
      scopes,
      deadlines: new Deadlines(this.options.clock),
      sealer,
      isClosed: false,
    };
    this.#lifecycle = new ServiceLifecycle(container, scopes, this.options.logger);
    this.#extensions = new ExtensionLifecycle(this.options.extensions, this.options.logger);
    this.#requests = new Requests(this, this.#runtime, catalog, this.#chain);
    const { clock, ids, logger, metaPrefix, name, policy, stores } = this.options;
    const primitives = (): readonly Primitive[] => [...this.registry];
    policy.attach?.({ layer: name, metaPrefix, logger, clock, ids, limits: stores.limits, primitives });
    for (const middleware of this.options.middleware) this.use(middleware);
  }

  get name(): string {
    return this.options.name;
  }

  get version(): string {
    return this.options.version;
  }

  get logger(): Logger {
    return this.options.logger;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  get ids(): Ids {
    return this.options.ids;
  }

  get policy(): Policy {
    return this.options.policy;
  }

  get container(): Container {
    return this.#container;
  }

  get prefix(): string {
    return this.#catalog.prefix;
  }

  /** Renames every tool and prompt. @throws {ConfigurationError} When the prefix cannot stand before a name. */
  setPrefix(prefix: string): void {
    if (prefix === this.prefix) return;
    this.#catalog.setPrefix(prefix);
    this.notifyChange('tools');
    this.notifyChange('prompts');
  }

  /** Calls a tool by its exposed name. What goes wrong in it is a result with `isError`. */
  callTool(name: string, args?: unknown, options: CallOptions = NO_OPTIONS): Promise<ToolResult> {
    return this.#requests.run({ kind: 'tool', name, args }, options);
  }

  /**
   * Reads a resource, listed or of a template.
   *
   * @throws {NotFoundError} When there is none under this URI for this caller.
   */
  readResource(uri: string, options: CallOptions = NO_OPTIONS): Promise<readonly ResourceContents[]> {
    return this.#requests.run({ kind: 'resource', name: uri }, options);
  }

  /**
   * Renders a prompt by its exposed name.
   *
   * @throws {NotFoundError} When there is none of that name for this caller.
   * @throws {InvalidArgumentsError} When the arguments do not fit.
   */
  getPrompt(name: string, args?: unknown, options: CallOptions = NO_OPTIONS): Promise<PromptResult> {
    return this.#requests.run({ kind: 'prompt', name, args }, options);
  }

  /** Offers values for an argument. Empty for what is not there or fails; a refusal by the policy is thrown. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    options: CompleteOptions = NO_OPTIONS,
  ): Promise<CompletionResult> {
    const name = reference.type === 'ref/prompt' ? reference.name : reference.uri;
    const target = {
      kind: 'completion',
      name,
      args: argument.value,
      reference: { type: reference.type, argument: argument.name, text: argument.value },
    } as const;
    return this.#requests.run(target, options);
  }

  listTools(principal: Principal = Principal.local()): readonly ToolSpec[] {
    return this.#catalog.list('tool', principal).map(({ spec }) => spec);
  }

  listResources(principal: Principal = Principal.local()): readonly ResourceSpec[] {
    return this.#catalog.list('resource', principal).map(({ spec }) => spec);
  }

  listResourceTemplates(principal: Principal = Principal.local()): readonly ResourceTemplateSpec[] {
    return this.#catalog.list('template', principal).map(({ spec }) => spec);
  }

  listPrompts(principal: Principal = Principal.local()): readonly PromptSpec[] {
    return this.#catalog.list('prompt', principal).map(({ spec }) => spec);
  }

  /** Definitions, ready to be sent: the same array until something changes. Middleware does not see it. */
  toolsWire(principal: Principal = Principal.local()): readonly Wire[] {
    return this.#catalog.wire('tools', principal);
  }

  resourcesWire(principal: Principal = Principal.local()): readonly Wire[] {
    return this.#catalog.wire('resources', principal);
  }

  resourceTemplatesWire(principal: Principal = Principal.local()): readonly Wire[] {
    return this.#catalog.wire('templates', principal);
  }

  promptsWire(principal: Principal = Principal.local()): readonly Wire[] {
    return this.#catalog.wire('prompts', principal);
  }

  /** A list as a client's request gets it, through the middleware. */
  list(list: ListName, options: CallOptions = NO_OPTIONS): Promise<readonly Wire[]> {
    return this.#requests.run({ kind: 'list', name: list }, options);
  }

  /** What a caller's name stands for; passed on as `looked`, it keeps the policy from being asked twice. */
  look(kind: 'tool', name: string, principal: Principal): Looked<ToolSpec>;
  look(kind: 'prompt', name: string, principal: Principal): Looked<PromptSpec>;
  look(kind: 'resource', uri: string, principal: Principal): Looked<ResourceSpec | ResourceTemplateSpec>;
  look(kind: 'template', text: string, principal: Principal): Looked<ResourceTemplateSpec>;
  look(kind: 'tool' | 'prompt' | 'resource' | 'template', name: string, principal: Principal): Looked {
    return new Look(this.#catalog, kind, name, principal);
  }

  /** The tool that a caller reaches by an exposed name. */
  findTool(name: string, principal: Principal = Principal.local()): ToolSpec | undefined {
    return this.#catalog.see('tool', name, principal).entry?.spec;
  }

  /** The prompt that a caller reaches by an exposed name. */
  findPrompt(name: string, principal: Principal = Principal.local()): PromptSpec | undefined {
    return this.#catalog.see('prompt', name, principal).entry?.spec;
  }

  /** The resource or template that a caller reaches by a URI. */
  findResource(uri: string, principal: Principal = Principal.local()): ResourceSpec | ResourceTemplateSpec | undefined {
    return this.#catalog.read(uri, principal).entry?.spec;
  }

  /** Makes the context of a request, for carriers and for tests. */
  context(init?: ContextInit): ToolContext {
    return new ToolContext(this, init);
  }

  /** Adds a middleware inside those that are there. @throws {ConfigurationError} Once a request was served. */
  use(middleware: Middleware): this {
    this.#chain.use(middleware);
    if (typeof middleware === 'object') middleware.attach?.(middlewareHost(this, this.#catalog, middleware.name));
    return this;
  }

  /** The names of the middleware, outermost first. */
  get middlewareNames(): readonly string[] {
    return this.#chain.names;
  }

  /** Hears of changes until the returned function is called. */
  onChange(listener: (change: Change) => void): () => void {
    return this.#changes.onChange(listener);
  }

  /** Ends with this layer, unless the returned function is called before: for whatever carries requests to it. */
  onClose(listener: () => void): () => void {
    return this.#carriers.add(listener);
  }

  /** Tells clients that a list, or with `resource` the contents of one URI, changed. Repeated ones are told once. */
  notifyChange(kind: ChangeKind, uri?: string): void {
    this.#changes.notify(kind, uri);
  }

  /**
   * Starts the policy, makes the shared services and calls their `onStart`, once. Serving does it; a layer that is only
   * called need not.
   *
   * @throws {ConfigurationError} For a service that cannot be made, with what was thrown as its cause; and whatever a
   * policy's `start` or an `onStart` throws.
   */
  async start(): Promise<void> {
    await this.#lifecycle.start(async () => {
      this.#undeclared.give();
      warnOfUndescribed(this.registry, this.options);
      await this.policy.start?.();
      const services = this.options.services.filter((cls) => this.#container.lifetimeOf(cls) === 'shared');
      for (const cls of services) await this.#runtime.scopes.make(cls);
    });
    await this.#extensions.start(this);
  }

  /**
   * Ends what was made of this layer and what runs, once: no handler is reached any more, streams and sessions end,
   * requests that wait for their handlers are cancelled and their scopes closed, then `onStop` of the shared services in
   * reverse order, then the middleware, then the policy.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const unlink of this.#unlink.splice(0)) unlink();
    this.#runtime.isClosed = true;
    this.#carriers.endAll(this.logger);
    this.#runtime.deadlines.abortAll(closed());
    await this.#extensions.close();
    await this.#lifecycle.close();
    await this.#chain.close(this.logger);
    try {
      await this.policy.close?.();
    } catch (error) {
      this.logger.error(`the policy ${this.policy.name} failed to close`, describeThrown(error));
    }
  }

  /** How many requests hold a scope of their own now. */
  get openScopes(): number {
    return this.#runtime.scopes.openCount;
  }
}
