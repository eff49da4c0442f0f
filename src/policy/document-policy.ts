import { BOUNDS } from '../core/bounds.js';
import { SYSTEM_CLOCK } from '../core/defaults.js';
import { ConfigurationError, RateLimitedError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isPromise } from '../core/guards.js';
import type { Decision, Policy, PolicyEvent, PolicyHost, Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { RateLimitAnswer, RateLimitStore } from '../core/rate-limit-store.js';
import { Access } from './access.js';
import { decide, type PolicyStep, type Verdict } from './decide.js';
import { type DecisionEntry, DecisionLog } from './decision-log.js';
import type { PolicyDocument } from './document.js';
import { RateLimit } from './limits.js';
import { type LoadedDocument, loadDocument } from './load.js';
import { MemoryRateLimitStore } from './memory-limits.js';
import { type Rule, rulesOf } from './rules.js';

/** How a policy came to what it says of one primitive for one caller. It is JSON. */
export interface PolicyExplanation {
  readonly policy: string;
  readonly principal: { readonly id: string; readonly roles: readonly string[] };
  readonly primitive: Pick<Primitive, 'kind' | 'id' | 'category' | 'sensitivity' | 'declared'> & {
    readonly capabilities: readonly string[];
    readonly tags: readonly string[];
  };
  readonly allowed: boolean;
  /** Of what is denied: whether it looks as if it were not there. */
  readonly hidden: boolean;
  readonly reason?: string;
  /** Every question that was asked, in its order, up to the one that decided. */
  readonly steps: readonly PolicyStep[];
  readonly rateLimits: readonly { readonly name: string; readonly scope: string; readonly burst: number; readonly perSecond: number }[]; // prettier-ignore
}

/** What a caller may do with one primitive. */
interface Judgement extends Verdict {
  readonly decision: Decision;
  readonly limits: readonly RateLimit[];
}

/** What is the same for all callers whom the same rules concern. */
interface View {
  readonly scope: string;
  readonly rules: readonly Rule[];
  readonly judged: WeakMap<Primitive, Judgement>;
}

const ALLOWED: Decision = Object.freeze({ allowed: true });

/** How many sets of rules that concern one caller or another are remembered. */
const MAX_VIEWS = BOUNDS.policyViews.default;

/** A policy that is written down: see {@link PolicyDocument}. */
export class DocumentPolicy implements Policy {
  readonly name: string;
  /** With everything in it that it extends. */
  readonly document: PolicyDocument;
  /** The files that it was read from, its own first. */
  readonly files: readonly string[];
  readonly #own: Access;
  readonly #rules: readonly Rule[];
  readonly #limits: readonly RateLimit[];
  readonly #log: DecisionLog;
  readonly #views = new Map<string, View>();
  readonly #viewOf = new WeakMap<Principal, View>();
  #host: PolicyHost | undefined;
  #store: RateLimitStore = new MemoryRateLimitStore();

  /**
   * Made by {@link DocumentPolicy.load}.
   *
   * @internal
   */
  constructor({ document, files, name }: LoadedDocument) {
    this.name = name;
    this.document = document;
    this.files = files;
    this.#own = new Access(document, 'the policy');
    this.#rules = rulesOf(document);
    this.#limits = (document.rateLimits ?? []).map((limit) => new RateLimit(limit));
    this.#log = new DecisionLog(document.audit ?? false, document.auditSize ?? BOUNDS.decisionsKept.default);
  }

  /**
   * Reads a policy, and what it extends, now.
   *
   * @param source A document, or the path of one in YAML or JSON, from the current folder.
   * @throws {ConfigurationError} With everything that is wrong with it, by file and path.
   */
  static load(source: string | PolicyDocument): DocumentPolicy {
    return new DocumentPolicy(loadDocument(source));
  }

  /** @throws {ConfigurationError} In a second layer: they would share one log, and each other's limits. */
  attach(host: PolicyHost): void {
    if (this.#host !== undefined) {
      throw new ConfigurationError(
        finding(
          'CT853',
          `policy '${this.name}': it is in two layers, '${this.#host.layer}' and '${host.layer}'. Load it once for each.`,
        ),
      );
    }
    this.#host = host;
    this.#store = host.limits ?? new MemoryRateLimitStore({ clock: host.clock });
  }

  /** Warns of denies that match nothing: a name that is misspelt denies nothing. */
  start(): void {
    const primitives = this.#host?.primitives() ?? [];
    for (const access of [this.#own, ...this.#rules.map((rule) => rule.access)]) {
      for (const words of access.idle(primitives)) this.#host?.logger.warn(`policy '${this.name}': ${words}`);
    }
  }

  scopeOf(principal: Principal): string {
    return this.#view(principal).scope;
  }

  decide(primitive: Primitive, principal: Principal): Decision {
    return this.#judge(primitive, principal).decision;
  }

  /** @throws {RateLimitedError} With when it may be tried again, and by which limit. */
  admit(primitive: Primitive, principal: Principal): void | Promise<void> {
    const { limits } = this.#judge(primitive, principal);
    if (limits.length === 0) return;
    const buckets = limits.map((limit) => limit.bucketOf(primitive, principal));
    const check = (answer: RateLimitAnswer): void => {
      if (answer.allowed) return;
      throw tooOften(answer.retryAfterMs, limits[buckets.findIndex(({ key }) => key === answer.key)]);
    };
    const { clock = SYSTEM_CLOCK, layer = this.name } = this.#host ?? {};
    const answer = this.#store.take(layer, buckets, clock.now());
    if (isPromise(answer)) return Promise.resolve(answer).then(check);
    check(answer);
  }

  record(event: PolicyEvent): void {
    this.#log.record(event);
  }

  /** The newest decisions, oldest first. Refusals, limits and what can `reveal`, or with `audit: true` every call. */
  get decisions(): readonly DecisionEntry[] {
    return this.#log.entries;
  }

  /** Every step to what it says of one primitive, such as a spec of a registry, for one caller. */
  explain(primitive: Primitive, principal: Principal): PolicyExplanation {
    const { decision, limits, reason, steps } = this.#judge(primitive, principal);
    const { capabilities, category, declared, id, kind, sensitivity, tags } = primitive;
    return {
      policy: this.name,
      principal: { id: principal.id, roles: [...principal.roles] },
      primitive: { kind, id, category, sensitivity, declared, capabilities: [...capabilities], tags: [...tags] },
      allowed: decision.allowed,
      hidden: !decision.allowed && decision.hidden,
      ...(reason === undefined ? {} : { reason }),
      steps,
      rateLimits: limits.map(({ burst, name, perSecond, scope }) => ({ name, scope, burst, perSecond })),
    };
  }

  #view(principal: Principal): View {
    const known = this.#viewOf.get(principal);
    if (known !== undefined) return known;
    const rules = this.#rules.filter((rule) => rule.concerns(principal));
    const scope = rules.map((rule) => this.#rules.indexOf(rule)).join();
    let view = this.#views.get(scope);
    if (view === undefined) {
      if (this.#views.size >= MAX_VIEWS) this.#views.clear();
      this.#views.set(scope, (view = { scope, rules, judged: new WeakMap() }));
    }
    this.#viewOf.set(principal, view);
    return view;
  }

  #judge(primitive: Primitive, principal: Principal): Judgement {
    const { judged, rules } = this.#view(principal);
    const known = judged.get(primitive);
    if (known !== undefined) return known;
    const verdict = decide(primitive, this.#own, rules);
    const { reason } = verdict;
    const hidden = this.document.hideDenied ?? true;
    const decision: Decision = reason === undefined ? ALLOWED : Object.freeze({ allowed: false, hidden, reason });
    const limits = [...this.#limits, ...verdict.rules.flatMap((rule) => rule.limits)];
    const judgement = { ...verdict, decision, limits: limits.filter((limit) => limit.holdsFor(primitive)) };
    judged.set(primitive, judgement);
    return judgement;
  }
}

function tooOften(retryAfterMs: number, limit: RateLimit | undefined): RateLimitedError {
  // Milliseconds, rounded up: a caller that waits so long gets in.
  const seconds = Math.ceil(retryAfterMs) / 1000;
  const { name, scope } = limit ?? {};
  return new RateLimitedError(`Too often: the limit is ${name ?? 'reached'}. Try again in ${Math.ceil(seconds)} s.`, {
    retry_after: seconds,
    limit: name,
    scope,
  });
}
