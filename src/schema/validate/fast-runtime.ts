import { forget, isPromise } from '../../core/guards.js';
import { callCheck } from './check-runner.js';
import { isLinear } from './text-checks.js';
import { booleanFromText, dateFromText, integerFromText, numberFromText } from './coerce.js';
import { isShallow, type ValidationLimits } from '../base/limits.js';
import type { Check, ClassModel, PropertyModel, Shape } from '../read/model.js';
import { issuesOfSchema } from '../raw/shape.js';
import { testOnce } from '../base/text-tests.js';
import { textLength } from '../read/text-length.js';

/** What generated code calls. Every function answers "certainly yes" or "ask the slow path". */
export const runtime = Object.freeze({
  proto: Object.prototype,
  protoOf: Object.getPrototypeOf,
  keyCount: (value: object) => Object.keys(value).length,
  shallow: isShallow,
  numberFromText,
  integerFromText,
  booleanFromText,
  dateFromText,
  textLength,
  satisfies: (schema: Shape['keywords'], value: unknown, levels: number, limits: ValidationLimits) =>
    isShallow(value, levels) && issuesOfSchema(schema, value, limits).length === 0,
});

/** Asks a validator about a value, or about every element of one. */
export function passesCheck(
  check: Check,
  property: PropertyModel,
  model: ClassModel,
  maxChars: number,
): (instance: object, value: unknown) => boolean {
  const one = (instance: object, value: unknown): boolean => {
    if (typeof value === 'string' && value.length > maxChars && !isLinear(check)) return false;
    // A validator that throws, or makes us wait, is for the slow path.
    const passes = callCheck(check, { instance, property, model }, value);
    if (isPromise(passes)) forget(passes);
    return passes === true;
  };
  if (!check.each) return one;
  const nullable = property.shape.items?.nullable === true;
  return (instance, value) => {
    const items = value instanceof Map ? value.values() : (value as Iterable<unknown>);
    for (const item of items) if (!(item === null && nullable) && !one(instance, item)) return false;
    return true;
  };
}

/** What tests a text as a @Matches does; `undefined` where the flags of its expression carry state. */
export function testerOf(check: Check): { test(text: string): boolean } | undefined {
  const expression = patternOf(check.constraints);
  if (expression === undefined) return undefined;
  const test = (text: string): boolean => expression.test(text);
  return { test: (text) => testOnce(check, text, test) };
}

function patternOf([pattern, flags]: readonly unknown[]): RegExp | undefined {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  const chosen = pattern instanceof RegExp ? pattern.flags : typeof flags === 'string' ? flags : '';
  return /[gy]/.test(chosen) ? undefined : new RegExp(source, chosen);
}
