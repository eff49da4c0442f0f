import type { CallOptions, Looked } from '../core/context.js';
import type { Principal } from '../core/principal.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { Sighting } from './call-state.js';
import type { Catalog, Reading } from './catalog.js';

/** What each kind of request that a carrier may look up beforehand sees under a name. */
export interface SeenBy {
  readonly tool: Sighting<ToolSpec>;
  readonly resource: Reading;
  readonly prompt: Sighting<PromptSpec>;
  readonly template: Sighting<ResourceTemplateSpec>;
}

const LOOKS: {
  readonly [K in keyof SeenBy]: (catalog: Catalog, name: string, principal: Principal) => SeenBy[K];
} = {
  tool: (catalog, name, principal) => catalog.see('tool', name, principal),
  resource: (catalog, uri, principal) => catalog.read(uri, principal),
  prompt: (catalog, name, principal) => catalog.see('prompt', name, principal),
  template: (catalog, text, principal) => catalog.templateOf(text, principal),
};

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
    this.seen = LOOKS[kind](catalog, name, principal);
    this.#catalog = catalog;
    this.#version = catalog.version;
  }

  get primitive(): NonNullable<SeenBy[K]['entry']>['spec'] | undefined {
    return this.seen.entry?.spec;
  }

  /** Whether asking anew would give the same. */
  fits<R extends keyof SeenBy>(catalog: Catalog, kind: R, name: string, principal: Principal): this is Look<R> {
    const isSame = this.#catalog === catalog && this.#version === catalog.version;
    const known: keyof SeenBy = this.kind;
    return isSame && known === kind && this.name === name && this.principal === principal;
  }
}

/** What a name stands for: what its carrier has looked up already is not asked for again. */
export function seen<K extends keyof SeenBy>(
  catalog: Catalog,
  kind: K,
  name: string,
  principal: Principal,
  { looked }: CallOptions,
): SeenBy[K] {
  if (looked instanceof Look && looked.fits(catalog, kind, name, principal)) return looked.seen;
  return LOOKS[kind](catalog, name, principal);
}
