import { BOUNDS } from '../core/bounds.js';
import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { forget, isPromise } from '../core/guards.js';
import { PREFIX_PATTERN } from '../core/names.js';
import { nearest } from '../core/nearest.js';
import type { Decision, Primitive, PrimitiveKind } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import { type AnySpec, KINDS, kindOf, type ListName, LISTS, type SpecOf } from '../registry/kinds.js';
import type { Registry, RegistryChange } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import { TemplateIndex } from '../registry/template-index.js';
import type { Entry, Sighting } from './call-state.js';
import { CatalogEntry, checkExposed, exposedName } from './catalog-entry.js';
import { isIncluded } from './filters.js';
import type { ResolvedOptions } from './options.js';
import { pipelineOf } from './pipeline.js';
import { viewOf } from './view-of.js';

export type { ListName } from '../registry/kinds.js';

/** What stands for nothing. */
export const NOTHING: Sighting<never> = Object.freeze({ entry: undefined, decision: undefined, spec: undefined });

/** What answers for a URI. */
export interface Reading extends Sighting<ResourceSpec | ResourceTemplateSpec> {
  readonly variables: unknown;
}

/** How many callers' lists are kept. */
const MAX_SCOPES = BOUNDS.listScopes.default;

/** How many names a mistyped one is compared with: comparing takes time, and anybody may mistype. */
const MAX_COMPARED = BOUNDS.comparedNames.default;

/**
 * What one layer exposes, under which names and to whom: a view of its registry. Entries are made when they are first
 * needed, and forgotten when what they show changes.
 */
export class Catalog {
  readonly #registry: Registry;
  readonly #options: ResolvedOptions;
  readonly #isRequestScoped: (spec: AnySpec) => boolean;
  readonly #entries: { readonly [K in PrimitiveKind]: Map<string, Entry<SpecOf[K]>> } = {
    tool: new Map(),
    resource: new Map(),
    template: new Map(),
    prompt: new Map(),
  };
  readonly #templates = new TemplateIndex(() => this.#included(this.#registry.templates.values()));
  /** What callers of one scope see. */
  readonly #visible: { readonly [K in PrimitiveKind]: Map<string, readonly Entry<SpecOf[K]>[]> } = {
    tool: new Map(),
    resource: new Map(),
    template: new Map(),
    prompt: new Map(),
  };
  readonly #wires = new WeakMap<readonly Entry[], readonly Wire[]>();
  #prefix: string;
  #version = 0;

  constructor(registry: Registry, options: ResolvedOptions, isRequestScoped: (spec: AnySpec) => boolean) {
    this.#registry = registry;
    this.#options = options;
    this.#isRequestScoped = isRequestScoped;
    this.#prefix = options.prefix;
  }

  get prefix(): string {
    return this.#prefix;
  }

  /** Another one after every change. */
  get version(): number {
    return this.#version;
  }

  /** @throws {ConfigurationError} When the prefix, or a name that it gives, does not fit. */
  setPrefix(prefix: string): void {
    if (!PREFIX_PATTERN.test(prefix)) {
      throw new ConfigurationError(
        finding('CT505', `prefix '${prefix}': cannot stand before a name. Use up to 64 of 'A-Z a-z 0-9 _ . -'.`),
      );
    }
    for (const spec of this.#included(this.#registry)) checkExposed(spec, prefix);
    this.#prefix = prefix;
    for (const { kind, isNamed } of Object.values(KINDS)) {
      if (!isNamed) continue;
      this.#entries[kind].clear();
      this.#visible[kind].clear();
    }
    this.#version += 1;
  }

  /** @throws {ConfigurationError} When the name that the prefix gives a primitive does not fit. */
  check(spec: AnySpec): void {
    if (this.#prefix !== '' && isIncluded(spec, this.#options)) checkExposed(spec, this.#prefix);
  }

  /** Follows a change of the registry. `false` when the filters keep it from every caller. */
  apply({ removed, added }: RegistryChange): boolean {
    const spec = added ?? removed;
    if (spec === undefined) return false;
    if (removed !== undefined) this.#entries[removed.kind].delete(exposedName(removed, this.#prefix));
    const visible = this.#visible[spec.kind];
    // Clearing an empty map costs more than all the rest.
    if (visible.size > 0) visible.clear();
    if (spec.kind === 'template') this.#templates.clear();
    this.#version += 1;
    return isIncluded(spec, this.#options) || (removed !== undefined && isIncluded(removed, this.#options));
  }

  /** The name that is nearest to one that nothing has, where this caller may know of it: the policy is asked of it alone. */
  nearest(kind: PrimitiveKind, name: string, principal: Principal): string | undefined {
    if (this.#entry(kind, name) !== undefined) return undefined;
    const found = nearest(name, this.#names(kind, MAX_COMPARED));
    const entry = found === undefined ? undefined : this.#entry(kind, found);
    try {
      return entry !== undefined && isSeen(this.decide(entry.spec, principal)) ? found : undefined;
    } catch {
      // A policy that fails over a name that nobody asked for has no say in the answer.
      return undefined;
    }
  }

  /** What stands under an exposed name, for one caller. */
  see<K extends PrimitiveKind>(kind: K, exposed: string, principal: Principal): Sighting<SpecOf[K]> {
    const entry = this.#entry(kind, exposed);
    if (entry === undefined) return NOTHING;
    const decision = this.decide(entry.spec, principal);
    return { entry: isSeen(decision) ? entry : undefined, decision, spec: entry.spec };
  }

  /** The resource or template that answers for a URI, and what the URI says to the template. */
  read(uri: string, principal: Principal): Reading {
    const resource = this.see('resource', uri, principal);
    if (resource.entry !== undefined) return { ...resource, variables: undefined };
    const match = this.#templates.find(uri);
    if (match === undefined) return { ...resource, variables: undefined };
    return { ...this.see('template', match.spec.uriTemplate, principal), variables: match.variables };
  }

  /** A template by its text, or by a URI that fits it. */
  templateOf(text: string, principal: Principal): Sighting<ResourceTemplateSpec> {
    const isText = this.#registry.templates.has(text);
    const id = isText ? text : this.#templates.find(text)?.spec.uriTemplate;
    return id === undefined ? NOTHING : this.see('template', id, principal);
  }

  /** What the policy says. One that does not say it at once denies. */
  decide(primitive: Primitive, principal: Principal): Decision {
    const { logger, policy } = this.#options;
    const decision = policy.decide(primitive, principal);
    if (!isPromise(decision)) return decision;
    forget(decision);
    const reason = `policy '${policy.name}': decide returned a promise. Decide synchronously; load what it needs in start().`;
    logger.error(reason, { kind: primitive.kind, id: primitive.id });
    return { allowed: false, hidden: true, reason };
  }

  /** What one caller sees of a kind, in the order of registration. */
  list<K extends PrimitiveKind>(kind: K, principal: Principal): readonly Entry<SpecOf[K]>[] {
    const scope = viewOf(this.#options.policy, principal);
    if (scope === undefined) return this.#listed(kind, principal);
    const visible = this.#visible[kind];
    let listed = visible.get(scope);
    if (listed === undefined) {
      if (visible.size >= MAX_SCOPES) visible.clear();
      visible.set(scope, (listed = this.#listed(kind, principal)));
    }
    return listed;
  }

  /** The same as definitions, ready to be sent. Callers that see the same get the same array, until something changes. */
  wire(list: ListName, principal: Principal): readonly Wire[] {
    const entries = this.list(LISTS[list].kind, principal);
    let wires = this.#wires.get(entries);
    if (wires === undefined) {
      wires = Object.freeze(entries.map((entry) => this.#wireFor(entry, principal)));
      this.#wires.set(entries, wires);
    }
    return wires;
  }

  #listed<K extends PrimitiveKind>(kind: K, principal: Principal): readonly Entry<SpecOf[K]>[] {
    const listed: Entry<SpecOf[K]>[] = [];
    for (const spec of this.#registry.of(kind).values()) {
      const known = this.#entries[kind].get(exposedName(spec, this.#prefix));
      if (known === undefined && !isIncluded(spec, this.#options)) continue;
      if (isSeen(this.decide(spec, principal))) listed.push(known ?? this.#make(kind, spec));
    }
    return listed;
  }

  /** A caller whose data is changed on the way out cannot be promised the declared shape of it. */
  #wireFor({ exposed, spec, wire }: Entry, principal: Principal): Wire {
    if (!kindOf(spec).promisesOutput(spec)) return wire;
    if (pipelineOf(this.#options.policy, spec, principal)?.output === undefined) return wire;
    return spec.toWire({ name: exposed, metaPrefix: this.#options.metaPrefix, includeOutputSchema: false });
  }

  #entry<K extends PrimitiveKind>(kind: K, exposed: string): Entry<SpecOf[K]> | undefined {
    const known = this.#entries[kind].get(exposed);
    if (known !== undefined) return known;
    const prefix = KINDS[kind].isNamed ? this.#prefix : '';
    if (!exposed.startsWith(prefix)) return undefined;
    const spec = this.#registry.of(kind).get(exposed.slice(prefix.length));
    return spec === undefined || !isIncluded(spec, this.#options) ? undefined : this.#make(kind, spec);
  }

  #make<K extends PrimitiveKind>(kind: K, spec: SpecOf[K]): Entry<SpecOf[K]> {
    const entry = new CatalogEntry(spec, this.#prefix, this.#options, this.#isRequestScoped(spec));
    this.#entries[kind].set(entry.exposed, entry);
    return entry;
  }

  *#names(kind: PrimitiveKind, count: number): Iterable<string> {
    let left = count;
    for (const spec of this.#included(this.#registry.of(kind).values())) {
      if (left-- === 0) return;
      yield exposedName(spec, this.#prefix);
    }
  }

  *#included<S extends AnySpec>(specs: Iterable<S>): Iterable<S> {
    for (const spec of specs) if (isIncluded(spec, this.#options)) yield spec;
  }
}

/** Whether a caller may know of it: hidden things are not there; what is denied but shown is listed, and refused when it is used. */
export function isSeen(decision: Decision): boolean {
  return decision.allowed || !decision.hidden;
}
