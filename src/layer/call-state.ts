import { CallAsker } from '../asking/call-asker.js';
import type { Asker, AskerSource } from '../core/asking.js';
import type { Scope } from '../core/container.js';
import type { Wire } from '../core/content.js';
import type { CallControl } from '../core/call-control.js';
import { controlOf, type ToolContext } from '../core/context.js';
import { LoggedErrors } from '../core/error-form.js';
import type { McpLayerError, NotFoundError } from '../core/errors.js';
import type { Call, CallKind, ResultByKind } from '../core/middleware.js';
import { ALLOW_ALL, type Decision, type Pipeline, type PlacePart, type PrimitiveKind } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { AnySpec } from '../registry/kinds.js';
import { letIn } from './admission.js';
import { askerHostOf } from './asker-host.js';
import type { CompletionRequest, Runtime, SpecByCall } from './call-parts.js';
import type { ResolvedOptions } from './options.js';
import type { Rewrite } from './transform-result.js';

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

/** What a name stands for, for one caller, and what the policy said of it. */
export interface Sighting<S extends AnySpec = AnySpec> {
  /** `undefined` when there is nothing by that name for this caller. */
  readonly entry: Entry<S> | undefined;
  /** `undefined` when there is nothing by that name for anybody. */
  readonly decision: Decision | undefined;
  /** What there is, seen or hidden. */
  readonly spec: S | undefined;
}

/** One step between the middleware and the answer. */
export interface Stage<K extends CallKind = CallKind> {
  readonly name: string;
  /** What it does, for the picture in the README. */
  readonly summary: string;
  /** The only kind of primitive that it is for. */
  readonly only?: PrimitiveKind;
  /** Whether a primitive of its kind needs it. Asked once, when its stages are first needed. */
  applies(spec: SpecByCall[K], options: ResolvedOptions): boolean;
  /** Works on `call.value`, and from `normalise` on, on `call.result`. Throwing ends the call. */
  run(call: CallState<K>): void | Promise<void>;
}

/** A step that only calls of tools take. */
export interface ToolStage extends Stage<'tool'> {
  readonly only: 'tool';
}

/** What sets calls of one kind apart from the others while they run. */
export interface CallRules<K extends CallKind> {
  readonly kind: K;
  /** How messages begin that name such a call. */
  readonly label: string;
  /** Whether it may ask its client. Source: MCP 2026-07-28, "Multi round-trip requests". */
  readonly mayAsk: boolean;
  /** What a policy calls its arguments. */
  readonly argumentsPart: PlacePart;
  /** What a name is answered with that stands for nothing. */
  missing(name: string, meant?: string): NotFoundError;
  /** Makes an answer of whatever the handler returned. @throws {McpLayerError} When it cannot be one. */
  toAnswer(call: CallState<K>): ResultByKind[K];
  /** The answer as a policy lets it leave. */
  rewritten(call: CallState<K>, rewrite: Rewrite): Promise<ResultByKind[K]>;
  /** Writes into the answer what the policy did, where that is not done at the end. */
  withReport?(answer: ResultByKind[K], report: Readonly<Record<string, unknown>>): ResultByKind[K];
  /** What a failure is answered with. @throws {McpLayerError} Where it is not answered, but told. */
  failed(call: CallState<K>, error: McpLayerError): ResultByKind[K];
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** One request on its way through the stages. Each attempt (a retry is one) starts from `args` again. */
export class CallState<K extends CallKind = CallKind> implements Call<K>, AskerSource {
  readonly kind: K;
  /** What the stages work on: arguments first, then what the handler gave. */
  value: unknown;
  /** The answer, once there is one. */
  result!: ResultByKind[K];
  /** The answer before the policy's pipeline saw it, where it has one. */
  given: ResultByKind[K] | undefined;
  /** Only with `kind: 'completion'`. */
  completion: CompletionRequest | undefined;
  /** What the policy does to this call's data; made when the first attempt begins. */
  pipeline: Pipeline | undefined;
  /** What the error hook made of a failure, so that it is asked once. */
  mapped: unknown;
  /** The request that this one was made inside of, where it was made with its context. */
  outer: CallControl | undefined;
  /** Called when the clock stops because a person is waited for, and when it goes on. */
  whenHeld: (() => void) | undefined;
  /** For a name that stands for nothing: the one that the caller may have meant. */
  meant: string | undefined;
  /** `undefined` when there is nothing by that name for this caller. */
  readonly entry: Entry<SpecByCall[K]> | undefined;
  /** What the policy said when the name was looked up. */
  readonly decision: Decision | undefined;
  /** What the name stands for, seen or hidden. */
  readonly target: SpecByCall[K] | undefined;
  readonly control: CallControl;
  readonly startedAt: number;
  readonly timeoutMs: number;
  #holds = 0;
  #heldSince = 0;
  #heldMs = 0;
  #asker: CallAsker | Asker | undefined;
  #scope: Scope | undefined;
  #admitted: boolean | Promise<void> = false;
  #errorId: string | undefined;
  #errors: LoggedErrors | undefined;

  constructor(
    readonly runtime: Runtime,
    readonly rules: CallRules<K>,
    readonly name: string,
    readonly args: unknown,
    readonly context: ToolContext,
    seen: Sighting<SpecByCall[K]>,
    readonly nested: boolean,
  ) {
    const { entry } = seen;
    this.kind = rules.kind;
    this.entry = entry;
    this.decision = seen.decision;
    this.target = seen.spec;
    this.control = controlOf(context);
    this.value = args;
    this.startedAt = runtime.options.clock.monotonic();
    this.timeoutMs = entry === undefined ? runtime.options.defaultTimeoutMs : entry.timeoutMs;
  }

  /** The time that a person was waited for does not count. */
  get deadline(): number {
    const held = this.isHeld ? this.runtime.options.clock.monotonic() - this.#heldSince : 0;
    return this.startedAt + this.timeoutMs + this.#heldMs + held;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Stops the clock until the returned function is called. */
  hold(): () => void {
    const { clock } = this.runtime.options;
    if (this.#holds++ === 0) {
      this.#heldSince = clock.monotonic();
      this.whenHeld?.();
    }
    return () => {
      if (--this.#holds > 0) return;
      this.#heldMs += clock.monotonic() - this.#heldSince;
      this.whenHeld?.();
    };
  }

  /** Asks this call's client; a call inside another one asks on the other's account. */
  get asker(): Asker {
    return (this.#asker ??= this.outer?.asker.nested(this.name) ?? new CallAsker(askerHostOf(this)));
  }

  /**
   * Begins an attempt: what was asked and done before is found again.
   *
   * @throws {RequestStateError} When a modern retry carries a state that cannot be trusted.
   */
  rewind(): void {
    const { client } = this.context;
    const isRetry = client?.era === 'modern' && client.requestState !== undefined;
    if (this.#asker !== undefined || (isRetry && this.outer === undefined)) this.asker.rewind();
  }

  /** Set when the handler's outcome cannot be the last word: the client has to be asked first, or was asked wrongly. */
  get unfinished(): CallAsker | undefined {
    const asker = this.#asker;
    return asker instanceof CallAsker && asker.isUnfinished && !this.context.aborted ? asker : undefined;
  }

  get principal(): Principal {
    return this.context.principal;
  }

  get primitive(): SpecByCall[K] | undefined {
    return this.entry?.spec;
  }

  get readOnly(): boolean {
    return this.entry?.readOnly ?? true;
  }

  get repeatable(): boolean {
    return this.#asker === undefined && (this.entry?.repeatable ?? false);
  }

  get argumentNames(): ReadonlySet<string> {
    return this.entry?.argumentNames ?? NO_NAMES;
  }

  get metaPrefix(): string {
    return this.runtime.options.metaPrefix;
  }

  /** What stands for an Error in this call's data; the log has the rest. */
  formOf(error: Error): Readonly<Record<string, unknown>> {
    const { exposeErrors, logger } = this.runtime.options;
    this.#errors ??= new LoggedErrors(`${this.kind} ${this.name}`, () => this.errorId, logger, exposeErrors);
    return this.#errors.formOf(error);
  }

  get errorId(): string {
    return (this.#errorId ??= this.runtime.options.ids.next());
  }

  /** Whole milliseconds since the call began. */
  get elapsedMs(): number {
    return Math.round(this.runtime.options.clock.monotonic() - this.startedAt);
  }

  /** The entry, or the answer for a name that stands for nothing. @throws {NotFoundError} */
  found(): Entry<SpecByCall[K]> {
    if (this.entry !== undefined) return this.entry;
    throw this.rules.missing(this.name, this.meant);
  }

  admit(): void | Promise<void> {
    if (this.#admitted === true) return;
    if (this.#admitted !== false) return this.#admitted;
    this.found();
    if (this.runtime.options.policy !== ALLOW_ALL) {
      const waiting = letIn(this);
      if (waiting !== undefined) return (this.#admitted = waiting);
    }
    this.#admitted = true;
  }

  /** Where the handler's service instance comes from. */
  get scope(): Scope {
    return (this.#scope ??= this.runtime.scopes.openFor(this.entry, this.context));
  }

  /** Lets go of what was worked on and of the answer: a context that somebody keeps leads to this call. */
  forget(): void {
    this.value = undefined;
    this.result = undefined as never;
    this.given = undefined;
    this.mapped = undefined;
  }

  /** Gives back what the call holds. */
  async release(): Promise<void> {
    await this.#scope?.dispose();
  }

  get holdsScope(): boolean {
    return this.#scope !== undefined && this.#scope !== this.runtime.scopes.shared;
  }
}
