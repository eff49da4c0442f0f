import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { PREFIX_PATTERN } from '../core/names.js';
import type { Principal } from '../core/principal.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import { type AnySpec, Registry, type RegistryChange } from '../registry/registry.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { Entry } from './call-state.js';
import { isIncluded } from './filters.js';
import type { ResolvedOptions } from './options.js';
import { stagesFor } from './stages.js';

/** The four lists, by the names that clients know them by. */
export type ListName = 'tools' | 'resources' | 'templates' | 'prompts';

const LISTS: readonly ListName[] = ['tools', 'resources', 'templates', 'prompts'];
const LIST_OF_KIND = { tool: 'tools', resource: 'resources', template: 'templates', prompt: 'prompts' } as const;

/** How many callers' lists are kept. */
const MAX_SCOPES = 256;

/** What one layer exposes, under which names and to whom: prepared when something changes, not when it is asked for. */
export class Catalog {
  /** What the filters let in; it knows which template fits a URI. */
  readonly #included = new Registry();
  readonly #entries: Readonly<Record<ListName, Map<string, Entry>>> = {
    tools: new Map(),
    resources: new Map(),
    templates: new Map(),
    prompts: new Map(),
  };
  readonly #options: ResolvedOptions;
  readonly #isRequestScoped: (spec: AnySpec) => boolean;
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
      throw new ConfigurationError(`prefix '${prefix}': cannot stand before a name. Use up to 64 of A-Z a-z 0-9 _ . -`);
    }
    this.#prefix = prefix;
    for (const list of ['tools', 'prompts'] as const) {
      const specs = [...this.#entries[list].values()].map(({ spec }) => spec);
      this.#entries[list].clear();
      for (const spec of specs) this.#put(spec);
    }
    this.#visible.clear();
  }

  /** Follows a change of the registry that this catalog shows. */
  apply({ removed, added }: RegistryChange): void {
    if (removed !== undefined) {
      this.#included.remove(removed.kind, removed.id);
      // A replaced primitive keeps its place in the list.
      if (added === undefined) this.#entries[LIST_OF_KIND[removed.kind]].delete(this.#exposed(removed));
    }
    if (added !== undefined && isIncluded(added, this.#options)) {
      this.#included.add(added);
      this.#put(added);
    }
    this.#visible.clear();
  }

  tool(name: string, principal: Principal): Entry<ToolSpec> | undefined {
    return this.#seen(this.#entries.tools.get(name), principal) as Entry<ToolSpec> | undefined;
  }

  prompt(name: string, principal: Principal): Entry<PromptSpec> | undefined {
    return this.#seen(this.#entries.prompts.get(name), principal) as Entry<PromptSpec> | undefined;
  }

  resource(uri: string, principal: Principal): Entry<ResourceSpec> | undefined {
    return this.#seen(this.#entries.resources.get(uri), principal) as Entry<ResourceSpec> | undefined;
  }

  template(text: string, principal: Principal): Entry<ResourceTemplateSpec> | undefined {
    return this.#seen(this.#entries.templates.get(text), principal) as Entry<ResourceTemplateSpec> | undefined;
  }

  /** The template that fits a URI, and what the URI says. */
  matchTemplate(uri: string, principal: Principal): { entry: Entry<ResourceTemplateSpec>; variables: unknown } | undefined {
    const match = this.#included.findTemplate(uri);
    const entry = match && this.template(match.spec.uriTemplate, principal);
    return entry && { entry, variables: match.variables };
  }

  /** What one caller sees of a list, in the order of registration. */
  list(list: ListName, principal: Principal): readonly Entry[] {
    const { policy } = this.#options;
    const scope = policy.scopeOf(principal);
    const known = scope === undefined ? undefined : this.#visible.get(scope);
    if (known !== undefined) return known[list];
    const lists = Object.fromEntries(
      LISTS.map((name) => [name, [...this.#entries[name].values()].filter(({ spec }) => isListed(policy.decide(spec, principal)))]),
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
    if (this.#options.policy.transforms?.(spec, principal)?.output === undefined) return entry.wire;
    return spec.toWire({ name: exposed, metaPrefix: this.#options.metaPrefix, includeOutputSchema: false });
  }

  #seen(entry: Entry | undefined, principal: Principal): Entry | undefined {
    if (entry === undefined) return undefined;
    return isListed(this.#options.policy.decide(entry.spec, principal)) ? entry : undefined;
  }

  #put(spec: AnySpec): void {
    const { defaultTimeoutMs, metaPrefix } = this.#options;
    const exposed = this.#exposed(spec);
    this.#entries[LIST_OF_KIND[spec.kind]].set(exposed, {
      spec,
      exposed,
      wire: spec.toWire({ name: exposed, metaPrefix }),
      stages: stagesFor(spec, this.#options),
      timeoutMs: ('timeoutMs' in spec ? spec.timeoutMs : undefined) ?? defaultTimeoutMs,
      repeatable: spec.kind === 'tool' ? spec.repeatable : spec.kind !== 'prompt',
      requestScoped: this.#isRequestScoped(spec),
    });
  }

  #exposed(spec: AnySpec): string {
    return spec.kind === 'tool' || spec.kind === 'prompt' ? this.#prefix + spec.name : spec.id;
  }
}

/** Hidden things are not there; what is denied but shown is listed, and refused when it is used. */
function isListed(decision: ReturnType<ResolvedOptions['policy']['decide']>): boolean {
  return decision.allowed || !decision.hidden;
}

