import type { Wire } from '../core/content.js';
import type { ToolContext } from '../core/context.js';
import { NotFoundError } from '../core/errors.js';
import type { Call, CallKind } from '../core/middleware.js';
import type { Scope, Transforms } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { AnySpec } from '../registry/registry.js';
import type { CompletionHandler } from '../registry/spec.js';
import type { ResolvedOptions } from './options.js';
import type { ServiceScopes } from './service-scopes.js';

/** One primitive, made ready to run. */
export interface Entry<S extends AnySpec = AnySpec> {
  readonly spec: S;
  /** With the layer's prefix, for tools and prompts. */
  readonly exposed: string;
  readonly wire: Wire;
  readonly stages: readonly Stage[];
  readonly timeoutMs: number;
  readonly repeatable: boolean;
  readonly requestScoped: boolean;
}

/** One step between the middleware and the answer. */
export interface Stage {
  readonly name: string;
  /** What it does, for the picture in the README. */
  readonly summary: string;
  /** Whether a primitive needs it. Asked once, when the layer is built. */
  applies(spec: AnySpec, options: ResolvedOptions): boolean;
  /** Works on `call.value`. Throwing ends the call. */
  run(call: CallState): void | Promise<void>;
}

/** What every call of one layer shares. */
export interface Runtime {
  readonly options: ResolvedOptions;
  readonly scopes: ServiceScopes;
}

/** One request on its way through the stages. Each attempt (a retry is one) starts from `args` again. */
export class CallState implements Call {
  /** What the stages work on: arguments first, then what the handler gave, then the result. */
  value: unknown;
  /** What was completed for, and with what already known. Only with `kind: 'completion'`. */
  completion: { readonly partial: string; readonly given: Readonly<Record<string, string>>; readonly handler: CompletionHandler } | undefined;
  transforms: Transforms | undefined;
  readonly startedAt: number;
  readonly deadline: number;
  #scope: Scope | undefined;
  #admitted: Promise<void> | undefined | true;

  constructor(
    readonly runtime: Runtime,
    readonly kind: CallKind,
    readonly name: string,
    public args: unknown,
    readonly context: ToolContext,
    /** `undefined` when there is nothing by that name for this caller. */
    readonly entry: Entry | undefined,
  ) {
    this.value = args;
    this.startedAt = runtime.options.clock.monotonic();
    this.deadline = this.startedAt + (entry?.timeoutMs ?? runtime.options.defaultTimeoutMs);
  }

  /** The same call with the variables that its URI gave. */
  withArguments(args: unknown): this {
    this.args = args;
    return this;
  }

  get principal(): Principal {
    return this.context.principal;
  }

  get primitive(): Entry['spec'] | undefined {
    return this.entry?.spec;
  }

  get repeatable(): boolean {
    return this.entry?.repeatable ?? false;
  }

  get metaPrefix(): string {
    return this.runtime.options.metaPrefix;
  }

  /** The entry, or the answer for a name that stands for nothing. @throws {NotFoundError} */
  found(): Entry {
    if (this.entry !== undefined) return this.entry;
    if (this.kind === 'resource') throw new NotFoundError(`Resource not found: ${this.name}`, { uri: this.name });
    throw new NotFoundError(`Unknown ${this.kind}: ${this.name}`, { name: this.name });
  }

  async admit(): Promise<void> {
    await this.admitNow();
  }

  /** As {@link admit}, without a promise where the policy needs none. */
  admitNow(): void | Promise<void> {
    if (this.#admitted === true) return;
    if (this.#admitted !== undefined) return this.#admitted;
    const { policy } = this.runtime.options;
    const waiting = policy.admit?.(this.found().spec, this.principal);
    this.#admitted = waiting ?? true;
    return waiting;
  }

  /** Where the handler's service instance comes from. */
  get scope(): Scope {
    return (this.#scope ??= this.runtime.scopes.open(this.entry, this.context));
  }

  /** Gives back what the call holds. */
  async release(): Promise<void> {
    await this.#scope?.dispose();
  }

  get holdsScope(): boolean {
    return this.#scope !== undefined && this.#scope !== this.runtime.scopes.shared;
  }
}
