import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isPromise } from '../core/guards.js';
import { PREFIX_PATTERN } from '../core/names.js';
import type { Decision, Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import { kindOf, LIST_NAMES, LISTS, type ListName } from '../registry/kinds.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { AnySpec, RegistryChange } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import { TemplateIndex } from '../registry/template-index.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { Entry, Sighting } from './call-state.js';
import { CatalogEntry, exposedName } from './catalog-entry.js';
import { isIncluded } from './filters.js';
import type { ResolvedOptions } from './options.js';
import { pipelineOf } from './pipeline.js';
import { forget } from './promises.js';

export type { ListName } from '../registry/kinds.js';

/** What stands for nothing. */
export const NOTHING: Sighting<never> = Object.freeze({ entry: undefined, decision: undefined, spec: undefined });

/** What answers for a URI. */
interface Reading extends Sighting<ResourceSpec | ResourceTemplateSpec> {
  readonly variables: unknown;
}

/** How many callers' lists are kept. */
const MAX_SCOPES = 256;

/** What one layer exposes, under which names and to whom: prepared when something changes, not when it is asked for. */
export class Catalog {
  readonly #entries: Readonly<Record<ListName, Map<string, Entry>>> = {
    tools: new Map(),
    resources: new Map(),
    templates: new Map(),
    prompts: new Map(),
  };
  readonly #options: ResolvedOptions;
  readonly #isRequestScoped: (spec: AnySpec) => boolean;
  readonly #templates = new TemplateIndex(() =>
    [...this.#entries.templates.values()].map(({ spec }) => spec as ResourceTemplateSpec),
  );
  readonly #visible = new Map<string, Readonly<Record<ListName, readonly Entry[]>>>();
  readonly #wires = new WeakMap<readonly Entry[], readonly Wire[]>();
  #prefix: string;

  constructor(options: ResolvedOptions, isRequestScoped: (spec: AnySpec) => boolean) {
    this.#options = options;
    this.#isRequestScoped = isRequestScoped;
    this.#prefix = options.prefix;
  }

  get prefix(): string {
    return this.#prefix;
  }

  /** @throws {ConfigurationError} When the prefix, or a name that it gives, does not fit. */
  setPrefix(prefix: string): void {
    if (!PREFIX_PATTERN.test(prefix)) {
      throw new ConfigurationError(
        finding('CT505', `prefix '${prefix}': cannot stand before a name. Use up to 64 of 'A-Z a-z 0-9 _ . -'.`),
      );
    }
    const renamed = LIST_NAMES.filter((list) => LISTS[list].isNamed).map((list) => ({
      list,
      entries: [...this.#entries[list].values()].map(({ spec }) => this.#entryFor(spec, prefix)),
    }));
    this.#prefix = prefix;
    for (const { list, entries } of renamed) {
      this.#entries[list].clear();
      for (const entry of entries) this.#entries[list].set(entry.exposed, entry);
    }
    this.#visible.clear();
  }

  /**
   * Follows a change of the registry that this catalog shows. `false` when the filters keep it from every caller.
   *
   * @throws {ConfigurationError} When the name that the prefix gives does not fit. Nothing is changed then.
   */
  apply({ removed, added }: RegistryChange): boolean {
    const entry =
      added !== undefined && isIncluded(added, this.#options) ? this.#entryFor(added, this.#prefix) : undefined;
    const wasIncluded =
      removed !== undefined && this.#entries[kindOf(removed).list].has(exposedName(removed, this.#prefix));
    if (wasIncluded && entry === undefined) {
      this.#entries[kindOf(removed).list].delete(exposedName(removed, this.#prefix));
    }
    // A replaced primitive keeps its place in the list.
    if (entry !== undefined) this.#entries[kindOf(entry.spec).list].set(entry.exposed, entry);
    if ((added ?? removed)?.kind === 'template') this.#templates.clear();
    // Clearing an empty map costs more than all the rest.
    if (this.#visible.size > 0) this.#visible.clear();
    return wasIncluded || entry !== undefined;
  }

  tool(name: string, principal: Principal): Sighting<ToolSpec> {
    return this.#look(this.#entries.tools.get(name) as Entry<ToolSpec> | undefined, principal);
  }

  prompt(name: string, principal: Principal): Sighting<PromptSpec> {
    return this.#look(this.#entries.prompts.get(name) as Entry<PromptSpec> | undefined, principal);
  }

  /** The resource or template that answers for a URI, and what the URI says to the template. */
  read(uri: string, principal: Principal): Reading {
    const listed = this.#entries.resources.get(uri) as Entry<ResourceSpec> | undefined;
    const resource = this.#look(listed, principal);
    if (resource.entry !== undefined) return { ...resource, variables: undefined };
    const match = this.#templates.find(uri);
    if (match === undefined) return { ...resource, variables: undefined };
    return { ...this.#template(match.spec.uriTemplate, principal), variables: match.variables };
  }

  /** A template by its text, or by a URI that fits it. */
  templateOf(text: string, principal: Principal): Sighting<ResourceTemplateSpec> {
    const id = this.#entries.templates.has(text) ? text : this.#templates.find(text)?.spec.uriTemplate;
    return id === undefined ? NOTHING : this.#template(id, principal);
  }

  #template(id: string, principal: Principal): Sighting<ResourceTemplateSpec> {
    return this.#look(this.#entries.templates.get(id) as Entry<ResourceTemplateSpec> | undefined, principal);
  }

  #look<S extends AnySpec>(entry: Entry<S> | undefined, principal: Principal): Sighting<S> {
    if (entry === undefined) return NOTHING;
    const decision = this.decide(entry.spec, principal);
    return { entry: isSeen(decision) ? entry : undefined, decision, spec: entry.spec };
  }

  /** What the policy says. One that does not say it at once denies. */
  decide(primitive: Primitive, principal: Principal): Decision {
    const { logger, policy } = this.#options;
    const decision: unknown = policy.decide(primitive, principal);
    if (!isPromise(decision)) return decision as Decision;
    forget(decision);
    const reason = `policy '${policy.name}': decide returned a promise. Decide synchronously; load what it needs in start().`;
    logger.error(reason, { kind: primitive.kind, id: primitive.id });
    return { allowed: false, hidden: true, reason };
  }

  /** What one caller sees of a list, in the order of registration. */
  list(list: ListName, principal: Principal): readonly Entry[] {
    const { policy } = this.#options;
    const scope = policy.scopeOf(principal);
    const known = scope === undefined ? undefined : this.#visible.get(scope);
    if (known !== undefined) return known[list];
    const lists = Object.fromEntries(
      LIST_NAMES.map((name) => [
        name,
        [...this.#entries[name].values()].filter(({ spec }) => isSeen(this.decide(spec, principal))),
      ]),
    ) as unknown as Record<ListName, readonly Entry[]>;
    if (scope !== undefined) {
      if (this.#visible.size >= MAX_SCOPES) this.#visible.clear();
      this.#visible.set(scope, lists);
    }
    return lists[list];
  }

  /** The same as definitions, ready to be sent. Callers that see the same get the same array, until something changes. */
  wire(list: ListName, principal: Principal): readonly Wire[] {
    const entries = this.list(list, principal);
    let wires = this.#wires.get(entries);
    if (wires === undefined) {
      wires = Object.freeze(entries.map((entry) => this.#wireFor(entry, principal)));
      this.#wires.set(entries, wires);
    }
    return wires;
  }

  /** A caller whose data is changed on the way out cannot be promised the declared shape of it. */
  #wireFor(entry: Entry, principal: Principal): Wire {
    const { spec, exposed } = entry;
    if (spec.kind !== 'tool' || spec.outputSchema === undefined) return entry.wire;
    if (pipelineOf(this.#options.policy, spec, principal)?.output === undefined) return entry.wire;
    return spec.toWire({ name: exposed, metaPrefix: this.#options.metaPrefix, includeOutputSchema: false });
  }

  #entryFor(spec: AnySpec, prefix: string): Entry {
    return new CatalogEntry(spec, prefix, this.#options, this.#isRequestScoped(spec));
  }
}

/** Whether a caller may know of it: hidden things are not there; what is denied but shown is listed, and refused when it is used. */
export function isSeen(decision: Decision): boolean {
  return decision.allowed || !decision.hidden;
}
