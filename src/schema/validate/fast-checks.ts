import type { Check, PropertyModel, Shape } from '../read/model.js';
import { testerOf } from './fast-runtime.js';

/** Gives a constant a name in generated code. */
export type Name = (value: unknown) => string;

/**
 * A condition, in code, under which `value` does NOT satisfy a check; `''` when its shape has settled it, `undefined`
 * when only the validator itself can say.
 */
export function failsWhen(check: Check, value: string, shape: Shape, name: Name, maxChars: number): string | undefined {
  if (!check.genuine || check.validateIf !== undefined) return undefined;
  if (settledByShape(check, shape)) return '';
  const [first, second] = check.constraints;
  switch (check.name) {
    case 'min':
      return isNumeric(shape) && isFinite(first) ? `!(${value} >= ${literal(first)})` : undefined;
    case 'max':
      return isNumeric(shape) && isFinite(first) ? `!(${value} <= ${literal(first)})` : undefined;
    case 'isPositive':
      return isNumeric(shape) ? `!(${value} > 0)` : undefined;
    case 'isNegative':
      return isNumeric(shape) ? `!(${value} < 0)` : undefined;
    case 'isLatitude':
      return isNumeric(shape) ? `${value} > 90 || ${value} < -90` : undefined;
    case 'isLongitude':
      return isNumeric(shape) ? `${value} > 180 || ${value} < -180` : undefined;
    case 'minLength':
      return shape.kind === 'string' && isFinite(first) ? shorterThan(value, first) : undefined;
    case 'maxLength':
      return shape.kind === 'string' && isFinite(first) ? longerThan(value, first) : undefined;
    case 'isLength':
      if (shape.kind !== 'string' || !isFinite(first)) return undefined;
      if (second === undefined) return shorterThan(value, first);
      return isFinite(second) ? `${shorterThan(value, first)} || ${longerThan(value, second)}` : undefined;
    case 'arrayMinSize':
      return shape.kind === 'array' && isFinite(first) ? `${value}.length < ${literal(first)}` : undefined;
    case 'arrayMaxSize':
      return shape.kind === 'array' && isFinite(first) ? `${value}.length > ${literal(first)}` : undefined;
    case 'arrayNotEmpty':
      return shape.kind === 'array' ? `${value}.length === 0` : undefined;
    case 'matches':
      return matchFails(check, value, shape, name, maxChars);
    case 'isNotEmpty':
      return shape.kind === 'string' ? `${value} === ''` : undefined;
    default:
      return undefined;
  }
}

/** The checks of a property that stand on the value itself, or on its elements. */
export function checksOf(property: PropertyModel, each: boolean): readonly Check[] {
  return property.checks.filter((check) => check.each === each);
}

function settledByShape({ name, constraints }: Check, { kind, values }: Shape): boolean {
  switch (name) {
    case 'isString':
      return kind === 'string';
    case 'isBoolean':
      return kind === 'boolean';
    case 'isInt':
      return kind === 'integer';
    case 'isNumber':
      return (
        (kind === 'number' || kind === 'integer') &&
        (constraints[0] as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces === undefined
      );
    case 'isDate':
      return kind === 'date';
    case 'isArray':
      return kind === 'array';
    case 'isObject':
      return kind === 'object' || kind === 'class' || kind === 'map';
    case 'isDefined':
      return kind !== 'any' && kind !== 'raw';
    case 'isNotEmpty':
      return !['any', 'raw', 'string'].includes(kind);
    case 'isEnum':
    case 'isIn':
      return values !== undefined;
    default:
      return false;
  }
}

function isNumeric({ kind }: Shape): boolean {
  return kind === 'number' || kind === 'integer';
}

function isFinite(bound: unknown): bound is number {
  return typeof bound === 'number' && Number.isFinite(bound);
}

function literal(bound: number): string {
  return Object.is(bound, -0) ? '0' : String(bound);
}

/** A character takes at most three code units (a surrogate pair and a variation selector), so most texts need no count. */
function shorterThan(value: string, min: number): string {
  if (min <= 1) return `${value}.length < ${literal(min)}`;
  return `${value}.length < ${literal(min)} || (${value}.length < ${literal(3 * min)} && textLength(${value}) < ${literal(min)})`;
}

function longerThan(value: string, max: number): string {
  return `(${value}.length > ${literal(max)} && textLength(${value}) > ${literal(max)})`;
}

/** Whether a check runs an expression that the user wrote. */
export function isExpression({ name }: Check): boolean {
  return name === 'matches';
}

function matchFails(check: Check, value: string, shape: Shape, name: Name, maxChars: number): string | undefined {
  const tester = shape.kind === 'string' ? testerOf(check) : undefined;
  return tester === undefined ? undefined : `${value}.length > ${maxChars} || !${name(tester)}.test(${value})`;
}
