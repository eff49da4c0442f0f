import type { ResourceContents, Wire } from '../core/content.js';
import { type CallOptions, type ContextInit, type LayerHandle, ToolContext } from '../core/context.js';
import { CancelledError, InvalidArgumentsError } from '../core/errors.js';
import type { CallKind, CompletionResult, Middleware, MiddlewareHost, ResultByKind } from '../core/middleware.js';
import type { Change, ChangeKind, Clock, Container, Ids, Logger, Policy } from '../core/ports.js';
import { Principal } from '../core/principal.js';
import type { PromptResult } from '../core/prompt-result.js';
import type { ToolResult } from '../core/tool-result.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import { Registry } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { CompletionHandler } from '../registry/spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import { buildCatalog } from './build.js';
import { CallState, type Entry, type Runtime } from './call-state.js';
import type { Catalog, ListName } from './catalog.js';
import { Chain } from './chain.js';
import { Changes } from './changes.js';
import { describe, isControlFlow, toErrorResult, toLayerError } from './failures.js';
import { ServiceLifecycle } from './lifecycle.js';
import { type McpLayerOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { ServiceScopes } from './service-scopes.js';
import { runStages } from './stages.js';

/** What is completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** How a completion is asked for inside the process. */
export interface CompleteOptions extends CallOptions {
  /** The arguments that are known already. */
  readonly arguments?: Readonly<Record<string, string>>;
}

const NO_COMPLETION: CompletionResult = Object.freeze({ values: Object.freeze([]) as readonly string[], total: 0, hasMore: false });

/**
 * Runs primitives out of a container, for whoever carries requests: every request ends in exactly one of
 * {@link callTool}, {@link readResource}, {@link getPrompt} and {@link complete}, and nothing else calls a handler.
 */
export class LayerCore implements LayerHandle {
  /** Every primitive, filtered out or not. What is added or removed here is served, or no longer, at once. */
  readonly registry = new Registry();
  readonly options: ResolvedOptions;
  readonly #catalog: Catalog;
  readonly #chain = new Chain();
  readonly #changes: Changes;
  readonly #runtime: Runtime;
  readonly #container: Container;
  readonly #lifecycle: ServiceLifecycle;
  readonly #unlink: (() => void)[] = [];

  /** @throws {ConfigurationError} With everything that is wrong with the options and the services. */
  constructor(options: McpLayerOptions) {
    this.options = resolveOptions(options);
    this.#changes = new Changes(this.options.logger);
    const { catalog, container, unlink } = buildCatalog(this.registry, this.options, (list) => this.#changes.notify(list));
    this.#catalog = catalog;
    this.#container = container;
    this.#unlink.push(unlink);
    const scopes = new ServiceScopes(container);
    this.#runtime = { options: this.options, scopes };
    this.#lifecycle = new ServiceLifecycle(container, scopes, this.options.logger);
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
  async callTool(name: string, args?: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const checked = checkArguments(args);
    const call = this.#begin('tool', name, checked, options, (principal) => this.#catalog.tool(name, principal));
    return this.#run(call, options) as Promise<ToolResult>;
  }

  /**
   * Reads a resource, listed or of a template.
   *
   * @throws {NotFoundError} When there is none under this URI for this caller.
   */
  async readResource(uri: string, options: CallOptions = {}): Promise<readonly ResourceContents[]> {
    let variables: unknown;
    const call = this.#begin('resource', uri, undefined, options, (principal) => {
      const entry: Entry | undefined = this.#catalog.resource(uri, principal);
      if (entry !== undefined) return entry;
      const match = this.#catalog.matchTemplate(uri, principal);
      variables = match?.variables;
      return match?.entry;
    });
    return this.#run(call.withArguments(variables), options) as Promise<readonly ResourceContents[]>;
  }

  /**
   * Renders a prompt by its exposed name.
   *
   * @throws {NotFoundError} When there is none of that name for this caller.
   * @throws {InvalidArgumentsError} When the arguments do not fit.
   */
  async getPrompt(name: string, args?: unknown, options: CallOptions = {}): Promise<PromptResult> {
    const checked = checkArguments(args);
    const call = this.#begin('prompt', name, checked, options, (principal) => this.#catalog.prompt(name, principal));
    return this.#run(call, options) as Promise<PromptResult>;
  }

  /** Offers values for an argument. Empty for what is not there or fails; a refusal by the policy is thrown. */
  async complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    options: CompleteOptions = {},
  ): Promise<CompletionResult> {
    const name = `${reference.type === 'ref/prompt' ? reference.name : reference.uri}#${argument.name}`;
    let handler: CompletionHandler | undefined;
    const call = this.#begin('completion', name, argument.value, options, (principal) => {
      const entry = this.#completed(reference, principal);
      handler = entry && completionOf(entry.spec, argument.name);
      return handler && entry;
    });
    if (handler === undefined) return NO_COMPLETION;
    call.completion = { partial: argument.value, given: options.arguments ?? {}, handler };
    return this.#run(call, options) as Promise<CompletionResult>;
  }

  listTools(principal: Principal = Principal.local()): readonly ToolSpec[] {
    return this.#catalog.list('tools', principal).map(({ spec }) => spec as ToolSpec);
  }

  listResources(principal: Principal = Principal.local()): readonly ResourceSpec[] {
    return this.#catalog.list('resources', principal).map(({ spec }) => spec as ResourceSpec);
  }

  listResourceTemplates(principal: Principal = Principal.local()): readonly ResourceTemplateSpec[] {
    return this.#catalog.list('templates', principal).map(({ spec }) => spec as ResourceTemplateSpec);
  }

  listPrompts(principal: Principal = Principal.local()): readonly PromptSpec[] {
    return this.#catalog.list('prompts', principal).map(({ spec }) => spec as PromptSpec);
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
  async list(list: ListName, options: CallOptions = {}): Promise<readonly Wire[]> {
    const call = this.#begin('list', list, undefined, options, () => undefined);
    return this.#run(call, options) as Promise<readonly Wire[]>;
  }

  /** The tool that a caller reaches by an exposed name. */
  findTool(name: string, principal: Principal = Principal.local()): ToolSpec | undefined {
    return this.#catalog.tool(name, principal)?.spec;
  }

  /** The prompt that a caller reaches by an exposed name. */
  findPrompt(name: string, principal: Principal = Principal.local()): PromptSpec | undefined {
    return this.#catalog.prompt(name, principal)?.spec;
  }

  /** The resource or template that a caller reaches by a URI. */
  findResource(uri: string, principal: Principal = Principal.local()): ResourceSpec | ResourceTemplateSpec | undefined {
    return this.#catalog.resource(uri, principal)?.spec ?? this.#catalog.matchTemplate(uri, principal)?.entry.spec;
  }

  /** Makes the context of a request, for carriers and for tests. */
  context(init?: ContextInit): ToolContext {
    return new ToolContext(this, init);
  }

  /** Adds a middleware inside those that are there. @throws {ConfigurationError} Once a request was served. */
  use(middleware: Middleware): this {
    this.#chain.use(middleware);
    if (typeof middleware === 'object') middleware.attach?.(this.#hostFor(middleware.name));
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

  /** Tells clients that a list, or with `resource` the contents of one URI, changed. Repeated ones are told once. */
  notifyChange(kind: ChangeKind, uri?: string): void {
    this.#changes.notify(kind, uri);
  }

  /** Makes the shared services and calls their `onStart`, once. Serving does it; a layer that is only called need not. */
  start(): Promise<void> {
    return this.#lifecycle.start(async () => {
      const services = this.options.services.filter((cls) => !this.#container.isRequestScoped(cls));
      for (const cls of services) await this.#runtime.scopes.shared.resolve(cls);
    });
  }

  /** Ends what runs: request scopes, then `onStop` of the shared services in reverse order, then the middleware. Once. */
  async close(): Promise<void> {
    for (const unlink of this.#unlink.splice(0)) unlink();
    await this.#lifecycle.close();
    for (const middleware of [...this.#chain.list].reverse()) {
      if (typeof middleware === 'object') await middleware.close?.();
    }
  }

  /** How many requests hold a scope of their own now. */
  get openScopes(): number {
    return this.#runtime.scopes.openCount;
  }

  #begin(
    kind: CallKind,
    name: string,
    args: unknown,
    options: CallOptions,
    find: (principal: Principal) => Entry | undefined,
  ): CallState {
    const context = this.#contextFor(options);
    return new CallState(this.#runtime, kind, name, args, context, find(context.principal));
  }

  /** A context serves one request: a nested call gets one of its own, which ends with its parent's. */
  #contextFor({ context, principal }: CallOptions): ToolContext {
    if (context instanceof ToolContext) {
      const own = principal === undefined || principal === context.principal;
      if (own && context.layer === this && context.begin()) return context;
      const { requestId, session, meta, info } = context;
      return this.#started(new ToolContext(this, { principal: principal ?? context.principal, requestId, session, meta, info }));
    }
    return this.#started(new ToolContext(this, principal === undefined ? context : { ...context, principal }));
  }

  #started(context: ToolContext): ToolContext {
    context.begin();
    return context;
  }

  async #run(call: CallState, { context: outer, signal }: CallOptions): Promise<ResultByKind[CallKind]> {
    const { context } = call;
    const parents = [signal, outer instanceof ToolContext && outer !== context ? outer.signal : undefined];
    const unlink = linkAborts(context, parents);
    try {
      return await this.#chain.run(call, () => this.#attempt(call));
    } catch (thrown) {
      return this.#fail(call, thrown);
    } finally {
      context.finish();
      unlink?.();
      if (call.holdsScope) await this.#release(call);
    }
  }

  /** One run of the stages. A retry starts anew, with the arguments as they came. */
  async #attempt(call: CallState): Promise<ResultByKind[CallKind]> {
    if (call.kind === 'list') return this.#catalog.wire(call.name as ListName, call.principal);
    call.value = call.args;
    const waiting = runStages(call, call.found().stages);
    if (waiting !== undefined) await waiting;
    return call.value as ResultByKind[CallKind];
  }

  #fail(call: CallState, thrown: unknown): ResultByKind[CallKind] {
    if (isControlFlow(thrown)) throw thrown;
    const error = toLayerError(call, thrown);
    if (call.kind === 'tool') return toErrorResult(call, error, this.options);
    if (call.kind === 'completion' && isFailedCompletion(error)) return NO_COMPLETION;
    throw error;
  }

  async #release(call: CallState): Promise<void> {
    try {
      await call.release();
    } catch (error) {
      this.logger.error(`the scope of ${call.name} failed to close`, describe(error));
    }
  }

  #completed(reference: CompletionReference, principal: Principal): Entry<PromptSpec | ResourceTemplateSpec> | undefined {
    if (reference.type === 'ref/prompt') return this.#catalog.prompt(reference.name, principal);
    return this.#catalog.template(reference.uri, principal) ?? this.#catalog.matchTemplate(reference.uri, principal)?.entry;
  }

  #hostFor(name: string): MiddlewareHost {
    return {
      layer: this,
      metaPrefix: this.options.metaPrefix,
      logger: this.logger,
      clock: this.clock,
      onChange: (listener) => this.onChange(listener),
      addResource: (uri, options, read) => {
        this.registry.resource({ ...options, uri, name, category: 'operations', sensitivity: 'internal' }, read);
      },
    };
  }
}

/** Nothing stands for `{}`. @throws {InvalidArgumentsError} For anything else that is no object. */
function checkArguments(args: unknown): object {
  if (args === undefined || args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args;
  throw new InvalidArgumentsError([{ loc: '', msg: 'the arguments must be an object', type: 'object_type' }]);
}

function completionOf(spec: PromptSpec | ResourceTemplateSpec, argument: string): CompletionHandler | undefined {
  if (spec.kind === 'template') return spec.completions.get(argument);
  return spec.arguments.find(({ name }) => name === argument)?.completion;
}

/** A refusal is told; whatever else goes wrong with a suggestion is not worth an error. */
function isFailedCompletion(error: unknown): boolean {
  const name = (error as Error).name;
  return name !== 'AccessDeniedError' && name !== 'RateLimitedError';
}

/** Ends the call when any of `signals` fires, until the returned function is called. */
function linkAborts(context: ToolContext, signals: readonly (AbortSignal | undefined)[]): (() => void) | undefined {
  let unlink: (() => void) | undefined;
  for (const signal of signals) {
    if (signal === undefined) continue;
    const abort = (): void => context.abort(new CancelledError());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const before = unlink;
    unlink = () => {
      before?.();
      signal.removeEventListener('abort', abort);
    };
  }
  return unlink;
}
