import type { Looked } from '../core/context.js';
import type { Principal } from '../core/principal.js';
import type { Catalog, SeenBy } from './catalog.js';

/**
 * What one caller's name was looked up as by a carrier that has to know before it makes the call. The call goes by it, as
 * long as nothing changed between, so that the policy decides once.
 */
export class Look<K extends keyof SeenBy = keyof SeenBy> implements Looked {
  readonly seen: SeenBy[K];
  readonly #catalog: Catalog;
  readonly #version: number;

  constructor(
    catalog: Catalog,
    readonly kind: K,
    readonly name: string,
    readonly principal: Principal,
  ) {
    this.seen = catalog.see(kind, name, principal);
    this.#catalog = catalog;
    this.#version = catalog.version;
  }

  /** Whether asking anew would give the same. */
  fits<R extends keyof SeenBy>(catalog: Catalog, kind: R, name: string, principal: Principal): this is Look<R> {
    const isSame = this.#catalog === catalog && this.#version === catalog.version;
    return isSame && this.kind === (kind as string) && this.name === name && this.principal === principal;
  }

  get primitive(): NonNullable<SeenBy[K]['entry']>['spec'] | undefined {
    return this.seen.entry?.spec;
  }
}
