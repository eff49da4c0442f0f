import type { Class } from '../core/class.js';
import type { Container, Scope } from '../core/container.js';
import type { ToolContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';

/** How much of what was thrown is said, in characters: containers repeat the whole way to it. */
const MAX_PROBLEM = 300;

/** What is known of a primitive's service when its layer is built. */
interface ScopedEntry {
  readonly requestScoped: boolean;
  readonly spec: { readonly service: Class | undefined };
}

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

  /** Makes the shared instance of a class ahead of its first request. @throws {ConfigurationError} When that fails, and why. */
  async make(cls: Class): Promise<void> {
    try {
      await this.shared.resolve(cls);
    } catch (cause) {
      const [problem = ''] = describeThrown(cause).error.split('\n');
      throw new ConfigurationError(
        finding(
          'CT411',
          `${cls.name}: the service cannot be made (${problem.slice(0, MAX_PROBLEM)}). Mend its constructor, or that of what it needs.`,
        ),
        { cause },
      );
    }
  }

  /** The scope for one request to `entry`. Only a service that is not shared, or not yet known to be, costs one of its own. */
  openFor(entry: ScopedEntry | undefined, context: ToolContext): Scope {
    const service = entry?.requestScoped === true ? entry.spec.service : undefined;
    if (service === undefined || this.#instances.has(service)) return this.shared;
    const scope = this.#container.openScope(context);
    const tracked: Scope = {
      resolve: (cls) => this.#resolveIn(scope, cls),
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
    return existing === undefined ? this.#keep(cls, this.#container.resolve(cls)) : (existing as T);
  }

  /** A container that did not know while the layer was built whether a class is shared may know it now. */
  #resolveIn<T>(scope: Scope, cls: Class<T>): T | Promise<T> {
    const instance = scope.resolve(cls);
    const isShared = scope.isShared?.(cls) === true && this.#container.lifetimeOf(cls) === 'ask';
    return isShared ? this.#keep(cls, instance) : instance;
  }

  #keep<T>(cls: Class<T>, instance: T | Promise<T>): T | Promise<T> {
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
