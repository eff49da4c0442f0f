import { ConfigurationError } from './errors.js';
import { finding } from './finding.js';
import { isPromise } from './guards.js';
import { nearest } from './nearest.js';

/** What is wrong with an option's value, as it continues "name: option …"; `undefined` when nothing is. */
export type OptionCheck = (value: unknown) => string | undefined;

/** Text, empty or not. */
export const isText: OptionCheck = (value) => (typeof value === 'string' ? undefined : 'must be text. Pass a string');

/** Text with something in it. */
export const isFilled: OptionCheck = (value) => (value === '' ? 'is empty. Pass a name' : isText(value));

/** true or false. */
export const isFlag: OptionCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'must be a boolean. Pass true or false';

/** An array of anything. */
export const isList: OptionCheck = (value) => (Array.isArray(value) ? undefined : 'must be a list. Pass an array');

/** An array of text. */
export const isNames: OptionCheck = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? undefined
    : 'must be a list of names. Pass strings';

/** Anything that can be called. */
export const isFunction: OptionCheck = (value) =>
  typeof value === 'function' ? undefined : 'must be a function. Pass one';

/** A number above 0, infinity included. */
export const isPositive: OptionCheck = (value) =>
  typeof value === 'number' && value > 0 ? undefined : `is ${String(value)}. Pass a number above 0`;

/** How many, at least one. */
export const isCount: OptionCheck = (value) =>
  Number.isInteger(value) && (value as number) > 0 ? undefined : `is ${String(value)}. Pass a whole number above 0`;

/** The longest delay that Node's timers keep. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds that a timer can wait for. */
export const isDelay: OptionCheck = (value) =>
  isPositive(value) ?? ((value as number) <= MAX_TIMER_MS ? undefined : `is too long. Pass at most ${MAX_TIMER_MS}`);

/** Says of a list of classes that the one at `index` is not there yet: what a circular import leaves. */
export function undefinedClass(index: number): string {
  return `holds undefined at ${index}: a class that was not there yet, as when two files import each other. Break the circle, or move what both need into a file of its own`;
}

/** An object with keys of its own to look at, not the promise of one. */
export const isObject: OptionCheck = (value) =>
  typeof value !== 'object' || value === null
    ? 'must be an object. Pass one'
    : isPromise(value)
      ? 'is a promise. Await it'
      : undefined;

/** An AbortSignal, of whichever realm. */
export const isSignal: OptionCheck = (value) =>
  typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function'
    ? undefined
    : 'must be an AbortSignal. Pass the signal of an AbortController';

/** An object with these methods. */
export function hasMethods(...methods: string[]): OptionCheck {
  return (value) => {
    const given = value as Record<string, unknown> | null | undefined;
    const missing = methods.filter((method) => typeof given?.[method] !== 'function');
    return missing.length === 0 ? undefined : `lacks ${missing.join('(), ')}(). Pass an object that has it`;
  };
}

/** One of these very values. */
export function isOneOf(...values: readonly unknown[]): OptionCheck {
  const listed = values.map((value) => `'${String(value)}'`).join(', ');
  return (value) => (values.includes(value) ? undefined : `must be one of ${listed}. Pass one`);
}

/**
 * Everything that is wrong with an options object, each as "site: problem. remedy.": unknown keys name the nearest known
 * one, and an option that is `undefined` is not set.
 */
export function findOptionProblems(
  site: string,
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
): string[] {
  if (isPromise(options)) return [finding('CT101', `${site}: the options are a promise. Await it.`)];
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [
      finding(
        'CT101',
        `${site}: the options must be an object. Pass one, such as { ${Object.keys(checks)[0] ?? ''}: … }.`,
      ),
    ];
  }
  const problems: string[] = [];
  // Ten thousand tools are checked at start: nothing is made for an option that is in order.
  for (const key of Object.keys(options)) {
    const value = (options as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) {
      const near = nearest(key, Object.keys(checks));
      const remedy = near === undefined ? `Use ${Object.keys(checks).join(', ')}.` : `Did you mean '${near}'?`;
      problems.push(finding('CT102', `${site}: no option '${key}'. ${remedy}`));
      continue;
    }
    const problem = check(value);
    if (problem !== undefined) problems.push(finding('CT103', `${site}: ${key} ${problem}.`));
  }
  return problems;
}

/** @throws {ConfigurationError} With everything that is wrong with the options. */
export function checkOptions(
  site: string,
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
  more: readonly string[] = [],
): void {
  const findings = [...findOptionProblems(site, options, checks), ...more];
  if (findings.length > 0) throw new ConfigurationError(findings);
}
