import { type AskerHost, CallAsker } from '../asking/call-asker.js';
import type { StateSealer } from '../asking/sealer.js';
import { ModernState } from '../asking/modern-state.js';
import type { Asker, AskerSource } from '../core/asking.js';
import type { Scope } from '../core/container.js';
import type { Wire } from '../core/content.js';
import type { CallControl } from '../core/call-control.js';
import { controlOf, type ToolContext } from '../core/context.js';
import { NotFoundError } from '../core/errors.js';
import type { Call, CallKind } from '../core/middleware.js';
import { ALLOW_ALL, type Decision, type Pipeline } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { AnySpec } from '../registry/registry.js';
import type { CompletionHandler } from '../registry/spec.js';
import { letIn } from './admission.js';
import type { Deadlines } from './deadlines.js';
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
  /** The calls whose handlers have not answered yet. */
  readonly deadlines: Deadlines;
  readonly sealer: StateSealer;
}

/** What is completed, and with what already known. */
export interface CompletionRequest {
  readonly argument: string;
  readonly handler: CompletionHandler;
  /** The other arguments, as they came. */
  readonly given: Readonly<Record<string, string>>;
  /** The same as the policy has them. */
  known: Readonly<Record<string, string>>;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** One request on its way through the stages. Each attempt (a retry is one) starts from `args` again. */
export class CallState implements Call, AskerSource {
  /** What the stages work on: arguments first, then what the handler gave, then the result. */
  value: unknown;
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
  readonly entry: Entry | undefined;
  /** What the policy said when the name was looked up. */
  readonly decision: Decision | undefined;
  /** What the name stands for, seen or hidden. */
  readonly target: AnySpec | undefined;
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

  constructor(
    readonly runtime: Runtime,
    readonly kind: CallKind,
    readonly name: string,
    readonly args: unknown,
    readonly context: ToolContext,
    seen: Sighting,
    readonly nested: boolean,
  ) {
    const { entry } = seen;
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

  /** Whether the handler's outcome cannot be the last word: the client has to be asked first, or was asked wrongly. */
  get isUnfinished(): boolean {
    return this.#asker instanceof CallAsker && this.#asker.isUnfinished && !this.context.aborted;
  }

  /** What an unfinished call ends with. */
  async conclude(): Promise<Error> {
    return (this.#asker as CallAsker).conclude();
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
    return this.#asker === undefined && (this.entry?.repeatable ?? false);
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
    const hint = this.meant === undefined ? '' : `. Did you mean '${this.meant}'?`;
    throw new NotFoundError(`Unknown ${this.kind}: ${this.name}${hint}`, { name: this.name });
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

  /** Gives back what the call holds. */
  async release(): Promise<void> {
    await this.#scope?.dispose();
  }

  get holdsScope(): boolean {
    return this.#scope !== undefined && this.#scope !== this.runtime.scopes.shared;
  }
}

/** Kinds of requests that may ask. Source: MCP 2026-07-28, "Multi round-trip requests". */
const MAY_ASK: ReadonlySet<CallKind> = new Set<CallKind>(['tool', 'prompt', 'resource']);

function askerHostOf(call: CallState): AskerHost {
  const { context, kind, name, runtime } = call;
  const { client } = context;
  const { askTimeoutMs, logger, policy } = runtime.options;
  return {
    site: name,
    client,
    mayAsk: MAY_ASK.has(kind),
    timeoutMs: askTimeoutMs,
    state: client?.era === 'modern' ? stateOf(call, client.requestState) : undefined,
    logger,
    get signal() {
      return context.signal;
    },
    get pipeline() {
      return call.pipeline;
    },
    policy: policy.name,
    hold: () => call.hold(),
  };
}

function stateOf({ args, context, kind, name, runtime }: CallState, token: unknown): ModernState {
  const { sealer } = runtime;
  const { logger } = runtime.options;
  const binding = { layer: runtime.options.name, principal: context.principal.key, kind, name, args };
  const isHttp = context.info?.transport === 'http' || context.info?.transport === 'sse';
  return new ModernState(sealer, token, binding, () => {
    if (isHttp) sealer.warnIfLocal(logger);
  });
}
