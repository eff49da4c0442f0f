import type { InjectionToken } from 'tsyringe';
import { BUILT_IN_CLASSES, type Class, isClass } from '../src/core/class.js';
import { isContextType } from '../src/core/context.js';
import { emittedConstructor, injectedTokens } from '../src/core/metadata.js';
import { inheritedConstructor } from './inherited-constructor.js';
import { serviceScope } from './service-scope.js';
import { finding } from '../src/core/finding.js';

type Lifetime = 'singleton' | 'request' | undefined;

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
  readonly #lookup: { isProvided(token: InjectionToken): boolean; isGlobal(cls: Class): boolean };
  /** The request-scoped class that each class depends on, by whatever way. */
  readonly #requestDependency = new Map<Class, string | undefined>();
  readonly #open: Class[] = [];

  constructor(lookup: { isProvided(token: InjectionToken): boolean; isGlobal(cls: Class): boolean }) {
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
    const scope = serviceScope(cls);
    if (scope === undefined && this.#lookup.isGlobal(cls)) {
      this.findings.push(
        finding(
          'CT401',
          `${cls.name}: @singleton or @scoped registers it for every application in the process. Use @McpService({ scope }).`,
        ),
      );
    }
    let needsRequest: string | undefined;
    for (const dependency of this.#dependencies(cls)) {
      const path = isContextType(dependency) ? 'ToolContext' : this.visit(dependency);
      needsRequest ??= path === undefined ? undefined : path;
    }
    if (needsRequest !== undefined && scope === 'singleton') {
      this.findings.push(
        finding(
          'CT402',
          `${cls.name}: lives as long as the layer but depends on ${needsRequest}, which belongs to one request, ` +
            `so it would keep the first caller's. Give it @McpService({ scope: 'request' }).`,
        ),
      );
    }
    this.#open.pop();
    const reads =
      scope === 'request' ? cls.name : needsRequest === undefined ? undefined : `${cls.name} → ${needsRequest}`;
    this.#requestDependency.set(cls, scope === 'singleton' ? undefined : reads);
    this.classes.set(cls, scope ?? (needsRequest === undefined ? undefined : 'request'));
    return this.#requestDependency.get(cls);
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

  #dependencies(cls: Class): Class[] {
    const types = emittedConstructor(cls);
    if (types === undefined || types.length === 0) {
      this.#checkUndecorated(cls);
      return [];
    }
    const tokens = injectedTokens(cls);
    return types.flatMap((type, index) => this.#dependency(cls, index, named(tokens[index]) ?? type, index in tokens));
  }

  #dependency(cls: Class, index: number, token: unknown, isNamed: boolean): Class[] {
    const site = `${cls.name}: constructor parameter ${index + 1}`;
    if (isContextType(token)) {
      this.contextTypes.add(token as Class);
      return [token as Class];
    }
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
      return [];
    }
    if (isClass(token) && this.#lookup.isProvided(token as InjectionToken)) return [];
    if (isClass(token) && !BUILT_IN_CLASSES.has(token)) return [token];
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

/** What one `@inject` names: tsyringe keeps it in a descriptor, beside how it is to be looked up. */
function named(descriptor: unknown): unknown {
  if (typeof descriptor !== 'object' || descriptor === null || !('token' in descriptor)) return descriptor;
  const { token, multiple, isOptional } = descriptor as { token: unknown; multiple?: boolean; isOptional?: boolean };
  return multiple === true || isOptional === true ? descriptor : token;
}
