import { type Class, isClass } from '../src/core/class.js';
import type { Container, Lifetime, Scope } from '../src/core/container.js';
import { inheritedConstructor } from './inherited-constructor.js';
import { serviceScope } from './service-scope.js';
import { finding } from '../src/core/finding.js';

/** Services made with `new`, or by the factory that is given for a class. Nothing is injected. */
export class PlainContainer implements Container {
  readonly #factories: ReadonlyMap<Class, () => unknown>;
  readonly #instances = new Map<Class, object>();

  /** @param factories Pairs of a class and what makes its instance, for classes whose constructor takes parameters. */
  constructor(factories: Iterable<readonly [Class, () => unknown]> = []) {
    this.#factories = new Map(factories);
  }

  check(classes: readonly Class[]): readonly string[] {
    return classes
      .filter((cls) => isClass(cls) && takesParameters(cls) && !this.#factories.has(cls))
      .map((cls) =>
        finding(
          'CT408',
          `${cls.name}: its constructor takes parameters. Give new PlainContainer([[${cls.name}, () => …]]) a factory.`,
        ),
      );
  }

  lifetimeOf(cls: Class): Lifetime {
    return serviceScope(cls) === 'request' ? 'request' : 'shared';
  }

  resolve<T>(cls: Class<T>): T {
    const existing = this.#instances.get(cls);
    if (existing !== undefined) return existing as T;
    const instance = this.#make(cls);
    this.#instances.set(cls, instance as object);
    return instance;
  }

  instances(): readonly object[] {
    return [...this.#instances.values()];
  }

  openScope(): Scope {
    const made = new Map<Class, unknown>();
    return {
      resolve: <T>(cls: Class<T>) => {
        if (this.lifetimeOf(cls) === 'shared') return this.resolve(cls);
        if (!made.has(cls)) made.set(cls, this.#make(cls));
        return made.get(cls) as T;
      },
      dispose: () => disposeAll([...made.values()].reverse()),
    };
  }

  dispose(): Promise<void> {
    return disposeAll([...this.#instances.values()].reverse());
  }

  #make<T>(cls: Class<T>): T {
    const factory = this.#factories.get(cls);
    return factory === undefined ? new (cls as new () => T)() : (factory() as T);
  }
}

function takesParameters(cls: Class): boolean {
  return cls.length > 0 || inheritedConstructor(cls) !== undefined;
}

/** Awaits `dispose()` of each instance that has one. */
async function disposeAll(instances: Iterable<unknown>): Promise<void> {
  for (const instance of instances) await (instance as { dispose?: () => unknown }).dispose?.();
}
