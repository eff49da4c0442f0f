import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
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

/** What answers for a URI. */
interface Reading {
  readonly entry: Entry<ResourceSpec | ResourceTemplateSpec> | undefined;
  readonly variables: unknown;
}

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
      throw new ConfigurationError(
        finding('CT505', `prefix '${prefix}': cannot stand before a name. Use up to 64 of 'A-Z a-z 0-9 _ . -'.`),
      );
    }
    const renamed = (['tools', 'prompts'] as const).map((list) => ({
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
    const wasIncluded = removed !== undefined && this.#included.remove(removed.kind, removed.id);
    if (removed !== undefined && wasIncluded && entry === undefined) {
      this.#entries[LIST_OF_KIND[removed.kind]].delete(exposedName(removed, this.#prefix));
    }
    if (entry !== undefined) {
      this.#included.add(entry.spec);
      // A replaced primitive keeps its place in the list.
      this.#entries[LIST_OF_KIND[entry.spec.kind]].set(entry.exposed, entry);
    }
    this.#visible.clear();
    return wasIncluded || entry !== undefined;
  }

  tool(name: string, principal: Principal): Entry<ToolSpec> | undefined {
    return this.#seen(this.#entries.tools.get(name), principal) as Entry<ToolSpec> | undefined;
  }

  prompt(name: string, principal: Principal): Entry<PromptSpec> | undefined {
    return this.#seen(this.#entries.prompts.get(name), principal) as Entry<PromptSpec> | undefined;
  }

  /** The resource or template that answers for a URI, and what the URI says to the template. */
  read(uri: string, principal: Principal): Reading {
    const resource = this.#seen(this.#entries.resources.get(uri), principal);
    if (resource !== undefined) return { entry: resource as Entry<ResourceSpec>, variables: undefined };
    const match = this.#included.findTemplate(uri);
    const entry = match && this.#seen(this.#entries.templates.get(match.spec.uriTemplate), principal);
    return { entry: entry as Entry<ResourceTemplateSpec> | undefined, variables: match?.variables };
  }

  /** A template by its text, or by a URI that fits it. */
  templateOf(text: string, principal: Principal): Entry<ResourceTemplateSpec> | undefined {
    const id = this.#entries.templates.has(text) ? text : this.#included.findTemplate(text)?.spec.uriTemplate;
    return id === undefined
      ? undefined
      : (this.#seen(this.#entries.templates.get(id), principal) as Entry<ResourceTemplateSpec> | undefined);
  }

  /** What one caller sees of a list, in the order of registration. */
  list(list: ListName, principal: Principal): readonly Entry[] {
    const { policy } = this.#options;
    const scope = policy.scopeOf(principal);
    const known = scope === undefined ? undefined : this.#visible.get(scope);
    if (known !== undefined) return known[list];
    const lists = Object.fromEntries(
      LISTS.map((name) => [
        name,
        [...this.#entries[name].values()].filter(({ spec }) => isSeen(policy.decide(spec, principal))),
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
    if (this.#options.policy.transforms?.(spec, principal)?.output === undefined) return entry.wire;
    return spec.toWire({ name: exposed, metaPrefix: this.#options.metaPrefix, includeOutputSchema: false });
  }

  #seen(entry: Entry | undefined, principal: Principal): Entry | undefined {
    if (entry === undefined) return undefined;
    return isSeen(this.#options.policy.decide(entry.spec, principal)) ? entry : undefined;
  }

  #entryFor(spec: AnySpec, prefix: string): Entry {
    const { defaultTimeoutMs, metaPrefix } = this.#options;
    const exposed = exposedName(spec, prefix);
    return {
      spec,
      exposed,
      wire: spec.toWire({ name: exposed, metaPrefix }),
      stages: stagesFor(spec, this.#options),
      timeoutMs: ('timeoutMs' in spec ? spec.timeoutMs : undefined) ?? defaultTimeoutMs,
      readOnly: spec.kind !== 'tool' || spec.annotations.readOnlyHint === true,
      repeatable: spec.kind === 'tool' ? spec.repeatable : spec.kind !== 'prompt',
      requestScoped: this.#isRequestScoped(spec),
      argumentNames: new Set(argumentNames(spec)),
    };
  }
}

function exposedName(spec: AnySpec, prefix: string): string {
  return spec.kind === 'tool' || spec.kind === 'prompt' ? prefix + spec.name : spec.id;
}

function argumentNames(spec: AnySpec): readonly string[] {
  switch (spec.kind) {
    case 'tool':
      return Object.keys(spec.inputSchema['properties'] ?? {});
    case 'prompt':
      return spec.arguments.map(({ name }) => name);
    case 'template':
      return spec.variables;
    case 'resource':
      return [];
  }
}

/** Whether a caller may know of it: hidden things are not there; what is denied but shown is listed, and refused when it is used. */
export function isSeen(decision: ReturnType<ResolvedOptions['policy']['decide']>): boolean {
  return decision.allowed || !decision.hidden;
}
