import type { Class } from './class.js';
import type { ToolContext } from './context.js';

/**
 * Whom an instance of a class belongs to: the layer, one request, or `ask` where the container cannot say it while the
 * layer is built. A scope is opened for a request to an `ask` class, and may answer by {@link Scope.isShared}.
 */
export type Lifetime = 'shared' | 'request' | 'ask';

/** Instances of one request. */
export interface Scope {
  resolve<T>(cls: Class<T>): T | Promise<T>;
  /**
   * Asked once {@link resolve} gave an instance of an `ask` class: whether it belongs to the whole layer. If so, the
   * layer keeps it and opens no more scopes for this class. Without this method it does not.
   */
  isShared?(cls: Class): boolean;
  /** Called once, whether the request went well or not. */
  dispose(): void | Promise<void>;
}

/** Who makes the instances of service classes. Asked in the order of these members. */
export interface Container {
  /**
   * Asked once, while the layer is built. Returns what is wrong with its service classes, each as
   * "site: problem. remedy."; nothing is constructed.
   */
  check(classes: readonly Class[]): readonly string[];
  /** Asked while the layer is built, once its classes were checked. The answer for a class must not change. */
  lifetimeOf(cls: Class): Lifetime;
  /** Called once, when serving begins: makes every shared instance that is not there yet. */
  start?(): void | Promise<void>;
  /** An instance of a `shared` class. The layer keeps it: a class is asked for once. */
  resolve<T>(cls: Class<T>): T | Promise<T>;
  /** Called for each request to a class that is not `shared`. @param context For classes that want it injected. */
  openScope(context: ToolContext): Scope;
  /** The shared instances, in the order of creation, for their `onStart` and `onStop`. */
  instances?(): readonly object[];
  /** Called once, when the layer has closed every scope. */
  dispose(): void | Promise<void>;
}
