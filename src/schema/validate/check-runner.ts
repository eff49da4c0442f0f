import { forget, isPromise } from '../../core/guards.js';
import { failureMessage } from './check-message.js';
import type { IssueList, Path } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import { testOnce, tooLongMessage } from '../base/text-tests.js';
import { isLinear, isOverLength } from './text-checks.js';
import type { Check, ClassModel, PropertyModel } from '../read/model.js';

/** The validators of one property of one instance, to be run once the whole instance stands. */
export interface CheckJob {
  readonly property: PropertyModel;
  readonly model: ClassModel;
  readonly instance: object;
  readonly value: unknown;
  readonly path: Path;
  /** Jobs of what is nested in a conditional property. */
  readonly nested?: readonly CheckJob[];
}

/** What a runner needs to know. */
interface RunnerOptions {
  readonly limits: ValidationLimits;
  readonly issues: IssueList;
  readonly isBroken: (instance: object) => boolean;
}

/** Runs class-validator's validators and the user's own, those that may wait only when nothing else is wrong. */
export class CheckRunner {
  readonly #options: RunnerOptions;
  readonly pending: Promise<void>[] = [];
  #asyncPass = false;
  #hasAsync = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  run(jobs: readonly CheckJob[]): void {
    // What is refused already needs no complete list; a model corrects the first problems first.
    const isRefused = this.#options.issues.issues.length > 0;
    this.#runAll(isRefused ? jobs.slice(0, MAX_JOBS_WHEN_REFUSED) : jobs);
    if (!this.#hasAsync || this.#options.issues.issues.length > 0) return;
    this.#asyncPass = true;
    this.#runAll(jobs);
  }

  #runAll(jobs: readonly CheckJob[]): void {
    for (const job of jobs) this.#runJob(job);
  }

  #runJob(job: CheckJob): void {
    const { property, instance, value, path, nested } = job;
    if (property.conditions.length > 0) {
      if (this.#options.isBroken(instance) || !this.#holds(property, instance, value)) return;
      if (value === undefined) {
        if (!this.#asyncPass) this.#options.issues.add(path, 'missing', 'is required');
        return;
      }
    }
    for (const check of property.checks) {
      this.#hasAsync ||= check.async;
      if (check.async === this.#asyncPass) this.#runCheck(check, job);
    }
    if (nested !== undefined) this.#runAll(nested);
  }

  #holds(property: PropertyModel, instance: object, value: unknown): boolean {
    try {
      return property.conditions.every((condition) => holdsNow(condition(instance, value)));
    } catch {
      // A condition that cannot be judged must not be a way around the validators.
      return true;
    }
  }

  #runCheck(check: Check, job: CheckJob): void {
    if (check.validateIf !== undefined && !this.#applies(check.validateIf, job)) return;
    const { value, path } = job;
    if (!check.each || typeof value !== 'object' || value === null) {
      this.#runOne(check, job, value, path);
    } else if (value instanceof Map) {
      for (const [key, item] of value as Map<string, unknown>) this.#runItem(check, job, item, key);
    } else {
      let index = 0;
      for (const item of value as Iterable<unknown>) this.#runItem(check, job, item, index++);
    }
  }

  #applies(validateIf: NonNullable<Check['validateIf']>, { instance, value }: CheckJob): boolean {
    try {
      return holdsNow(validateIf(instance, value));
    } catch {
      return true;
    }
  }

  #runItem(check: Check, job: CheckJob, item: unknown, key: string | number): void {
    if (item === null && job.property.shape.items?.nullable === true) return;
    this.#runOne(check, job, item, { parent: job.path, key });
  }

  #runOne(check: Check, job: CheckJob, value: unknown, path: Path): void {
    if (typeof value === 'string' && !isLinear(check)) {
      // Its own length validator says what is wrong with it.
      if (isOverLength(job.property.checks, check.each, value)) return;
      const { maxPatternChars } = this.#options.limits;
      if (value.length > maxPatternChars) {
        this.#options.issues.add(path, 'string_too_long', tooLongMessage(maxPatternChars));
        return;
      }
    }
    let passes: unknown;
    try {
      passes = callCheck(check, job, value);
    } catch {
      passes = false;
    }
    if (isPromise(passes)) this.pending.push(this.#settle(passes, check, job, value, path));
    else if (!passes) this.#fail(check, job, value, path);
  }

  async #settle(outcome: PromiseLike<unknown>, check: Check, job: CheckJob, value: unknown, path: Path): Promise<void> {
    let passes: unknown = false;
    try {
      passes = await outcome;
    } catch {
      // A validator that rejects has not said yes.
    }
    if (!passes) this.#fail(check, job, value, path);
  }

  #fail(check: Check, { property, model }: CheckJob, value: unknown, path: Path): void {
    this.#options.issues.add(path, check.name, failureMessage(check, property.wire, model.name, value));
  }
}

/** What a condition said. One that says it later holds, and its end is nobody's. */
function holdsNow(said: unknown): boolean {
  if (isPromise(said)) forget(said);
  return Boolean(said);
}

const MAX_JOBS_WHEN_REFUSED = 1_000;

/** Calls one validator with what class-validator would give it. */
export function callCheck(
  check: Check,
  { instance, property, model }: Pick<CheckJob, 'instance' | 'property' | 'model'>,
  value: unknown,
): unknown {
  if (check.own !== undefined) return check.own(value);
  if (typeof value !== 'string' || !check.genuine || isLinear(check))
    return ask(check, instance, property, model, value);
  return testOnce(check, value, (text) => ask(check, instance, property, model, text) === true);
}

function ask(check: Check, instance: object, property: PropertyModel, model: ClassModel, value: unknown): unknown {
  const { constraints, genuine, name } = check;
  const subject = genuine && !check.each && ARRAY_CHECKS.has(name) ? asList(value, name) : value;
  return check.validator().validate(subject, {
    targetName: model.name,
    property: property.name,
    object: instance,
    value: subject,
    constraints,
  });
}

const ARRAY_CHECKS = new Set(
  'isArray arrayContains arrayNotContains arrayNotEmpty arrayMinSize arrayMaxSize arrayUnique'.split(' '),
);

/** A set or a map as the list that array validators know. */
function asList(value: unknown, name: string): unknown {
  const list = value instanceof Set ? [...(value as Set<unknown>)] : value instanceof Map ? [...value.values()] : value;
  return name === 'arrayUnique' && Array.isArray(list) ? withLinearFilter(list) : list;
}

/**
 * class-validator's @ArrayUnique filters a list by `indexOf`, which is quadratic, after mapping it by an identifier that
 * nobody else can see. A list whose own `filter` drops repeats in one pass gives the same answer.
 */
function withLinearFilter(list: readonly unknown[]): unknown[] {
  const copy = [...list];
  return Object.assign(copy, {
    filter: () => [...new Set(copy)],
    map: (identify: (item: unknown, index: number) => unknown) => withLinearFilter(list.map(identify)),
  });
}
