import type { Wire } from '../core/content.js';
import type { ToolContext } from '../core/context.js';
import { AccessDeniedError, NotFoundError } from '../core/errors.js';
import type { Call, CallKind } from '../core/middleware.js';
import { ALLOW_ALL, type Scope, type Transforms } from '../core/ports.js';
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
  readonly readOnly: boolean;
  readonly repeatable: boolean;
  readonly requestScoped: boolean;
  readonly argumentNames: ReadonlySet<string>;
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

/** What is completed, and with what already known. */
export interface CompletionRequest {
  readonly argument: string;
  readonly handler: CompletionHandler;
  given: Readonly<Record<string, string>>;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** One request on its way through the stages. Each attempt (a retry is one) starts from `args` again. */
export class CallState implements Call {
  /** What the stages work on: arguments first, then what the handler gave, then the result. */
  value: unknown;
  /** Only with `kind: 'completion'`. */
  completion: CompletionRequest | undefined;
  transforms: Transforms | undefined;
  /** What the error hook made of a failure, so that it is asked once. */
  mapped: unknown;
  readonly startedAt: number;
  readonly deadline: number;
  #scope: Scope | undefined;
  #admitted: boolean | Promise<void> = false;
  #errorId: string | undefined;

  constructor(
    readonly runtime: Runtime,
    readonly kind: CallKind,
    readonly name: string,
    readonly args: unknown,
    readonly context: ToolContext,
    /** `undefined` when there is nothing by that name for this caller. */
    readonly entry: Entry | undefined,
    readonly nested: boolean,
  ) {
    this.value = args;
    this.startedAt = runtime.options.clock.monotonic();
    this.deadline = this.startedAt + (entry === undefined ? runtime.options.defaultTimeoutMs : entry.timeoutMs);
  }

  get principal(): Principal {
    return this.context.principal;
  }

  get primitive(): Entry['spec'] | undefined {
    return this.entry?.spec;
  }

  get readOnly(): boolean {
    return this.entry?.readOnly ?? true;
  }

  get repeatable(): boolean {
    return this.entry?.repeatable ?? false;
  }

  get argumentNames(): ReadonlySet<string> {
    return this.entry?.argumentNames ?? NO_NAMES;
  }

  get metaPrefix(): string {
    return this.runtime.options.metaPrefix;
  }

  get errorId(): string {
    return (this.#errorId ??= this.runtime.options.ids.next());
  }

  /** Whole milliseconds since the call began. */
  get elapsedMs(): number {
    return Math.round(this.runtime.options.clock.monotonic() - this.startedAt);
  }

  /** The entry, or the answer for a name that stands for nothing. @throws {NotFoundError} */
  found(): Entry {
    if (this.entry !== undefined) return this.entry;
    if (this.kind === 'resource') throw new NotFoundError(`Resource not found: ${this.name}`, { uri: this.name });
    throw new NotFoundError(`Unknown ${this.kind}: ${this.name}`, { name: this.name });
  }

  admit(): void | Promise<void> {
    if (this.#admitted === true) return;
    if (this.#admitted !== false) return this.#admitted;
    const { spec } = this.found();
    const { policy } = this.runtime.options;
    if (policy !== ALLOW_ALL) {
      const decision = policy.decide(spec, this.principal);
      if (!decision.allowed) {
        throw new AccessDeniedError(`Access denied: ${this.name}`, { policy: policy.name, reason: decision.reason });
      }
      const waiting = policy.admit?.(spec, this.principal);
      if (waiting !== undefined) return (this.#admitted = waiting);
    }
    this.#admitted = true;
  }

  /** Where the handler's service instance comes from. */
  get scope(): Scope {
    return (this.#scope ??= this.runtime.scopes.openFor(this.entry, this.context));
  }

  /** Gives back what the call holds. */
  async release(): Promise<void> {
    await this.#scope?.dispose();
  }

  get holdsScope(): boolean {
    return this.#scope !== undefined && this.#scope !== this.runtime.scopes.shared;
  }
}
