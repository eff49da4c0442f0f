import type { InjectionToken } from 'tsyringe';
import { BUILT_IN_CLASSES, type Class, isClass } from '../src/core/class.js';
import { isContextType } from '../src/core/context.js';
import { emittedConstructor, injectedTokens } from '../src/core/metadata.js';
import { inheritedConstructor } from './inherited-constructor.js';
import { serviceScope } from './service-scope.js';
import { finding } from '../src/core/finding.js';
import type { Registered } from './tsyringe-parent.js';

type Lifetime = 'singleton' | 'request' | undefined;

/** What a container says of a token. */
interface Lookup {
  isProvided(token: InjectionToken): boolean;
  /** `undefined` for what nobody registered, and for what cannot be known. */
  registered(token: InjectionToken): Registered | undefined;
  isGlobal(cls: Class): boolean;
}

/**
 * Follows constructor parameters from class to class before anything is constructed, and finds what tsyringe would get
 * wrong in silence: a singleton that keeps one caller's object, a subclass built with `undefined` dependencies.
 */
export class DependencyWalk {
  readonly findings: string[] = [];
  /** Every class that was reached, dependencies first. */
  readonly classes = new Map<Class, Lifetime>();
  /** Every class that stands for the context of a request. */
  readonly contextTypes = new Set<Class>();
  readonly #lookup: Lookup;
  /** The request-scoped class that each class depends on, by whatever way. */
  readonly #requestDependency = new Map<Class, string | undefined>();
  /** The same for whatever is registered, by its token. */
  readonly #registeredDependency = new Map<InjectionToken, string | undefined>();
  readonly #open: Class[] = [];

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** Checks `cls` and all it depends on. Returns how its dependency on a request reads, if it has one. */
  visit(cls: Class): string | undefined {
    if (this.#requestDependency.has(cls)) return this.#requestDependency.get(cls);
    if (this.#open.includes(cls)) {
      this.#foundCycle([...this.#open.slice(this.#open.indexOf(cls)), cls]);
      return undefined;
    }
    this.#open.push(cls);
    const registered = this.#lookup.registered(cls);
    const scope = registered === undefined ? serviceScope(cls) : registered.lifetime;
    if (registered === undefined && scope === undefined && this.#lookup.isGlobal(cls)) {
      this.findings.push(
        finding(
          'CT401',
          `${cls.name}: @singleton or @scoped registers it for every application in the process. Use @McpService({ scope }).`,
        ),
      );
    }
    let needsRequest: string | undefined;
    for (const token of this.#dependencies(cls)) needsRequest ??= this.#follow(token);
    if (needsRequest !== undefined && scope === 'singleton')
      this.#captive(cls.name, needsRequest, registered !== undefined);
    this.#open.pop();
    const reads =
      scope === 'request' ? cls.name : needsRequest === undefined ? undefined : `${cls.name} → ${needsRequest}`;
    this.#requestDependency.set(cls, scope === 'singleton' ? undefined : reads);
    this.classes.set(cls, scope ?? (needsRequest === undefined ? undefined : 'request'));
    return this.#requestDependency.get(cls);
  }

  /** How the dependency on a request reads that comes with whatever is looked up under `token`. */
  #follow(token: InjectionToken): string | undefined {
    if (isContextType(token)) {
      this.contextTypes.add(token as Class);
      return 'ToolContext';
    }
    if (this.#lookup.isProvided(token)) return this.#provided(token);
    return isClass(token) && !BUILT_IN_CLASSES.has(token) ? this.visit(token) : undefined;
  }

  /** What is provided keeps its registration and is not found fault with, except that it may keep a request's object. */
  #provided(token: InjectionToken): string | undefined {
    if (this.#registeredDependency.has(token)) return this.#registeredDependency.get(token);
    this.#registeredDependency.set(token, undefined);
    const { lifetime, builds, refersTo } = this.#lookup.registered(token) ?? {};
    const tokens = refersTo === undefined ? constructorTokens(builds) : [refersTo];
    let needsRequest: string | undefined;
    for (const next of tokens) needsRequest ??= this.#follow(next);
    const name = isClass(token) ? token.name : String(token as string | symbol);
    if (needsRequest !== undefined && lifetime === 'singleton') this.#captive(name, needsRequest, true);
    const reads = lifetime === 'request' ? name : needsRequest && `${name} → ${needsRequest}`;
    this.#registeredDependency.set(token, lifetime === 'singleton' ? undefined : reads);
    return this.#registeredDependency.get(token);
  }

  #captive(name: string, needsRequest: string, isRegistered: boolean): void {
    const [lives, remedy] = isRegistered
      ? ['is registered as a singleton', 'Register it with Lifecycle.ContainerScoped']
      : ['lives as long as the layer', "Give it @McpService({ scope: 'request' })"];
    this.findings.push(
      finding(
        'CT402',
        `${name}: ${lives} but depends on ${needsRequest}, which belongs to one request, ` +
          `so it would keep the first caller's. ${remedy}.`,
      ),
    );
  }

  #foundCycle(cycle: readonly Class[]): void {
    this.findings.push(
      finding(
        'CT410',
        `${cycle[0]?.name}: its constructor needs itself (${cycle.map(({ name }) => name).join(' → ')}), so none of them can ` +
          `be constructed. Move what both need into a third class, or inject one with delay() of tsyringe.`,
      ),
    );
  }

  #dependencies(cls: Class): InjectionToken[] {
    const types = emittedConstructor(cls);
    if (types === undefined || types.length === 0) {
      this.#checkUndecorated(cls);
      return [];
    }
    const tokens = injectedTokens(cls);
    return types.flatMap((type, index) => this.#dependency(cls, index, named(tokens[index]) ?? type, index in tokens));
  }

  #dependency(cls: Class, index: number, token: unknown, isNamed: boolean): InjectionToken[] {
    const site = `${cls.name}: constructor parameter ${index + 1}`;
    if (isContextType(token)) return [token as Class];
    // delay(), @injectAll and optional ones: tsyringe looks them up when it constructs, and may find nothing.
    if (typeof token === 'object' && token !== null) return [];
    if (typeof token === 'string' || typeof token === 'symbol') {
      if (!this.#lookup.isProvided(token)) {
        this.findings.push(
          finding(
            'CT403',
            `${site} wants '${String(token)}', which nothing provides. ` +
              `Pass new TsyringeContainer({ provide: [{ token, useValue }] }) as container.`,
          ),
        );
      }
      return [token];
    }
    if (isClass(token) && (this.#lookup.isProvided(token) || !BUILT_IN_CLASSES.has(token))) return [token];
    const problem = isClass(token) ? `has the type ${token.name}` : 'has no type at run time (a circular import?)';
    const remedy = isNamed ? 'Provide what @inject names' : "Use a class, or @inject('token') and provide it";
    this.findings.push(finding('CT404', `${site} ${problem}, which cannot be injected. ${remedy}.`));
    return [];
  }

  /** Without emitted types nothing is injected, so a class must not need it. */
  #checkUndecorated(cls: Class): void {
    const base = inheritedConstructor(cls);
    if (cls.length > 0) {
      this.findings.push(
        finding(
          'CT405',
          `${cls.name}: the compiler emitted no types for its constructor. Add @McpService() to the class.`,
        ),
      );
    } else if (base !== undefined) {
      const reason =
        emittedConstructor(base) === undefined ? ', whose parameters have no types' : ' but is not decorated';
      this.findings.push(
        finding(
          'CT406',
          `${cls.name}: inherits the constructor of ${base.name}${reason}, so it would be built with ` +
            `undefined dependencies. Add @McpService() and a constructor that calls super.`,
        ),
      );
    }
  }
}

/** What the constructor of a class has injected, as far as it can be told before it is constructed. */
function constructorTokens(cls: Class | undefined): InjectionToken[] {
  if (cls === undefined) return [];
  const tokens = injectedTokens(cls);
  return (emittedConstructor(cls) ?? []).flatMap((type, index) => {
    const token = named(tokens[index]) ?? type;
    return isClass(token) || typeof token === 'string' || typeof token === 'symbol' ? [token] : [];
  });
}

/** What one `@inject` names: tsyringe keeps it in a descriptor, beside how it is to be looked up. */
function named(descriptor: unknown): unknown {
  if (typeof descriptor !== 'object' || descriptor === null || !('token' in descriptor)) return descriptor;
  const { token, multiple, isOptional } = descriptor as { token: unknown; multiple?: boolean; isOptional?: boolean };
  return multiple === true || isOptional === true ? descriptor : token;
}
