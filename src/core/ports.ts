import type { Capability, Sensitivity } from './capabilities.js';
import type { Class } from './class.js';
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

/** Instances of one request. */
export interface Scope {
  resolve<T>(cls: Class<T>): T | Promise<T>;
  /** Called once, whether the request went well or not. */
  dispose(): void | Promise<void>;
}

/** Who makes the instances of service classes. */
export interface Container {
  /**
   * Takes the service classes of a layer that is being built. Returns what is wrong with them, each as
   * "site: problem. remedy."; nothing is constructed.
   */
  register(classes: readonly Class[]): readonly string[];
  /** Whether an instance of `cls` belongs to one request. For all others {@link resolve} is asked once and kept. */
  isRequestScoped(cls: Class): boolean;
  resolve<T>(cls: Class<T>): T | Promise<T>;
  /** Makes every instance that outlives a request and is not there yet, so that all of them hear of the start. */
  prepare?(): void | Promise<void>;
  /** Every instance that outlives a request, in the order of creation, for their `onStart` and `onStop`. */
  singletons?(): readonly object[];
  /** @param request The request's context, for classes that want it injected. */
  openScope(request: object): Scope;
  dispose(): void | Promise<void>;
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

/** An answer that a cache keeps. It is text, so that it can be kept outside the process. */
export interface CacheEntry {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  /** The answer as it goes over the wire. */
  readonly json: string;
}

/** Where the cache middleware keeps answers. What fails here costs a hit, never a call. */
export interface CacheStore {
  get(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  /** @param ttlMs After how long nobody will ask for it any more. */
  set(key: string, entry: CacheEntry, ttlMs: number): void | Promise<void>;
  /** Forgets everything. */
  clear(): void | Promise<void>;
}
