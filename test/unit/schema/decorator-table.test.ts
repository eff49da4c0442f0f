import * as validator from 'class-validator';
import { inputSchemaFor } from '../../../src/schema/dto.js';
import { dtoOf } from './case-source.js';

const text = { type: 'string' };
const moment = { type: 'string', format: 'date-time' };
const list = { type: 'array', items: {} };

/** Every property decorator of class-validator 0.15, by what it says of a property of the type that it is meant for. */
const table: readonly (readonly [decorator: string, type: string, schema: object])[] = [
  ['Allow()', 'any', {}],
  ['ArrayContains(["x"])', 'string[]', { ...list, allOf: [{ contains: { const: 'x' } }] }],
  ['ArrayMaxSize(5)', 'string[]', { ...list, maxItems: 5 }],
  ['ArrayMinSize(1)', 'string[]', { ...list, minItems: 1 }],
  ['ArrayNotContains(["x"])', 'string[]', { ...list, allOf: [{ not: { contains: { const: 'x' } } }] }],
  ['ArrayNotEmpty()', 'string[]', { ...list, minItems: 1 }],
  ['ArrayUnique()', 'string[]', { ...list, uniqueItems: true }],
  ['Contains("x")', 'any', { ...text, pattern: 'x' }],
  ['Equals("x")', 'any', { ...text, const: 'x' }],
  ['IsAlpha()', 'any', { ...text, pattern: '^[a-zA-Z]+$' }],
  ['IsAlphanumeric()', 'any', { ...text, pattern: '^[0-9a-zA-Z]+$' }],
  ['IsArray()', 'string[]', list],
  ['IsAscii()', 'any', { ...text, pattern: '^[\\x00-\\x7F]+$' }],
  ['IsBase64()', 'any', { ...text, contentEncoding: 'base64' }],
  ['IsBoolean()', 'boolean', { type: 'boolean' }],
  ['IsBooleanString()', 'any', { ...text, enum: ['true', 'false', '1', '0'] }],
  ['IsDate()', 'Date', moment],
  ['IsDateString()', 'any', moment],
  ['IsDefined()', 'any', { not: { type: 'null' } }],
  ['IsDivisibleBy(2)', 'number', { type: 'number', multipleOf: 2 }],
  ['IsEmail()', 'any', { ...text, format: 'email' }],
  ['IsEmpty()', 'any', {}],
  ['IsEnum({ A: "a" })', 'any', { ...text, enum: ['a'] }],
  ['IsFQDN()', 'any', { ...text, format: 'hostname' }],
  ['IsHexColor()', 'any', { ...text, pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' }],
  ['IsHexadecimal()', 'any', { ...text, pattern: '^(0x|0h)?[0-9a-fA-F]+$' }],
  ['IsIP()', 'any', { ...text, anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
  ['IsISO8601()', 'any', moment],
  ['IsIn(["x"])', 'any', { ...text, enum: ['x'] }],
  ['IsInstance(Object)', 'object', {}],
  ['IsInt()', 'number', { type: 'integer' }],
  ['IsJSON()', 'any', { ...text, contentMediaType: 'application/json' }],
  ['IsLatitude()', 'any', { type: 'number', minimum: -90, maximum: 90 }],
  ['IsLatitude()', 'string', text],
  ['IsLongitude()', 'any', { type: 'number', minimum: -180, maximum: 180 }],
  ['IsMongoId()', 'any', { ...text, pattern: '^(0x|0h)?[0-9a-fA-F]{24}$' }],
  ['IsNegative()', 'number', { type: 'number', exclusiveMaximum: 0 }],
  ['IsNotEmpty()', 'any', {}],
  ['IsNotEmpty()', 'string', { ...text, minLength: 1 }],
  ['IsNotEmptyObject()', 'object', { type: 'object', minProperties: 1 }],
  ['IsNotIn(["x"])', 'any', { not: { enum: ['x'] } }],
  ['IsNumber()', 'number', { type: 'number' }],
  ['IsNumberString()', 'any', { ...text, pattern: '^[+-]?([0-9]*[.])?[0-9]+$' }],
  ['IsNumberString({ no_symbols: true })', 'any', { ...text, pattern: '^[0-9]+$' }],
  ['IsObject()', 'object', { type: 'object' }],
  ['IsOptional()', 'any', {}],
  ['IsPositive()', 'number', { type: 'number', exclusiveMinimum: 0 }],
  ['IsRFC3339()', 'any', moment],
  ['IsString()', 'any', text],
  ['IsUUID()', 'any', { ...text, format: 'uuid' }],
  ['IsUrl()', 'any', { ...text, format: 'uri' }],
  ['Length(1, 5)', 'any', { ...text, minLength: 1, maxLength: 5 }],
  ['Matches(/x/)', 'any', { ...text, pattern: 'x' }],
  ['Max(9)', 'number', { type: 'number', maximum: 9 }],
  ['MaxDate(new Date(0))', 'Date', moment],
  ['MaxLength(5)', 'any', { ...text, maxLength: 5 }],
  ['Min(1)', 'number', { type: 'number', minimum: 1 }],
  ['MinDate(new Date(0))', 'Date', moment],
  ['MinLength(1)', 'any', { ...text, minLength: 1 }],
  ['NotContains("x")', 'any', { ...text, not: { pattern: 'x' } }],
  ['NotEquals("x")', 'any', { not: { const: 'x' } }],
  ['ValidateIf(() => true)', 'any', {}],
  ['ValidatePromise()', 'any', {}],
  ...[
    'IsBIC IsBase32 IsBase58 IsBtcAddress IsCreditCard IsCurrency IsDataURI IsDecimal IsEAN IsEthereumAddress',
    'IsFirebasePushId IsFullWidth IsHSL IsHalfWidth IsIBAN IsISBN IsISIN IsISO31661Alpha2 IsISO31661Alpha3',
    'IsISO31661Numeric IsISO4217CurrencyCode IsISO6391 IsISRC IsISSN IsIdentityCard IsJWT IsLatLong IsLocale IsLowercase',
    'IsMACAddress IsMagnetURI IsMilitaryTime IsMimeType IsMobilePhone IsMultibyte IsOctal IsPassportNumber IsPhoneNumber',
    'IsPort IsPostalCode IsRgbColor IsSemVer IsStrongPassword IsSurrogatePair IsTaxId IsTimeZone IsUppercase IsVariableWidth',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => [`${name}()`, 'any', text] as const),
  ['IsByteLength(1)', 'any', text],
  ['IsHash("md5")', 'any', text],
];

describe('what every decorator says in JSON Schema', () => {
  test.each(table)('@%s on %s', (decorator, type, schema) => {
    const dto = dtoOf(`class Dto { @${decorator} v: ${type} }`);
    expect((inputSchemaFor(dto).properties as { v: object }).v).toEqual(schema);
  });

  test('nested values need their class named', () => {
    expect(() => inputSchemaFor(dtoOf('class Dto { @ValidateNested() v: any }'))).toThrow(
      'Dto.v: @ValidateNested needs @Type(() => Class).',
    );
  });

  test('no decorator is forgotten', () => {
    const tested = new Set(table.map(([decorator]) => decorator.split('(')[0]).concat('ValidateNested'));
    // A decorator of a class, one that makes decorators, and one that names a constraint of one's own.
    const others = ['ValidatorConstraint', 'ValidateBy', 'Validate'];
    const listed = Object.entries(validator)
      .filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'function' && !isClass(value))
      .map(([name]) => name);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((name) => !tested.has(name) && !others.includes(name))).toEqual([]);
  });
});

const isClass = (value: Function): boolean => value.toString().startsWith('class ');
