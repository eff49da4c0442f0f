import { emittedConstructor } from '../src/core/metadata.js';
import type { ToolContext } from '../src/core/context.js';
import { checkOptions, hasMethods, isList } from '../src/core/check-options.js';
import { mayBeLoaded, requireModule } from '../src/core/require-module.js';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import type { Class } from '../src/core/class.js';
import type { Container, Lifetime, Scope } from '../src/core/container.js';
import { DependencyWalk } from './tsyringe-dependencies.js';
import { copyFindings, type ParentContainer, registered } from './tsyringe-parent.js';

/** Something that services may have injected, besides classes: a value or a factory under a class, a string or a symbol. */
export type Provided<T = unknown> = {
  readonly token: InjectionToken<T>;
} & ({ readonly useValue: T } | { readonly useFactory: () => T } | { readonly useClass: Class<T> });

/** How a {@link TsyringeContainer} is made. */
export interface TsyringeOptions {
  /**
   * Your own container: what it has registered keeps its registration. Default: a new one that shares nothing. One of
   * another copy of tsyringe has to know the classes by itself, which is checked when the layer is built.
   */
  readonly parent?: ParentContainer;
  readonly provide?: readonly Provided[];
}

/**
 * Services out of tsyringe. `@McpService()` classes live as long as the layer, `@McpService({ scope: 'request' })` ones
 * as long as one request, in a child container; there a `ToolContext` can be injected too. Every other class is made
 * anew wherever it is injected.
 */
export class TsyringeContainer implements Container {
  #made: DependencyContainer | undefined;
  /** What was registered before anybody needed the container. */
  #waiting: ((container: DependencyContainer) => void)[] = [];
  readonly #parent: DependencyContainer | undefined;
  readonly #requestScoped = new Set<Class>();
  readonly #singletonClasses = new Set<Class>();
  /** What constructors call the context of a request: each loaded copy of this package has a class of its own. */
  readonly #contextTypes = new Set<Class>();
  readonly #created: object[] = [];
  #warm = false;

  /** @throws {ConfigurationError} For options that cannot be used. */
  constructor(options: TsyringeOptions = {}) {
    checkOptions('TsyringeContainer', options, {
      parent: hasMethods('createChildContainer', 'isRegistered'),
      provide: isList,
    });
    this.#parent = options.parent as DependencyContainer | undefined;
    const { provide = [] } = options;
    // Where the program has not loaded tsyringe, nothing can be registered anywhere, and it can wait for the first service.
    if (this.#parent === undefined && provide.length === 0 && !mayBeLoaded('tsyringe')) return;
    this.#made = this.#parent?.createChildContainer() ?? emptyContainer();
    for (const { token, ...provider } of provide) this.#made.register(token, provider as { useValue: unknown });
  }

  get #container(): DependencyContainer {
    if (this.#made !== undefined) return this.#made;
    const container = (this.#made = emptyContainer());
    for (const register of this.#waiting) register(container);
    this.#waiting = [];
    return container;
  }

  check(classes: readonly Class[]): readonly string[] {
    const walk = new DependencyWalk({
      isProvided: (token) => this.#made?.isRegistered(token, true) ?? false,
      registered: (token) => this.#made && registered(this.#made, token),
      isGlobal: (cls) =>
        this.#parent === undefined && mayBeLoaded('tsyringe') && tsyringe().container.isRegistered(cls),
    });
    for (const cls of classes) walk.visit(cls);
    for (const type of walk.contextTypes) this.#contextTypes.add(type);
    if (walk.findings.length > 0) return walk.findings;
    if (this.#parent !== undefined && !(this.#parent instanceof tsyringe().container.constructor)) {
      const foreign = copyFindings(this.#container, [...walk.classes.keys()]);
      if (foreign.length > 0) return foreign;
    }
    for (const [cls, scope] of walk.classes) {
      if (scope === 'request') this.#requestScoped.add(cls);
      const isOurs = scope !== undefined && this.#made?.isRegistered(cls, true) !== true;
      if (isOurs && scope === 'singleton') this.#singletonClasses.add(cls);
      this.#whenMade((container) => {
        if (emittedConstructor(cls) !== undefined) tsyringe().injectable()(cls);
        if (!isOurs || container.isRegistered(cls, true)) return;
        const { Lifecycle } = tsyringe();
        const lifecycle = scope === 'request' ? Lifecycle.ContainerScoped : Lifecycle.Singleton;
        container.register(cls, { useClass: cls }, { lifecycle });
        if (scope === 'singleton') this.#track(container, cls);
      });
    }
    return [];
  }

  #whenMade(register: (container: DependencyContainer) => void): void {
    if (this.#made === undefined) this.#waiting.push(register);
    else register(this.#made);
  }

  /** tsyringe tells nobody how long the instances of a registration live, so what the parent has registered is asked. */
  lifetimeOf(cls: Class): Lifetime {
    if (this.#requestScoped.has(cls)) return 'request';
    return this.#parent?.isRegistered(cls, true) === true ? 'ask' : 'shared';
  }

  resolve<T>(cls: Class<T>): T {
    return this.#container.resolve(cls);
  }

  start(): void {
    this.#createSingletons();
  }

  instances(): readonly object[] {
    return this.#created;
  }

  openScope(context: ToolContext): Scope {
    this.#createSingletons();
    const child = this.#container.createChildContainer();
    for (const type of this.#contextTypes) child.registerInstance(type, context);
    return { resolve: (cls) => child.resolve(cls), dispose: () => disposeOf(child) };
  }

  async dispose(): Promise<void> {
    if (this.#made !== undefined) await disposeOf(this.#made);
  }

  /** A singleton that a child container made would be disposed of with it, so all of them are made before the first. */
  #createSingletons(): void {
    if (this.#warm) return;
    this.#warm = true;
    for (const cls of this.#singletonClasses) this.resolve(cls);
  }

  #track(container: DependencyContainer, cls: Class): void {
    container.afterResolution(cls, (_token, instance) => void this.#created.push(instance as object), {
      frequency: 'Once',
    });
  }
}

/** Loaded with the first container: a server that has none starts without it. */
function tsyringe(): typeof import('tsyringe') {
  return requireModule('tsyringe') as typeof import('tsyringe');
}

/** tsyringe exports one container, the global one; a fresh one of its class shares nothing with anybody. */
function emptyContainer(): DependencyContainer {
  return new (tsyringe().container.constructor as new () => DependencyContainer)();
}

async function disposeOf(container: DependencyContainer): Promise<void> {
  await container.dispose();
}
