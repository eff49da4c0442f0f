import type { ResourceTemplateSpec } from './resource-spec.js';

/** A template that fits a URI, with what the URI says. */
export interface TemplateMatch {
  readonly spec: ResourceTemplateSpec;
  readonly variables: Readonly<Record<string, string>>;
}

/** Finds the template for a URI: the one with the longest text wins. */
export class TemplateIndex {
  readonly #templates: () => Iterable<ResourceTemplateSpec>;
  #longestFirst: readonly ResourceTemplateSpec[] | undefined;

  /** @param templates All there are now; asked again after {@link clear}. */
  constructor(templates: () => Iterable<ResourceTemplateSpec>) {
    this.#templates = templates;
  }

  find(uri: string): TemplateMatch | undefined {
    this.#longestFirst ??= [...this.#templates()].sort(
      (a, b) => b.uriTemplate.length - a.uriTemplate.length || (a.uriTemplate < b.uriTemplate ? -1 : 1),
    );
    for (const spec of this.#longestFirst) {
      const variables = spec.match(uri);
      if (variables !== undefined) return { spec, variables };
    }
    return undefined;
  }

  /** Forgets the order, as another set of templates needs another. */
  clear(): void {
    this.#longestFirst = undefined;
  }
}
