import type { Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { RateLimitBucket } from '../core/rate-limit-store.js';
import { GlobList } from '../transforms/glob.js';
import { PERIODS } from './check.js';
import type { RateLimitRule } from './document.js';

/** One rate limit, ready to be asked. */
export class RateLimit {
  readonly name: string;
  readonly scope: NonNullable<RateLimitRule['scope']>;
  readonly burst: number;
  readonly perSecond: number;
  readonly #kinds: readonly string[];
  readonly #tools: GlobList | undefined;

  constructor(rule: RateLimitRule) {
    const { burst = Math.ceil(rule.rate), kinds = ['tool'], per, rate, scope = 'principal', tools } = rule;
    this.scope = scope;
    this.burst = burst;
    this.perSecond = rate / PERIODS[per];
    this.#kinds = kinds;
    this.#tools = tools === undefined ? undefined : new GlobList(tools);
    this.name = rule.name ?? [`${rate}/${per}`, ...(tools ?? []), ...(rule.kinds ?? [])].join(' ');
  }

  holdsFor({ id, kind }: Primitive): boolean {
    return this.#kinds.includes(kind) && this.#tools?.matches(id) !== false;
  }

  /** The bucket of one call. */
  bucketOf({ id, kind }: Primitive, { key }: Principal): RateLimitBucket {
    const shared = [this.scope.startsWith('principal') ? key : '', this.scope.endsWith('tool') ? `${kind} ${id}` : ''];
    // What the bucket holds is part of its key: after a change of the document none has more than it may.
    const whole = JSON.stringify([this.name, this.burst, this.perSecond, ...shared]);
    return { key: whole, burst: this.burst, perSecond: this.perSecond };
  }
}
