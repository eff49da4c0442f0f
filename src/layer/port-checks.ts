import { findOptionProblems, hasMethods, isPositive, type OptionCheck } from '../core/check-options.js';
import type { Stores } from '../core/stores.js';
import type { ValidationLimits } from '../schema/base/limits.js';

const isContainer = hasMethods('check', 'lifetimeOf', 'resolve', 'openScope', 'dispose');
const isTsyringe = hasMethods('createChildContainer', 'registerInstance', 'resolve');

/** What is wrong with the option `container`. tsyringe's own is what is passed most often in its place. */
export const containerProblem: OptionCheck = (value) =>
  isContainer(value) !== undefined && isTsyringe(value) === undefined
    ? 'is a bare tsyringe container. Pass new TsyringeContainer({ parent: container })'
    : isContainer(value);

const STORE_CHECKS: Readonly<Record<keyof Stores, OptionCheck>> = {
  changes: hasMethods('publish', 'subscribe'),
  events: hasMethods('append', 'after', 'drop'),
  cache: hasMethods('get', 'set', 'clear'),
  limits: hasMethods('take'),
  vault: hasMethods('get', 'put'),
  tasks: hasMethods('create', 'get', 'replace', 'count'),
};

/** Everything that is wrong with the option `stores`. */
export function storeProblems(value: unknown): readonly string[] {
  return value === undefined ? [] : findOptionProblems('McpLayer stores', value, STORE_CHECKS);
}

const LIMIT_CHECKS: Readonly<Record<keyof ValidationLimits, OptionCheck>> = {
  maxDepth: isPositive,
  maxItems: isPositive,
  maxPatternChars: isPositive,
  maxIssues: isPositive,
};

/** Everything that is wrong with the option `validationLimits`. */
export function limitsProblems(value: unknown): readonly string[] {
  return value === undefined ? [] : findOptionProblems('McpLayer validationLimits', value, LIMIT_CHECKS);
}
