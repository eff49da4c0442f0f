import type { DependencyContainer, InjectionToken } from 'tsyringe';
import { type Class, isClass } from '../src/core/class.js';
import { finding } from '../src/core/finding.js';
import { emittedConstructor, injectedTokens } from '../src/core/metadata.js';

/**
 * A container of tsyringe, described by its methods: tsyringe's own type admits no container of another installed copy,
 * not even one of the same version.
 */
export interface ParentContainer {
  createChildContainer(): ParentContainer;
  isRegistered(token: Class | string | symbol, recursive?: boolean): boolean;
  resolve<T>(token: Class<T> | string | symbol): T;
  dispose(): void | Promise<void>;
}

/**
 * What is wrong with a parent of another copy of tsyringe: each copy keeps the types of constructors to itself, so one
 * that was never told of a class cannot construct it. Nothing is constructed here.
 */
export function copyFindings(parent: DependencyContainer, classes: readonly Class[]): readonly string[] {
  const unknown = classes.filter((cls) => !parent.isRegistered(cls, true) && !isKnown(parent, cls));
  if (unknown.length === 0) return [];
  const names = unknown.map(({ name }) => name).join(', ');
  return [
    finding(
      'CT409',
      `TsyringeContainer: parent belongs to another copy of tsyringe, which does not know how to construct ${names}. ` +
        `Keep one copy (npm ls tsyringe), or add @injectable() of that copy to each.`,
    ),
  ];
}

/** Asks for the class where every dependency stops the one who asks: a copy that does not know the class asks for none. */
function isKnown(parent: DependencyContainer, cls: Class): boolean {
  // Where nothing has to be passed, either copy constructs it.
  if (cls.length === 0) return true;
  const probe = parent.createChildContainer();
  let asked = false;
  const useFactory = (): never => {
    asked = true;
    throw new Error('asked');
  };
  const tokens = injectedTokens(cls);
  for (const [index, type] of (emittedConstructor(cls) ?? []).entries())
    for (const token of tokensOf(tokens[index] ?? type)) probe.register(token, { useFactory });
  try {
    probe.resolve(cls);
  } catch {
    // Whether it got as far as a dependency is the answer.
  }
  return asked;
}

/** Whatever is resolved for one parameter, out of what `@inject` and `@injectWithTransform` keep of it. */
function tokensOf(descriptor: unknown): InjectionToken[] {
  if (typeof descriptor !== 'object' || descriptor === null || !('token' in descriptor))
    return [descriptor as InjectionToken];
  const { token, transform } = descriptor as { token: InjectionToken; transform?: InjectionToken };
  return transform === undefined ? [token] : [transform, token];
}

/** What a container has registered under a token. */
export interface Registered {
  /** `undefined` for what is made anew each time, or was made before, by whatever way. */
  readonly lifetime: 'singleton' | 'request' | undefined;
  /** The class that the container would construct. */
  readonly builds?: Class;
  /** The token that it would look up instead. */
  readonly refersTo?: InjectionToken;
}

/** tsyringe's own record of a registration; its numbers are those of its `Lifecycle`, the same in each copy of it. */
interface Registration {
  readonly provider: unknown;
  readonly options: { readonly lifecycle: number };
  readonly instance?: unknown;
}

const LIFETIMES: Readonly<Record<number, Registered['lifetime']>> = { 1: 'singleton', 3: 'request' };

/**
 * Reads what `container`, or the nearest one above it, has registered under a token, without constructing it. tsyringe
 * tells of it nowhere in public, so that a container which keeps no such record is taken at its word.
 */
export function registered(container: DependencyContainer, token: InjectionToken): Registered | undefined {
  const { getRegistration } = container as { getRegistration?: (token: InjectionToken) => Registration | null };
  const registration = getRegistration?.call(container, token) ?? undefined;
  if (registration === undefined) return undefined;
  const { provider, options, instance } = registration;
  if (instance !== undefined) return { lifetime: undefined };
  const lifetime = LIFETIMES[options.lifecycle];
  if (isClass(provider)) return { lifetime, builds: provider };
  const { useClass, useToken } = provider as { useClass?: Class; useToken?: InjectionToken };
  return {
    lifetime,
    ...(useClass !== undefined && { builds: useClass }),
    ...(useToken !== undefined && { refersTo: useToken }),
  };
}
