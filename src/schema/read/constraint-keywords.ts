import type { JsonSchema } from '../../core/json-schema.js';
import type { Kind } from './model.js';
import { escapePattern, toPattern } from './regex-pattern.js';
import type { ValidationRecord } from './validator-metadata.js';

/** What one validator says about the value it stands on. */
export interface Fragment {
  readonly kind?: Kind;
  readonly keywords?: JsonSchema;
  readonly values?: readonly unknown[];
  /** The validator lets null through. */
  readonly nullable?: boolean;
}

type Describe = (constraints: readonly unknown[], record: ValidationRecord) => Fragment;

const string = (keywords?: JsonSchema): Describe => {
  const fragment: Fragment = { kind: 'string', keywords };
  return () => fragment;
};
const number = (keywords?: JsonSchema): Describe => {
  const fragment: Fragment = { kind: 'number', keywords };
  return () => fragment;
};
const array = (keywords?: JsonSchema): Describe => {
  const fragment: Fragment = { kind: 'array', keywords };
  return () => fragment;
};

const dateTime = string({ format: 'date-time' });
const date: Describe = () => ({ kind: 'date' });

/** String validators that JSON Schema has no words for. Source: class-validator 0.15, `src/decorator/string`. */
const PLAIN_STRINGS = [
  'isBIC isBase32 isBase58 isBtcAddress isByteLength isCreditCard isCurrency isDataURI isDecimal isEAN',
  'isEthereumAddress IsFirebasePushId isFullWidth isHSL isHalfWidth isHash isIBAN isIsbn isIsin isISO31661Alpha2',
  'isISO31661Alpha3 isISO31661Numeric isISO4217CurrencyCode isISO6391 isISRC isISSN isIdentityCard isJwt isLatLong',
  'isLocale isLowercase isMacAddress isMagnetURI isMilitaryTime isMimeType isMobilePhone isMultibyte isOctal',
  'isPassportNumber isPhoneNumber isPort isPostalCode isRgbColor isSemVer isStrongPassword isSurrogatePair isTaxId',
  'isTimeZone isUppercase isVariableWidth',
].flatMap((line) => line.split(' '));

const TABLE: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ...PLAIN_STRINGS.map((name): [string, Describe] => [name, string()]),
  ['isString', string()],
  ['isAlpha', ([locale]) => localised(locale, '^[a-zA-Z]+$')],
  ['isAlphanumeric', ([locale]) => localised(locale, '^[0-9a-zA-Z]+$')],
  ['isAscii', string({ pattern: '^[\\x00-\\x7F]+$' })],
  ['isHexadecimal', string({ pattern: '^(0x|0h)?[0-9a-fA-F]+$' })],
  ['isHexColor', string({ pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' })],
  ['isMongoId', string({ pattern: '^(0x|0h)?[0-9a-fA-F]{24}$' })],
  ['isNumberString', ([options]) => numberString(options)],
  ['isBooleanString', () => ({ kind: 'string', values: ['true', 'false', '1', '0'] })],
  ['isBase64', ([options]) => base64(options)],
  ['isJson', string({ contentMediaType: 'application/json' })],
  ['isEmail', string({ format: 'email' })],
  ['isUrl', string({ format: 'uri' })],
  ['isUuid', string({ format: 'uuid' })],
  ['isFqdn', string({ format: 'hostname' })],
  ['isIp', ([version]) => ip(version)],
  ['isDateString', dateTime],
  ['isIso8601', dateTime],
  ['isRFC3339', dateTime],
  ['isLength', ([min, max]) => ({ kind: 'string', keywords: defined({ minLength: min, maxLength: max }) })],
  ['minLength', ([min]) => ({ kind: 'string', keywords: { minLength: min } })],
  ['maxLength', ([max]) => ({ kind: 'string', keywords: { maxLength: max } })],
  ['matches', matches],
  ['contains', ([seed]) => ({ kind: 'string', keywords: { pattern: escapePattern(String(seed)) } })],
  ['notContains', ([seed]) => ({ kind: 'string', keywords: { not: { pattern: escapePattern(String(seed)) } } })],
  ['isNumber', number()],
  ['isInt', () => ({ kind: 'integer' })],
  ['min', ([min]) => ({ kind: 'number', keywords: { minimum: min } })],
  ['max', ([max]) => ({ kind: 'number', keywords: { maximum: max } })],
  ['isPositive', number({ exclusiveMinimum: 0 })],
  ['isNegative', number({ exclusiveMaximum: 0 })],
  ['isDivisibleBy', ([divisor]) => divisible(divisor)],
  ['isLatitude', number({ minimum: -90, maximum: 90 })],
  ['isLongitude', number({ minimum: -180, maximum: 180 })],
  ['isBoolean', () => ({ kind: 'boolean' })],
  ['isDate', date],
  ['minDate', date],
  ['maxDate', date],
  ['isArray', array()],
  ['arrayNotEmpty', array({ minItems: 1 })],
  ['arrayMinSize', ([min]) => ({ kind: 'array', keywords: { minItems: min } })],
  ['arrayMaxSize', ([max]) => ({ kind: 'array', keywords: { maxItems: max } })],
  ['arrayUnique', array({ uniqueItems: true })],
  ['arrayContains', ([values]) => ({ kind: 'array', keywords: everyValue(values, (value) => contains(value)) })],
  ['arrayNotContains', ([values]) => ({ kind: 'array', keywords: everyValue(values, (v) => ({ not: contains(v) })) })],
  ['isObject', () => ({ kind: 'object' })],
  ['isNotEmptyObject', () => ({ kind: 'object', keywords: { minProperties: 1 } })],
  ['isIn', ([values]) => oneOf(values)],
  ['isEnum', ([entity]) => ({ ...oneOf(enumValues(entity)), kind: enumKind(enumValues(entity)) })],
  ['equals', ([value]) => constant(value)],
  ['isNotIn', ([values]) => ({ keywords: { not: { enum: (values as unknown[]).filter(isJsonScalar) } } })],
  ['notEquals', ([value]) => (isJsonScalar(value) ? { keywords: { not: { const: value } } } : {})],
]);

/** What a class-validator decorator says in JSON Schema; nothing for a validator of the user's own. */
export function describeConstraint(record: ValidationRecord): Fragment {
  const describe = record.name === undefined ? undefined : TABLE.get(record.name);
  const fragment = describe?.(record.constraints ?? [], record) ?? {};
  // A validator that applies only sometimes says what kind of value it is for, but promises nothing about it.
  return record.validateIf === undefined ? fragment : { kind: fragment.kind };
}

/** The values of an enum of any kind: numeric ones without the names that TypeScript adds for them. */
export function enumValues(entity: unknown): unknown[] {
  const members = entity as Record<string, unknown>;
  const isReverse = (key: string): boolean => {
    const named = members[key];
    return typeof named === 'string' && typeof members[named] === 'number' && String(members[named]) === key;
  };
  return [
    ...new Set(
      Object.keys(members)
        .filter((key) => !isReverse(key))
        .map((key) => members[key]),
    ),
  ];
}

function enumKind(values: readonly unknown[]): Kind | undefined {
  return values.length > 0 && values.every((value) => Number.isSafeInteger(value)) ? 'integer' : kindOf(values);
}

/** The kind that all values share, if they share one. */
function kindOf(values: readonly unknown[]): Kind | undefined {
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  return types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean') ? type : undefined;
}

function oneOf(values: unknown): Fragment {
  const listed = Array.isArray(values) ? (values as unknown[]) : [];
  const scalars = [...new Set(listed.filter((value) => isJsonScalar(value) && value !== null))];
  return { kind: kindOf(scalars), values: scalars, nullable: listed.includes(null) };
}

function constant(value: unknown): Fragment {
  if (value === null) return { keywords: { const: null }, nullable: true };
  return isJsonScalar(value) ? { kind: kindOf([value]), keywords: { const: value }, values: [value] } : {};
}

function isJsonScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

function defined(keywords: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined && value !== null));
}

function localised(locale: unknown, pattern: string): Fragment {
  return { kind: 'string', keywords: locale === undefined || locale === 'en-US' ? { pattern } : {} };
}

function numberString(options: unknown): Fragment {
  const { no_symbols: digitsOnly, locale } = (options ?? {}) as { no_symbols?: boolean; locale?: string };
  if (locale !== undefined && locale !== 'en-US') return { kind: 'string' };
  return { kind: 'string', keywords: { pattern: digitsOnly === true ? '^[0-9]+$' : '^[+-]?([0-9]*[.])?[0-9]+$' } };
}

function base64(options: unknown): Fragment {
  const urlSafe = (options as { urlSafe?: boolean } | undefined)?.urlSafe === true;
  return { kind: 'string', keywords: { contentEncoding: urlSafe ? 'base64url' : 'base64' } };
}

function ip(version: unknown): Fragment {
  const digit = Number(version);
  if (digit === 4 || digit === 6) return { kind: 'string', keywords: { format: `ipv${digit}` } };
  return { kind: 'string', keywords: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } };
}

/** The expression of a @Matches; `undefined` where what was given is none. */
export function expressionOf([pattern, flags]: readonly unknown[]): RegExp | undefined {
  return pattern instanceof RegExp ? pattern : compiled(String(pattern), flags);
}

function matches(constraints: readonly unknown[]): Fragment {
  const expression = expressionOf(constraints);
  const translated = expression === undefined ? undefined : toPattern(expression);
  return { kind: 'string', keywords: translated === undefined ? {} : { pattern: translated } };
}

function compiled(pattern: string, flags: unknown): RegExp | undefined {
  try {
    return new RegExp(pattern, typeof flags === 'string' ? flags : '');
  } catch {
    return undefined;
  }
}

/** class-validator divides by the integer part only, so that is what the schema may promise. */
function divisible(divisor: unknown): Fragment {
  const whole = Math.abs(Math.trunc(Number(divisor)));
  return { kind: 'number', keywords: Number.isSafeInteger(whole) && whole > 0 ? { multipleOf: whole } : {} };
}

function contains(value: unknown): JsonSchema {
  return { contains: { const: value } };
}

function everyValue(values: unknown, of: (value: unknown) => JsonSchema): JsonSchema {
  const scalars = Array.isArray(values) ? (values as unknown[]).filter(isJsonScalar) : [];
  return scalars.length === 0 ? {} : { allOf: scalars.map(of) };
}
