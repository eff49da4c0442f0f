import { enumValues } from './constraint-keywords.js';
import type { Shape } from './model.js';

/**
 * Validators that replace class-validator's of the same name, because those are quadratic (@ArrayUnique), throw on
 * data (@IsNotEmptyObject, maxDecimalPlaces), refuse numbers written with an exponent (@IsLatitude), or accept what
 * the schema does not (@IsEnum takes the names of numeric members). Each agrees with the original elsewhere.
 */
export function ownValidator(
  name: string,
  constraints: readonly unknown[],
  shape: Shape,
): ((value: unknown) => boolean) | undefined {
  const numeric = shape.kind === 'number' || shape.kind === 'integer';
  switch (name) {
    case 'isEnum': {
      const values = new Set(enumValues(constraints[0]));
      return (value) => values.has(value);
    }
    case 'isLatitude':
      return numeric ? (value) => typeof value === 'number' && Math.abs(value) <= 90 : undefined;
    case 'isLongitude':
      return numeric ? (value) => typeof value === 'number' && Math.abs(value) <= 180 : undefined;
    case 'isNotEmptyObject': {
      const { nullable } = (constraints[0] ?? {}) as { nullable?: boolean };
      return (value) => hasContent(value, nullable !== false);
    }
    case 'isNumber': {
      const { maxDecimalPlaces } = (constraints[0] ?? {}) as { maxDecimalPlaces?: number };
      return (value) =>
        isFiniteNumber(value) && (maxDecimalPlaces === undefined || decimals(value) <= maxDecimalPlaces);
    }
    default:
      return undefined;
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** How many digits stand after the decimal point when the number is written without an exponent. */
export function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const written = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, written - Number(exponent));
}

function hasContent(value: unknown, nullCounts: boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const items = Object.values(value);
  return items.length > 0 && (nullCounts || items.some((item) => item !== null && item !== undefined));
}
