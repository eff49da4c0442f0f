import type { Wire } from '../core/content.js';
import { type AnySpec, kindOf } from '../registry/kinds.js';
import { checkName } from '../registry/tool-spec.js';
import type { Entry, Stage } from './call-state.js';
import type { ResolvedOptions } from './options.js';
import { stagesFor } from './stages.js';

/** A primitive under the name that one layer gives it. What only calls and lists need is made at the first of them. */
export class CatalogEntry<S extends AnySpec> implements Entry<S> {
  readonly spec: S;
  readonly exposed: string;
  readonly requestScoped: boolean;
  readonly #options: ResolvedOptions;
  #wire: Wire | undefined;
  #stages: readonly Stage[] | undefined;
  #argumentNames: ReadonlySet<string> | undefined;

  constructor(spec: S, prefix: string, options: ResolvedOptions, requestScoped: boolean) {
    this.spec = spec;
    this.exposed = exposedName(spec, prefix);
    this.requestScoped = requestScoped;
    this.#options = options;
  }

  get wire(): Wire {
    return (this.#wire ??= this.spec.toWire({ name: this.exposed, metaPrefix: this.#options.metaPrefix }));
  }

  get stages(): readonly Stage[] {
    return (this.#stages ??= stagesFor(this.spec, this.#options));
  }

  get argumentNames(): ReadonlySet<string> {
    return (this.#argumentNames ??= new Set(kindOf(this.spec).argumentNames(this.spec)));
  }

  get timeoutMs(): number {
    const { spec } = this;
    return ('timeoutMs' in spec ? spec.timeoutMs : undefined) ?? this.#options.defaultTimeoutMs;
  }

  get readOnly(): boolean {
    return kindOf(this.spec).isReadOnly(this.spec);
  }

  get repeatable(): boolean {
    return kindOf(this.spec).isRepeatable(this.spec);
  }
}

/** What clients call a primitive: prefixed, when it has a name and no URI. */
export function exposedName(spec: AnySpec, prefix: string): string {
  return kindOf(spec).isNamed ? prefix + spec.name : spec.id;
}

/** @throws {ConfigurationError} When the name that the prefix gives does not fit. */
export function checkExposed(spec: AnySpec, prefix: string): void {
  if (kindOf(spec).isNamed) checkName(`${spec.kind} '${spec.name}'`, exposedName(spec, prefix));
}
