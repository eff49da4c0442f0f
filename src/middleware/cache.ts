import { BOUNDS } from '../core/bounds.js';
import { canonicalJson } from '../core/canonical-json.js';
import { checkOptions, hasMethods, isDelay, isFlag, isFunction } from '../core/check-options.js';
import type { ResourceContents } from '../core/content.js';
import { controlOf } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { ConfigurationError, errorKind } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Call, MiddlewareHost, MiddlewareObject, Next } from '../core/middleware.js';
import type { Given } from '../core/replay.js';
import type { CacheEntry, CacheStore } from '../core/stores.js';
import type { ToolResult } from '../core/tool-result.js';
import { readContents, readResult, written } from './cache-entries.js';
import { MemoryCacheStore } from './memory-cache-store.js';

/** How {@link cache} keeps answers. */
export interface CacheOptions {
  /** How long an answer may be given again. Default: 60,000. */
  readonly ttlMs?: number;
  /** Keeps what resources and templates answer, too. Default: false. */
  readonly resources?: boolean;
  /** Which of the calls that could be answered again may be. Default: all. */
  readonly include?: (call: Call<'tool'> | Call<'resource'>) => boolean;
  /** Default: the layer's `stores.cache`, else a {@link MemoryCacheStore}. */
  readonly store?: CacheStore;
}

type Answer = ToolResult | readonly ResourceContents[];

/** Errors of calls that never reached their handler, and so changed nothing. */
const CHANGED_NOTHING: ReadonlySet<string | undefined> = new Set([
  'AccessDeniedError',
  'InvalidArgumentsError',
  'NotFoundError',
  'RateLimitedError',
]);

/**
 * Gives an answer again to the same caller for the same arguments: of tools that are read-only and idempotent, and where
 * asked for, of resources. The policy is asked on every hit, and its pipeline shows each caller what was kept. Everything
 * is forgotten when a call that may change something has run, and on every change event. Errors are never kept. A hit says
 * so under `_meta` `cache`.
 *
 * @throws {ConfigurationError} When an option is wrong.
 */
export function cache(options: CacheOptions = {}): MiddlewareObject {
  checkOptions('cache', options, {
    ttlMs: isDelay,
    resources: isFlag,
    include: isFunction,
    store: hasMethods('get', 'set', 'clear'),
  });
  return new Cache(options);
}

class Cache implements MiddlewareObject {
  readonly name = 'cache';
  readonly resource:
    ((call: Call<'resource'>, next: Next<'resource'>) => Promise<readonly ResourceContents[]>) | undefined;
  #store: CacheStore | undefined;
  /** Whether the answers go when the layer closes: others may still use those of the layer's `stores`. */
  #isOwn = true;
  readonly #ttlMs: number;
  readonly #include: CacheOptions['include'];
  /** What entries say that are still in memory, so that a hit need not rebuild it. */
  readonly #given = new WeakMap<CacheEntry, Given>();
  #host: MiddlewareHost | undefined;
  #unlink: (() => void) | undefined;
  /** Grows with each clearing: an answer that was begun before one must not be kept after it. */
  #generation = 0;

  constructor({ include, resources, store, ttlMs }: CacheOptions) {
    this.#store = store;
    this.#ttlMs = ttlMs ?? BOUNDS.cacheTtlMs.default;
    this.#include = include;
    if (resources === true) this.resource = (call, next) => this.#answer(call, next);
  }

  attach(host: MiddlewareHost): void {
    if (this.#host !== undefined) {
      throw new ConfigurationError(
        finding('CT806', 'cache: two layers would share its answers. Make one with cache() for each.'),
      );
    }
    this.#host = host;
    this.#isOwn = this.#store !== undefined || host.stores.cache === undefined;
    this.#store ??= host.stores.cache;
    this.#unlink = host.onChange(() => void this.#clear());
  }

  async close(): Promise<void> {
    this.#unlink?.();
    if (this.#isOwn) await this.#clear();
  }

  async tool(call: Call<'tool'>, next: Next<'tool'>): Promise<ToolResult> {
    if (call.repeatable) return this.#answer(call, next);
    if (call.readOnly) return next();
    try {
      const result = await next();
      await this.#clear();
      return result;
    } catch (error) {
      if (!CHANGED_NOTHING.has(errorKind(error))) await this.#clear();
      throw error;
    }
  }

  /** Only a plain yes is one: the promise of an answer may come to a no. */
  #isIncluded(call: Call<'tool'> | Call<'resource'>): boolean {
    const said: unknown = this.#include === undefined || this.#include(call);
    return said === true;
  }

  async #answer<A extends Answer>(call: Call<'tool'> | Call<'resource'>, next: () => Promise<A>): Promise<A> {
    const key = call.repeatable && this.#isIncluded(call) ? this.#keyOf(call) : undefined;
    if (key === undefined) return next();
    const started = this.#now();
    const found = this.#get(key);
    const entry = found instanceof Promise ? await found : found;
    const given =
      entry !== undefined && this.#wallNow() - entry.storedAt < this.#ttlMs ? this.#read(call, entry) : undefined;
    if (entry !== undefined && given !== undefined) {
      const admitting = call.admit();
      if (admitting !== undefined) await admitting;
      const { replay } = controlOf(call.context);
      return this.#marked(call, entry, (replay === undefined ? given.answer : await replay.show(given)) as A, started);
    }
    const generation = this.#generation;
    const answer = await next();
    // What a person answered is not for keeps.
    if (generation === this.#generation && call.repeatable && !isErrorResult(answer))
      await this.#keep(call, key, answer);
    return answer;
  }

  /** Who asks for what. `undefined` when the arguments are more than JSON can tell apart, or the policy lets nothing be kept. */
  #keyOf({ args, context, kind, name, principal }: Call): string | undefined {
    const view = this.#host === undefined ? '' : this.#host.viewOf(principal);
    const text = args === undefined ? '' : canonicalJson(args);
    if (text === undefined || typeof view !== 'string') return undefined;
    // What a pipeline has still to see is nothing for a policy without one, and the other way round.
    const form = controlOf(context).replay === undefined ? kind : `given ${kind}`;
    return `${form} ${JSON.stringify(name)} ${whoIs(principal)} ${view.length}:${view} ${text}`;
  }

  /** `undefined` for what another version of this package wrote in another way. */
  #read({ kind }: Call, entry: CacheEntry): Given | undefined {
    const known = this.#given.get(entry);
    if (known !== undefined) return known;
    try {
      const given = kind === 'tool' ? readResult(entry) : readContents(entry);
      this.#given.set(entry, given);
      return given;
    } catch (error) {
      this.#failed('read', error);
      return undefined;
    }
  }

  #marked<A extends Answer>(call: Call, entry: CacheEntry, answer: A, started: number): A {
    if (Array.isArray(answer)) return answer;
    return (answer as ToolResult).withMeta({
      [`${call.metaPrefix}duration_ms`]: Math.round(this.#now() - started),
      [`${call.metaPrefix}cache`]: { hit: true, age_ms: Math.max(0, this.#wallNow() - entry.storedAt) },
    }) as A;
  }

  get #kept(): CacheStore {
    return (this.#store ??= new MemoryCacheStore());
  }

  get #namespace(): string {
    return this.#host?.layer.name ?? '';
  }

  #get(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined> {
    try {
      const found = this.#kept.get(this.#namespace, key);
      return found instanceof Promise ? found.catch((error: unknown) => this.#failed('read', error)) : found;
    } catch (error) {
      this.#failed('read', error);
      return;
    }
  }

  /**
   * Text is a copy: the handler may go on changing what it returned. Where a pipeline rewrites answers, what it was given is
   * kept; an answer that a middleware further in changed after that cannot be shown anew, and is not.
   */
  async #keep({ context }: Call, key: string, answer: Answer): Promise<void> {
    try {
      const { replay } = controlOf(context);
      const given = replay === undefined ? { answer, links: [] } : replay.givenFor(answer);
      if (given === undefined) return;
      const entry = Object.freeze({ storedAt: this.#wallNow(), json: JSON.stringify(written(given)) });
      const storing = this.#kept.set(this.#namespace, key, entry, this.#ttlMs);
      if (storing !== undefined) await storing;
    } catch (error) {
      this.#failed('written', error);
    }
  }

  async #clear(): Promise<void> {
    this.#generation += 1;
    try {
      await this.#kept.clear(this.#namespace);
    } catch (error) {
      this.#failed('cleared', error);
    }
  }

  #failed(what: string, error: unknown): undefined {
    this.#host?.logger.warn(`cache: the store could not be ${what}`, describeThrown(error));
  }

  #now(): number {
    return this.#host?.clock.monotonic() ?? performance.now();
  }

  #wallNow(): number {
    return this.#host?.clock.now() ?? Date.now();
  }
}

function isErrorResult(answer: Answer): boolean {
  return (answer as Partial<ToolResult>).isError === true;
}

const known = new WeakMap<object, string>();

function whoIs(principal: Call['principal']): string {
  let who = known.get(principal);
  if (who === undefined) {
    who = JSON.stringify([principal.key, [...principal.roles].sort()]);
    known.set(principal, who);
  }
  return who;
}
