import type { Capability, Sensitivity } from './capabilities.js';
import type { Principal } from './principal.js';

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
  readonly capabilities: ReadonlySet<Capability>;
}

/** What a policy says of one primitive for one caller. A hidden one answers as if it were not there. */
export type Decision =
  { readonly allowed: true } | { readonly allowed: false; readonly hidden: boolean; readonly reason: string };

/** What happens to data on its way in and out of one primitive, for one caller. None changes what it is given. */
export interface Transforms {
  /** Arguments, template variables, prompt arguments and the text to complete. */
  readonly input?: (value: unknown) => unknown;
  /** Any JSON value or text that leaves: results, contents, messages, completion values. */
  readonly output?: (value: unknown) => unknown;
}

/** Decides, for one caller, what is seen, what may be done and what data looks like. */
export interface Policy {
  readonly name: string;
  /** Callers with the same scope see the same lists; `undefined` means that nothing can be shared. */
  scopeOf(principal: Principal): string | undefined;
  decide(primitive: Primitive, principal: Principal): Decision;
  /** Called once before a handler runs. @throws {RateLimitedError} When this was too often. */
  admit?(primitive: Primitive, principal: Principal): void | Promise<void>;
  transforms?(primitive: Primitive, principal: Principal): Transforms | undefined;
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
