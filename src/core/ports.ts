import type { Capability, Sensitivity } from './capabilities.js';
import type { Principal } from './principal.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Where a layer writes what an operator should know. `fields` never holds argument values. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The time, so that tests can say it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, for durations. */
  monotonic(): number;
}

/** Where error ids and other names come from, so that tests can say them. */
export interface Ids {
  next(): string;
}

/** The kinds of primitives. */
export type PrimitiveKind = 'tool' | 'resource' | 'template' | 'prompt';

/** What policies and middleware may know of a primitive. */
export interface Primitive {
  readonly kind: PrimitiveKind;
  /** A tool's or prompt's name without the layer's prefix; a resource's or template's URI. */
  readonly id: string;
  readonly category: string;
  readonly tags: ReadonlySet<string>;
  readonly sensitivity: Sensitivity;
  /** Empty where nobody declared any. */
  readonly capabilities: ReadonlySet<Capability>;
  /** Whether somebody declared its capabilities: what is not declared may do anything. */
  readonly declared: boolean;
  /** Only of tools: what their author tells a policy's pipelines. */
  readonly transformHints?: Readonly<Record<string, unknown>>;
}

/** What a policy says of one primitive for one caller. A hidden one answers as if it were not there. */
export type Decision =
  { readonly allowed: true } | { readonly allowed: false; readonly hidden: boolean; readonly reason: string };

/** Which part of a request or an answer a value is. */
export type PlacePart =
  // On the way in.
  | 'arguments'
  | 'variables'
  | 'answer'
  // Both ways.
  | 'completion'
  // On the way out.
  | 'structured'
  | 'text'
  | 'uri'
  | 'meta'
  | 'error'
  | 'question'
  | 'progress'
  | 'log';

/** Where a value stands. */
export interface Place {
  readonly part: PlacePart;
  /**
   * The argument that is completed, the question that is asked or answered, the field of a link or of an error, or
   * `given` for the arguments that a completion knows already.
   */
  readonly key?: string;
  /** Of contents, where they say it. JSON contents are `structured`, and come as the value that they stand for. */
  readonly mimeType?: string;
}

/**
 * What happens to data on its way in and out of one call. Nothing changes what it is given. Promises are awaited, but for
 * `progress` and `log`: a message for which one is returned is dropped, and the layer's log says so.
 */
export interface Pipeline {
  /** Arguments, template variables, answers to questions, and what is completed. What it throws refuses the call. */
  input?(value: unknown, place: Place): unknown;
  /**
   * Every JSON value and text that leaves: results, contents, messages, errors, questions and completion values.
   * `undefined` drops the value; an object gives an object.
   */
  output?(value: unknown, place: Place): unknown;
  /** Counts and labels of what was done, never values: it becomes `transforms` in the answer's `_meta`. Synchronous. */
  report?(): Readonly<Record<string, unknown>> | undefined;
}

/** What a policy is told when its layer is built. */
export interface PolicyHost {
  /** The layer's name. */
  readonly layer: string;
  readonly metaPrefix: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What the layer's `stores` have for rate limits. */
  readonly limits?: RateLimitStore | undefined;
  /** All that the layer has now, whoever may see it. */
  primitives(): readonly Primitive[];
}

/** What became of one call. */
export interface PolicyEvent {
  /** `not_found`: there is no such name, or the policy hides it from this caller. `limited`: too often. */
  readonly outcome: 'allowed' | 'denied' | 'not_found' | 'limited';
  /** Why it was denied, hidden or limited. */
  readonly reason: string | undefined;
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion';
  /** As the caller wrote it. */
  readonly name: string;
  /** `undefined` for a name that stands for nothing. */
  readonly primitive: Primitive | undefined;
  readonly principal: Principal;
  /** As they came. For a keyed hash: never write values of it anywhere. */
  readonly args: unknown;
  readonly requestId: string | number | undefined;
  readonly session: string | undefined;
  /** Whether a handler made this call while it served another one. */
  readonly nested: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Decides, for one caller, what is seen, what may be done and what data looks like. */
export interface Policy {
  readonly name: string;
  /** Grows or changes with its rules: lists and answers that were kept under another one are not used any more. */
  readonly version?: string | number | undefined;
  /**
   * Callers with the same scope see the same lists, and what was kept for a caller is given to it again only in the same
   * one; `undefined` means that nothing can be shared or kept.
   */
  scopeOf(principal: Principal): string | undefined;
  /** Called when the layer is built. */
  attach?(host: PolicyHost): void;
  /** Called once, before the services start. */
  start?(): void | Promise<void>;
  /** Called once, after everything else was closed. */
  close?(): void | Promise<void>;
  /** Synchronous, once per call, and for lists. A promise denies and hides. */
  decide(primitive: Primitive, principal: Principal): Decision;
  /** Hears of each call once. What it throws is logged, and stops no call. */
  record?(event: PolicyEvent): void;
  /** Called once before a handler runs. @throws {RateLimitedError} When this was too often. */
  admit?(primitive: Primitive, principal: Principal): void | Promise<void>;
  /**
   * Made once per call, and for lists: a caller whose pipeline has an `output` is promised no output schema. Synchronous.
   */
  pipeline?(primitive: Primitive, principal: Principal): Pipeline | undefined;
}

const ALLOWED: Decision = Object.freeze({ allowed: true });

/** Everybody sees and does everything. */
export const ALLOW_ALL: Policy = Object.freeze({
  name: 'allow-all',
  scopeOf: () => '',
  decide: () => ALLOWED,
});

/** The kinds of changes that clients are told of. */
export type ChangeKind = 'tools' | 'prompts' | 'resources' | 'resource';

/** Something changed: one of the lists, or the contents of one resource. */
export interface Change {
  readonly kind: ChangeKind;
  /** Only with `resource`. */
  readonly uri?: string;
}
