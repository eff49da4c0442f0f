import { BOUNDS } from '../core/bounds.js';
import type { Wire } from '../core/content.js';
import { ErrorCode } from '../core/errors.js';
import { UriTemplate } from '../core/uri-template.js';
import type { ListName } from '../layer/catalog.js';
import { LIST_SHAPES, type ListShape } from '../native/lists.js';
import { LIST_METHODS } from '../native/methods/index.js';
import type { HighLevelServer, HostRequest, RawHandler, Registered } from './host.js';

/** Where a host's own answers come from. */
export interface HostSide {
  readonly highLevel: HighLevelServer | undefined;
  /** The host's handler of a method, if it has one. */
  inner(method: string): RawHandler | undefined;
  warnOnce(key: string, message: string): void;
}

type Has = boolean | Promise<boolean>;

const LIST_NAMES = Object.keys(LIST_METHODS) as readonly ListName[];

/** A host that hands out cursors for ever is stopped here. */
const MAX_PAGES = BOUNDS.hostPages.default;

const REGISTRIES = {
  tools: ['_registeredTools', '_toolHandlersInitialized'],
  prompts: ['_registeredPrompts', '_promptHandlersInitialized'],
  resources: ['_registeredResources', '_resourceHandlersInitialized'],
  templates: ['_registeredResourceTemplates', '_resourceHandlersInitialized'],
} as const satisfies Record<ListName, readonly [keyof HighLevelServer, keyof HighLevelServer]>;

/**
 * What the host has, so that it keeps it. A high-level server's own registry says so at once, disabled entries included;
 * any other host is asked for its list, and the names are kept until something changes.
 */
export class HostClaims {
  readonly #host: HostSide;
  readonly #walked = new Map<ListName, Promise<ReadonlySet<string>>>();
  readonly #seen: Record<ListName, Set<string>> = {
    tools: new Set(),
    resources: new Set(),
    templates: new Set(),
    prompts: new Set(),
  };
  /** Lists that the host answers by a handler of its own, beside the registry of its high-level server. */
  readonly #handmade = new Set<ListName>();
  readonly #templates = new Map<string, UriTemplate | undefined>();

  constructor(host: HostSide) {
    this.#host = host;
  }

  /** Forgets what lists said. */
  invalidate(): void {
    if (this.#walked.size > 0) this.#walked.clear();
    for (const seen of Object.values(this.#seen)) seen.clear();
  }

  /** Notes that the host set a handler: over the one of its high-level server, it no longer answers from the registry. */
  handlerSet(method: string): void {
    for (const list of LIST_NAMES) {
      if (LIST_METHODS[list] === method && this.#host.highLevel?.[REGISTRIES[list][1]] === true)
        this.#handmade.add(list);
    }
    this.invalidate();
  }

  /**
   * Notes the entries of a page that the host sent.
   *
   * @param isWhole Whether the page is the whole list.
   */
  saw(shape: ListShape, entries: readonly Wire[], isWhole: boolean): void {
    const { list, identity } = shape;
    const registry = this.#registry(list);
    if (registry !== undefined) {
      // Resources may come from a template's own list, and templates are registered under a name of their own.
      if (identity !== 'name' || entries.every((entry) => Object.hasOwn(registry, String(entry[identity])))) return;
      this.#handmade.add(list);
    }
    const names = new Set(entries.map((entry) => String(entry[identity])));
    if (isWhole) {
      this.#seen[list].clear();
      this.#walked.set(list, Promise.resolve(names));
    }
    for (const name of names) this.#seen[list].add(name);
  }

  /** Whether the host has an entry of this very name, URI or template. */
  has(list: ListName, id: string, request: HostRequest, extra: unknown): Has {
    if (this.#seen[list].has(id)) return true;
    const registry = this.#registry(list);
    if (registry === undefined) {
      if (this.#host.inner(LIST_METHODS[list]) === undefined) return false;
      return this.#walk(list, request, extra).then((names) => names.has(id));
    }
    if (list === 'templates') return Object.values(registry).some((entry) => templateText(entry) === id);
    return Object.hasOwn(registry, id) || (list === 'resources' && Object.hasOwn(registry, normalise(id)));
  }

  /** Whether the host answers for a URI: by a resource, or by a template that fits it. */
  hasUri(uri: string, request: HostRequest, extra: unknown): Has {
    const exact = this.has('resources', uri, request, extra);
    if (exact === true) return true;
    const fits = this.#fitsTemplate(uri, request, extra);
    if (exact === false) return fits;
    return exact.then((has) => has || fits);
  }

  /** The same for many entries of one list: what to ask for each, without waiting for each. */
  async taken(list: ListName, request: HostRequest, extra: unknown): Promise<(id: string) => boolean> {
    const names = await this.#names(list, request, extra);
    if (list !== 'resources') return names;
    const fits = await this.#fitting(request, extra);
    return (uri) => names(uri) || fits(uri);
  }

  async #names(list: ListName, request: HostRequest, extra: unknown): Promise<(id: string) => boolean> {
    if (this.#registry(list) !== undefined) return (id) => this.has(list, id, request, extra) === true;
    if (this.#host.inner(LIST_METHODS[list]) === undefined) return () => false;
    const names = await this.#walk(list, request, extra);
    return (id) => names.has(id) || this.#seen[list].has(id);
  }

  async #fitting(request: HostRequest, extra: unknown): Promise<(uri: string) => boolean> {
    const registry = this.#registry('templates');
    if (registry !== undefined) {
      const entries = Object.values(registry);
      return (uri) => entries.some((entry) => Boolean(entry.resourceTemplate?.uriTemplate.match(uri)));
    }
    if (this.#host.inner(LIST_METHODS.templates) === undefined) return () => false;
    const texts = [...(await this.#walk('templates', request, extra))];
    return (uri) => texts.some((text) => this.#matches(text, uri));
  }

  /** The registry of a high-level server, where it is the one that answers. */
  #registry(list: ListName): Readonly<Record<string, Registered>> | undefined {
    const { highLevel } = this.#host;
    if (highLevel === undefined || this.#handmade.has(list)) return undefined;
    const [entries, initialised] = REGISTRIES[list];
    return highLevel[initialised] === true ? highLevel[entries] : undefined;
  }

  #fitsTemplate(uri: string, request: HostRequest, extra: unknown): Has {
    const registry = this.#registry('templates');
    if (registry !== undefined) {
      return Object.values(registry).some((entry) => Boolean(entry.resourceTemplate?.uriTemplate.match(uri)));
    }
    if (this.#host.inner(LIST_METHODS.templates) === undefined) return false;
    return this.#fitting(request, extra).then((fits) => fits(uri));
  }

  /** A host may use operators of RFC 6570 that we do not: such a template claims nothing. */
  #matches(text: string, uri: string): boolean {
    if (!this.#templates.has(text)) {
      let template: UriTemplate | undefined;
      try {
        template = new UriTemplate(text);
      } catch {
        template = undefined;
      }
      this.#templates.set(text, template);
    }
    return this.#templates.get(text)?.match(uri) !== undefined;
  }

  #walk(list: ListName, request: HostRequest, extra: unknown): Promise<ReadonlySet<string>> {
    let walked = this.#walked.get(list);
    if (walked === undefined) {
      walked = this.#ask(LIST_SHAPES[list], request, extra).catch((error: unknown) => {
        this.#walked.delete(list);
        this.#host.warnOnce(
          `walk ${list}`,
          `the host failed to list its ${list}, so that what it has is not known: ${String(error)}`,
        );
        return new Set<string>();
      });
      this.#walked.set(list, walked);
    }
    return walked;
  }

  async #ask({ key, identity, list }: ListShape, request: HostRequest, extra: unknown): Promise<ReadonlySet<string>> {
    const method = LIST_METHODS[list];
    const names = new Set<string>();
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      let result: Record<string, unknown> | undefined;
      try {
        result = (await this.#host.inner(method)?.({ ...request, method, params }, extra)) as typeof result;
      } catch (error) {
        // A gateway's fallback handler knows only some methods.
        if ((error as { code?: unknown } | null)?.code === ErrorCode.MethodNotFound) return names;
        throw error;
      }
      for (const entry of (result?.[key] ?? []) as Wire[]) names.add(String(entry[identity]));
      const next = result?.['nextCursor'];
      if (next === undefined || next === cursor) return names;
      cursor = next;
    }
    this.#host.warnOnce(`pages ${list}`, `the host's list of ${list} has no end; its first ${MAX_PAGES} pages count`);
    return names;
  }
}

function templateText({ resourceTemplate }: Registered): string | undefined {
  return resourceTemplate?.uriTemplate.toString();
}

/** As the SDKs spell a URI before they look it up. */
function normalise(uri: string): string {
  try {
    return new URL(uri).toString();
  } catch {
    return uri;
  }
}
