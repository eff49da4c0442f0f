import type { Capability } from '../core/capabilities.js';
import type { Class } from '../core/class.js';
import type { ToolContext } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { JsonSchema, StandardSchema } from '../core/json-schema.js';
import type { ChangeKind, PrimitiveKind } from '../core/ports.js';
import type { PromptArgument } from '../core/records.js';
import { type AnySpec, KINDS, type SpecOf } from './kinds.js';
import { checkRegistered, checkRegistry } from './option-checks.js';
import { PromptSpec, type PromptSpecOptions } from './prompt-spec.js';
import {
  ResourceSpec,
  type ResourceSpecOptions,
  ResourceTemplateSpec,
  type ResourceTemplateSpecOptions,
} from './resource-spec.js';
import type { Handler, SpecOrigin } from './spec.js';
import { TemplateIndex, type TemplateMatch } from './template-index.js';
import { ToolSpec, type ToolSpecOptions } from './tool-spec.js';

export type { AnySpec } from './kinds.js';

/** Something was added to a registry, replaced or removed. */
export interface RegistryChange {
  readonly list: Extract<ChangeKind, 'tools' | 'prompts' | 'resources'>;
  readonly removed?: AnySpec;
  readonly added?: AnySpec;
}

/** A function that is served without a class: the checked arguments, then the request's context. */
export type FunctionHandler<A> = (args: A, context: ToolContext) => unknown;

/** What a function's arguments are described by: `A` is inferred from a class. */
export type InputOf<A> = { readonly input?: Class<A> | JsonSchema | StandardSchema };

/** What holds for everything in a registry. */
export interface RegistryOptions {
  /** The capabilities of what declares none. Default: it is not known what that may do. */
  readonly defaultCapabilities?: readonly Capability[] | undefined;
}

/** What can be called: tools and prompts by name, resources by URI, templates by their text. */
export class Registry {
  readonly #specs: { readonly [K in PrimitiveKind]: Map<string, SpecOf[K]> } = {
    tool: new Map(),
    resource: new Map(),
    template: new Map(),
    prompt: new Map(),
  };
  readonly #listeners = new Set<(change: RegistryChange) => void>();
  readonly #guards = new Set<(change: RegistryChange) => void>();
  readonly #defaultCapabilities: readonly Capability[] | undefined;
  readonly #templateIndex = new TemplateIndex(() => this.#specs.template.values());

  /** @throws {ConfigurationError} With every option that cannot be used. */
  constructor(options: RegistryOptions = {}) {
    checkRegistry(options);
    this.#defaultCapabilities = options.defaultCapabilities;
  }

  /** Those of one kind. */
  of<K extends PrimitiveKind>(kind: K): ReadonlyMap<string, SpecOf[K]> {
    return this.#specs[kind];
  }

  get tools(): ReadonlyMap<string, ToolSpec> {
    return this.#specs.tool;
  }

  get resources(): ReadonlyMap<string, ResourceSpec> {
    return this.#specs.resource;
  }

  get templates(): ReadonlyMap<string, ResourceTemplateSpec> {
    return this.#specs.template;
  }

  get prompts(): ReadonlyMap<string, PromptSpec> {
    return this.#specs.prompt;
  }

  /** How many primitives there are. */
  get size(): number {
    return Object.values(this.#specs).reduce((size, specs) => size + specs.size, 0);
  }

  /** @throws {ConfigurationError} When its name or URI is taken and `replace` is not set, or a layer cannot serve it. */
  add(spec: AnySpec, options: { readonly replace?: boolean } = {}): this {
    this.#add(spec, options);
    return this;
  }

  /**
   * What adding a primitive would change; nothing does yet.
   *
   * @internal
   * @throws {ConfigurationError} As {@link add}.
   */
  vet(given: AnySpec, options: { readonly replace?: boolean } = {}): RegistryChange & { readonly added: AnySpec } {
    const spec: AnySpec = given.declaring(this.#defaultCapabilities);
    const removed = this.#mapOf(spec.kind).get(spec.id);
    if (removed !== undefined && options.replace !== true)
      throw new ConfigurationError(taken(spec, 'Give it another name'));
    const list = KINDS[spec.kind].change;
    const change = removed === undefined ? { list, added: spec } : { list, added: spec, removed };
    for (const guard of this.#guards) guard(change);
    return change;
  }

  /** Takes a primitive out. `false` when there is none of that kind and name or URI. */
  remove(kind: PrimitiveKind, id: string): boolean {
    const map = this.#mapOf(kind);
    const removed = map.get(id);
    if (removed === undefined) return false;
    map.delete(id);
    this.#changed({ list: KINDS[kind].change, removed });
    return true;
  }

  /**
   * Adds everything another registry holds.
   *
   * @throws {ConfigurationError} With every name and URI that is taken, when `replace` is not set, and for what a layer
   * cannot serve. Nothing is added then.
   */
  merge(other: Registry, options: { readonly replace?: boolean } = {}): this {
    const specs = [...other];
    if (options.replace !== true) {
      const clashes = specs.filter((spec) => this.#mapOf(spec.kind).has(spec.id));
      if (clashes.length > 0) throw new ConfigurationError(clashes.map((spec) => taken(spec, 'Rename one')));
    }
    const changes = specs.map((spec) => this.vet(spec, options));
    for (const change of changes) this.#take(change);
    return this;
  }

  *[Symbol.iterator](): IterableIterator<AnySpec> {
    for (const specs of Object.values(this.#specs)) yield* specs.values() as IterableIterator<AnySpec>;
  }

  /** The template that fits `uri`: the one with the longest text wins. */
  findTemplate(uri: string): TemplateMatch | undefined {
    return this.#templateIndex.find(uri);
  }

  /** Serves a function as a tool. @throws {ConfigurationError} As {@link ToolSpec} and {@link add} do. */
  tool<A = Record<string, unknown>>(
    options: Omit<ToolSpecOptions, 'input' | keyof SpecOrigin> & InputOf<A> & { readonly replace?: boolean },
    handler: FunctionHandler<A>,
  ): ToolSpec {
    checkRegistered('tool', options, handler);
    return this.#add(new ToolSpec(options, handler as Handler), options);
  }

  /** Serves a function's value under one URI. @throws {ConfigurationError} As {@link ResourceSpec} and {@link add} do. */
  resource(
    options: Omit<ResourceSpecOptions, 'name' | keyof SpecOrigin> & {
      readonly name?: string;
      readonly replace?: boolean;
    },
    handler: (context: ToolContext) => unknown,
  ): ResourceSpec {
    checkRegistered('resource', options, handler);
    const spec = new ResourceSpec({ ...options, name: options.name ?? options.uri }, (_args, ctx) => handler(ctx));
    return this.#add(spec, options);
  }

  /** Serves a function under a template. @throws {ConfigurationError} As {@link ResourceTemplateSpec} and {@link add} do. */
  resourceTemplate<A = Record<string, string>>(
    options: Omit<ResourceTemplateSpecOptions, 'name' | 'input' | keyof SpecOrigin> &
      InputOf<A> & { readonly name?: string; readonly replace?: boolean },
    handler: FunctionHandler<A>,
  ): ResourceTemplateSpec {
    checkRegistered('template', options, handler);
    const name = options.name ?? options.uriTemplate;
    return this.#add(new ResourceTemplateSpec({ ...options, name }, handler as Handler), options);
  }

  /** Serves a function as a prompt. @throws {ConfigurationError} As {@link PromptSpec} and {@link add} do. */
  prompt<A = Record<string, string>>(
    options: Omit<PromptSpecOptions, 'arguments' | keyof SpecOrigin> & {
      readonly arguments?: Class<A> | readonly PromptArgument[];
      readonly replace?: boolean;
    },
    handler: FunctionHandler<A>,
  ): PromptSpec {
    checkRegistered('prompt', options, handler);
    return this.#add(new PromptSpec(options, handler as Handler), options);
  }

  /** Hears of every change until the returned function is called. A listener that throws stops nobody else. */
  onChange(listener: (change: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Asks before anything is added, until the returned function is called. What it throws is the adder's to hear of.
   *
   * @internal
   */
  guard(check: (change: RegistryChange) => void): () => void {
    this.#guards.add(check);
    return () => this.#guards.delete(check);
  }

  #add<S extends AnySpec>(spec: S, options: { readonly replace?: boolean }): S {
    const change = this.vet(spec, options);
    this.#take(change);
    return change.added as S;
  }

  #take(change: RegistryChange & { readonly added: AnySpec }): void {
    const { added } = change;
    this.#mapOf(added.kind).set(added.id, added);
    this.#changed(change);
  }

  #changed(change: RegistryChange): void {
    if (change.list === 'resources') this.#templateIndex.clear();
    if (this.#listeners.size === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch {
        // The listener's own mistake: whoever changed something has nothing to do with it.
      }
    }
  }

  #mapOf(kind: PrimitiveKind): Map<string, AnySpec> {
    return this.#specs[kind];
  }
}

function taken({ kind, id }: AnySpec, remedy: string): string {
  return finding('CT502', `${kind} '${id}': there is one already. ${remedy}, or pass { replace: true }.`);
}
