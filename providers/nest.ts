import type { ModuleRef } from '@nestjs/core';
import { requireNest } from '#require-nest';
import { checkOptions, isFunction } from '../src/core/check-options.js';
import { type Class, isClass } from '../src/core/class.js';
import type { Container, Lifetime, Scope } from '../src/core/container.js';
import type { ToolContext } from '../src/core/context.js';
import { finding } from '../src/core/finding.js';
import { loadOrExplain } from '../src/core/missing-package.js';

const { ContextIdFactory } = loadOrExplain(requireNest, '@nestjs/core', 'cartouche/nest');

/** How a {@link NestContainer} is made. */
export interface NestContainerOptions {
  /**
   * What `REQUEST` is while a service runs. Default: the HTTP request, where there is one, so that providers share it
   * with the rest of the application; else a {@link CarriedRequest}.
   */
  readonly request?: (context: ToolContext) => object;
}

/** What stands in for an HTTP request where none is: on stdio, in memory, in a call made inside the process. */
export interface CarriedRequest {
  readonly transport: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly user: { readonly id: string; readonly roles: readonly string[] };
  readonly context: ToolContext;
}

/** Whether Nest's module graph knows a class, without asking whether it is static: an early answer to that would stick. */
interface InstanceLinks {
  readonly instanceLinksHost?: { get(token: unknown): unknown };
}

/** Where a carrier keeps the request of the application's own web framework. */
function requestOf(context: ToolContext): object {
  const raw = context.info?.raw as { readonly request?: unknown } | undefined;
  const request = raw?.request ?? raw;
  if (isHttpRequest(request)) return request;
  const { principal, info } = context;
  const carried: CarriedRequest = {
    transport: info?.transport ?? 'memory',
    headers: info?.headers ?? {},
    user: { id: principal.id, roles: [...principal.roles] },
    context,
  };
  return carried;
}

function isHttpRequest(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'headers' in value && 'method' in value;
}

/**
 * Services out of Nest: singletons as Nest made them, and request-scoped ones (by their own scope, or because of what
 * they depend on) made for each call, with `REQUEST` injected on every transport. Nest starts and stops them.
 */
export class NestContainer implements Container {
  readonly #moduleRef: ModuleRef;
  readonly #requestOf: (context: ToolContext) => object;

  /**
   * @param moduleRef Of any module of the application: classes are looked up in all of them.
   * @throws {ConfigurationError} For options that cannot be used.
   */
  constructor(moduleRef: ModuleRef, options: NestContainerOptions = {}) {
    checkOptions('NestContainer', options, { request: isFunction });
    this.#moduleRef = moduleRef;
    this.#requestOf = options.request ?? requestOf;
  }

  check(classes: readonly Class[]): readonly string[] {
    const links = (this.#moduleRef as unknown as InstanceLinks).instanceLinksHost;
    if (links === undefined) return [];
    return classes
      .filter((cls) => isClass(cls) && !isKnown(links, cls))
      .map((cls) => {
        return finding('CT407', `${cls.name}: no Nest module provides it. Add it to the providers of a module.`);
      });
  }

  /** Asked while a layer is built, which may be before Nest has wired its modules: whether a class is shared shows later. */
  lifetimeOf(): Lifetime {
    return 'ask';
  }

  async resolve<T>(cls: Class<T>): Promise<T> {
    return this.#moduleRef.resolve<T>(cls, undefined, { strict: false });
  }

  openScope(context: ToolContext): Scope {
    let contextId: ReturnType<typeof ContextIdFactory.create> | undefined;
    return {
      resolve: <T>(cls: Class<T>): Promise<T> => {
        if (this.#isShared(cls)) return this.resolve(cls);
        if (contextId === undefined) {
          const own = this.#requestOf(context);
          contextId = ContextIdFactory.getByRequest(own as Record<string, unknown>);
          this.#moduleRef.registerRequestByContextId(own, contextId);
        }
        return this.#moduleRef.resolve<T>(cls, contextId, { strict: false });
      },
      isShared: (cls) => this.#isShared(cls),
      // Nest drops what belongs to a context with the context itself.
      dispose: () => undefined,
    };
  }

  /** Nest ends what it made. */
  dispose(): void {}

  #isShared(cls: Class): boolean {
    // 0 is `Scope.DEFAULT`, which only @nestjs/common names.
    return (this.#moduleRef.introspect(cls as never).scope as number) === 0;
  }
}

function isKnown(links: NonNullable<InstanceLinks['instanceLinksHost']>, cls: Class): boolean {
  try {
    links.get(cls);
    return true;
  } catch {
    return false;
  }
}
