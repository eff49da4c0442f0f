import { findOptionProblems, isObject, isSignal, type OptionCheck } from '../core/check-options.js';
import { ToolContext } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import { principalProblem } from '../core/principal.js';
import type { CompleteOptions } from './call-kinds.js';

const CHECKS: Readonly<Record<keyof CompleteOptions, OptionCheck>> = {
  principal: principalProblem,
  context: isObject,
  signal: isSignal,
  looked: isObject,
  arguments: isObject,
};

/**
 * Whoever calls for somebody and says so wrongly, by another name or with a promise, would call as the local user.
 *
 * @throws {ConfigurationError} With everything that is wrong.
 */
export function checkCallOptions(options: CompleteOptions): void {
  if (isCarriers(options)) return;
  const problems = findOptionProblems('a call', options, CHECKS);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Carriers say no more than what they are handed by this layer: every request would pay for looking at it twice. */
function isCarriers(options: CompleteOptions): boolean {
  if (!(options.context instanceof ToolContext)) return false;
  for (const key in options) if (key !== 'context' && key !== 'looked') return false;
  return true;
}
