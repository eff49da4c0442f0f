import { InvalidArgumentsError } from '../../core/errors.js';
import { CheckRunner } from './check-runner.js';
import { ENOUGH, IssueList } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import type { ClassModel } from '../read/model.js';
import { Reader } from './reader.js';

/** How a class's arguments are validated. */
export interface ClassValidationOptions {
  readonly limits: ValidationLimits;
  readonly open: boolean;
  readonly acceptJsonText: boolean;
}

/**
 * Reads a value into an instance and runs every validator. This path decides and words the refusals; the compiled one
 * only says yes faster. Returns a promise only when a validator did.
 *
 * @throws {InvalidArgumentsError} When something is wrong; the promise rejects with it when a validator made it wait.
 */
export function validateInstance(model: ClassModel, value: unknown, options: ClassValidationOptions): unknown {
  const issues = new IssueList(options.limits.maxIssues);
  const reader = new Reader({ ...options, issues });
  const runner = new CheckRunner({ limits: options.limits, issues, isBroken: (instance) => reader.isBroken(instance) });
  let instance: unknown;
  try {
    instance = reader.readObject(model, value, undefined, 1);
    runner.run(reader.jobs);
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  const { pending } = runner;
  const waiting = pending.length === 0 ? undefined : Promise.all(pending);
  if (issues.issues.length > 0) {
    // Nobody waits for these any more; what they say must not become an unhandled rejection.
    waiting?.catch(() => undefined);
    throw new InvalidArgumentsError(issues.issues);
  }
  return waiting === undefined ? instance : settled(waiting, issues, instance);
}

async function settled(waiting: Promise<unknown>, issues: IssueList, instance: unknown): Promise<unknown> {
  try {
    await waiting;
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  if (issues.issues.length > 0) throw new InvalidArgumentsError(issues.issues);
  return instance;
}
