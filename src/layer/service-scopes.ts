import type { Class } from '../core/class.js';
import type { ToolContext } from '../core/context.js';
import type { Container, Scope } from '../core/ports.js';

/** Gives handlers their service instances: shared ones for the whole layer, or a scope for one request. */
export class ServiceScopes {
  readonly #container: Container;
  readonly #instances = new Map<Class, unknown>();
  readonly #open = new Set<Scope>();
  /** Holds the instances that outlive requests. */
  readonly shared: Scope;

  constructor(container: Container) {
    this.#container = container;
    this.shared = { resolve: (cls) => this.#resolve(cls), dispose: () => undefined };
  }

  /** The scope for one request to `entry`. Only a request-scoped service costs one of its own. */
  openFor(entry: { readonly requestScoped: boolean } | undefined, context: ToolContext): Scope {
    if (entry?.requestScoped !== true) return this.shared;
    const scope = this.#container.openScope(context);
    const tracked: Scope = {
      resolve: (cls) => scope.resolve(cls),
      // The end of the request and the closing of the layer may both come by.
      dispose: () => (this.#open.delete(tracked) ? scope.dispose() : undefined),
    };
    this.#open.add(tracked);
    return tracked;
  }

  /** How many requests hold a scope now. */
  get openCount(): number {
    return this.#open.size;
  }

  /** What running requests still hold. */
  get open(): readonly Scope[] {
    return [...this.#open];
  }

  #resolve<T>(cls: Class<T>): T | Promise<T> {
    const existing = this.#instances.get(cls);
    if (existing !== undefined) return existing as T;
    const instance = this.#container.resolve(cls);
    this.#instances.set(cls, instance);
    if (instance instanceof Promise) {
      instance.then(
        (resolved) => this.#instances.set(cls, resolved),
        () => this.#instances.delete(cls),
      );
    }
    return instance;
  }
}
