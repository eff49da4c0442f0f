import { CAPABILITIES, SENSITIVITIES } from '../core/capabilities.js';
import {
  findOptionProblems,
  isCount,
  isFilled,
  isFlag,
  isNames,
  isOneOf,
  isPositive,
  isText,
  type OptionCheck,
} from '../core/check-options.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import type { PrimitiveKind } from '../core/ports.js';
import type { AccessKeys, PolicyDocument, PolicyRule, RateLimitRule, RuleMatch } from './document.js';

type Checks<T> = Readonly<Record<keyof T, OptionCheck>>;

const KINDS: readonly PrimitiveKind[] = ['tool', 'resource', 'template', 'prompt'];

/** Seconds of the periods that a rate can be given for. */
export const PERIODS: Readonly<Record<RateLimitRule['per'], number>> = Object.freeze({
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
});

/** A list of these very words. */
function areSome(...words: readonly string[]): OptionCheck {
  return (value) =>
    Array.isArray(value) && value.every((item) => words.includes(item as string))
      ? undefined
      : `must be a list of ${words.map((word) => `'${word}'`).join(', ')}. Pass some of them`;
}

/** Checked on its own, at its own path. */
const nested: OptionCheck = () => undefined;

const ACCESS: Checks<AccessKeys> = {
  allowTools: isNames,
  denyTools: isNames,
  allowResources: isNames,
  denyResources: isNames,
  allowPrompts: isNames,
  denyPrompts: isNames,
  allowCategories: isNames,
  denyCategories: isNames,
  allowCapabilities: areSome(...CAPABILITIES),
  denyCapabilities: areSome(...CAPABILITIES),
  maxSensitivity: isOneOf(...SENSITIVITIES),
};

const MATCH: Checks<RuleMatch> = {
  roles: isNames,
  principals: isNames,
  names: isNames,
  categories: isNames,
  tags: isNames,
  kinds: areSome(...KINDS),
  sensitivity: areSome(...SENSITIVITIES),
  capabilities: areSome(...CAPABILITIES),
};

const LIMIT: Checks<RateLimitRule> = {
  name: isFilled,
  rate: (value) => isPositive(value) ?? (value === Infinity ? 'has no end. Leave the limit out' : undefined),
  per: isOneOf(...Object.keys(PERIODS)),
  burst: (value) =>
    typeof value === 'number' && value >= 1 && value < Infinity
      ? undefined
      : `is ${String(value)}. Pass a number of 1 or more`,
  scope: isOneOf('principal', 'tool', 'principal_tool', 'global'),
  tools: isNames,
  kinds: areSome(...KINDS),
};

const ROLE: Checks<Omit<PolicyRule, 'name'>> = { ...ACCESS, match: nested, rateLimits: nested };
const RULE: Checks<PolicyRule> = { ...ROLE, name: isFilled };

const DOCUMENT: Checks<PolicyDocument> = {
  ...ACCESS,
  name: isFilled,
  description: isText,
  extends: isFilled,
  hideDenied: isFlag,
  audit: isFlag,
  auditSize: isCount,
  roles: nested,
  rules: nested,
  rateLimits: nested,
};

/** Everything that is wrong with a document, each as "file path: problem. remedy." */
export function documentProblems(site: string, document: unknown): readonly string[] {
  const problems = findOptionProblems(site, document, DOCUMENT);
  if (!isRecord(document)) return problems;
  const { roles } = document;
  if (roles !== undefined && !isRecord(roles)) {
    problems.push(finding('CT103', `${site} roles must be an object. Pass one.`));
  }
  for (const [role, rule] of Object.entries(isRecord(roles) ? roles : {})) {
    problems.push(...ruleProblems(`${site} roles.${role}`, rule, ROLE));
  }
  problems.push(...eachOf(`${site} rules`, document.rules, (at, rule) => ruleProblems(at, rule, RULE)));
  problems.push(...limitProblems(`${site} rateLimits`, document.rateLimits));
  return problems;
}

function ruleProblems(site: string, rule: unknown, checks: Readonly<Record<string, OptionCheck>>): string[] {
  const problems = findOptionProblems(site, rule, checks);
  if (!isRecord(rule)) return problems;
  if (rule['match'] !== undefined) problems.push(...findOptionProblems(`${site}.match`, rule['match'], MATCH));
  problems.push(...limitProblems(`${site}.rateLimits`, rule['rateLimits']));
  return problems;
}

function limitProblems(site: string, limits: unknown): string[] {
  return eachOf(site, limits, (at, limit) => {
    const problems = findOptionProblems(at, limit, LIMIT);
    if (!isRecord(limit)) return problems;
    if (limit['rate'] === undefined) problems.push(missing(at, 'rate', 'a number above 0'));
    if (limit['per'] === undefined) problems.push(missing(at, 'per', "'second', 'minute', 'hour' or 'day'"));
    return problems;
  });
}

function missing(site: string, key: string, what: string): string {
  return finding('CT103', `${site}: ${key} is missing. Pass ${what}.`);
}

function eachOf(site: string, list: unknown, check: (at: string, item: unknown) => readonly string[]): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [finding('CT103', `${site} must be a list. Pass an array.`)];
  return list.flatMap((item: unknown, index) => check(`${site}[${index}]`, item));
}
