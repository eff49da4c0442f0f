import { describeConstraint, enumValues, expressionOf } from '../../../src/schema/read/constraint-keywords.js';
import type { ValidationRecord } from '../../../src/schema/read/validator-metadata.js';

const describeOf = (name: string, ...constraints: readonly unknown[]) =>
  describeConstraint({ name, constraints } as unknown as ValidationRecord);

enum Text {
  A = 'a',
  B = 'b',
}
enum Count {
  One = 1,
  Two,
}
enum Mixed {
  A = 'a',
  // eslint-disable-next-line @typescript-eslint/no-mixed-enums -- what is tried here.
  One = 1,
}
enum Half {
  Half = 0.5,
}

describe('what a validator says in JSON Schema', () => {
  test.each<[string, readonly unknown[], object]>([
    ['isAlpha', [], { kind: 'string', keywords: { pattern: '^[a-zA-Z]+$' } }],
    ['isAlpha', ['en-US'], { kind: 'string', keywords: { pattern: '^[a-zA-Z]+$' } }],
    ['isAlpha', ['de-DE'], { kind: 'string', keywords: {} }],
    ['isAlphanumeric', [], { kind: 'string', keywords: { pattern: '^[0-9a-zA-Z]+$' } }],
    ['isAlphanumeric', ['fr-FR'], { kind: 'string', keywords: {} }],
    ['isNumberString', [], { kind: 'string', keywords: { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } }],
    ['isNumberString', [{}], { kind: 'string', keywords: { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } }],
    ['isNumberString', [{ no_symbols: false }], { kind: 'string', keywords: { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } }],
    ['isNumberString', [{ no_symbols: true }], { kind: 'string', keywords: { pattern: '^[0-9]+$' } }],
    ['isNumberString', [{ no_symbols: true, locale: 'en-US' }], { kind: 'string', keywords: { pattern: '^[0-9]+$' } }],
    ['isNumberString', [{ locale: 'de-DE' }], { kind: 'string' }],
    ['isBase64', [], { kind: 'string', keywords: { contentEncoding: 'base64' } }],
    ['isBase64', [{ urlSafe: false }], { kind: 'string', keywords: { contentEncoding: 'base64' } }],
    ['isBase64', [{ urlSafe: true }], { kind: 'string', keywords: { contentEncoding: 'base64url' } }],
    ['isIp', [], { kind: 'string', keywords: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } }],
    ['isIp', ['4'], { kind: 'string', keywords: { format: 'ipv4' } }],
    ['isIp', [6], { kind: 'string', keywords: { format: 'ipv6' } }],
    ['isIp', [5], { kind: 'string', keywords: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } }],
    ['isLength', [1, 2], { kind: 'string', keywords: { minLength: 1, maxLength: 2 } }],
    ['isLength', [1], { kind: 'string', keywords: { minLength: 1 } }],
    ['isLength', [1, null], { kind: 'string', keywords: { minLength: 1 } }],
    ['isLength', [0, 2], { kind: 'string', keywords: { minLength: 0, maxLength: 2 } }],
    ['isBooleanString', [], { kind: 'string', values: ['true', 'false', '1', '0'] }],
    ['contains', ['a.b'], { kind: 'string', keywords: { pattern: 'a\\.b' } }],
    ['contains', [5], { kind: 'string', keywords: { pattern: '5' } }],
    ['notContains', ['a+'], { kind: 'string', keywords: { not: { pattern: 'a\\+' } } }],
    ['matches', [/^a$/], { kind: 'string', keywords: { pattern: '^a$' } }],
    ['matches', ['^b$'], { kind: 'string', keywords: { pattern: '^b$' } }],
    ['matches', ['^b$', 'g'], { kind: 'string', keywords: { pattern: '^b$' } }],
    ['matches', ['['], { kind: 'string', keywords: {} }],
    ['isDivisibleBy', [5], { kind: 'number', keywords: { multipleOf: 5 } }],
    ['isDivisibleBy', [-5], { kind: 'number', keywords: { multipleOf: 5 } }],
    ['isDivisibleBy', [2.9], { kind: 'number', keywords: { multipleOf: 2 } }],
    ['isDivisibleBy', ['3'], { kind: 'number', keywords: { multipleOf: 3 } }],
    ['isDivisibleBy', [0.5], { kind: 'number', keywords: {} }],
    ['isDivisibleBy', [0], { kind: 'number', keywords: {} }],
    ['isDivisibleBy', [NaN], { kind: 'number', keywords: {} }],
    ['isDivisibleBy', [2 ** 53], { kind: 'number', keywords: {} }],
    [
      'arrayContains',
      [[1, 'a']],
      { kind: 'array', keywords: { allOf: [{ contains: { const: 1 } }, { contains: { const: 'a' } }] } },
    ],
    ['arrayContains', [[{}, undefined, Infinity]], { kind: 'array', keywords: {} }],
    ['arrayContains', [null], { kind: 'array', keywords: {} }],
    ['arrayNotContains', [[null]], { kind: 'array', keywords: { allOf: [{ not: { contains: { const: null } } }] } }],
    ['isIn', [['a', 'b', 'a']], { kind: 'string', values: ['a', 'b'], nullable: false }],
    ['isIn', [[1, 2.5]], { kind: 'number', values: [1, 2.5], nullable: false }],
    ['isIn', [[true]], { kind: 'boolean', values: [true], nullable: false }],
    ['isIn', [['a', 1]], { kind: undefined, values: ['a', 1], nullable: false }],
    ['isIn', [['a', null]], { kind: 'string', values: ['a'], nullable: true }],
    ['isIn', [[NaN, {}, 5n, 'a']], { kind: 'string', values: ['a'], nullable: false }],
    ['isIn', [[]], { kind: undefined, values: [], nullable: false }],
    ['isIn', ['abc'], { kind: undefined, values: [], nullable: false }],
    ['isEnum', [Text], { kind: 'string', values: ['a', 'b'], nullable: false }],
    ['isEnum', [Count], { kind: 'integer', values: [1, 2], nullable: false }],
    ['isEnum', [Mixed], { kind: undefined, values: ['a', 1], nullable: false }],
    ['isEnum', [Half], { kind: 'number', values: [0.5], nullable: false }],
    ['isEnum', [{}], { kind: undefined, values: [], nullable: false }],
    ['equals', ['a'], { kind: 'string', keywords: { const: 'a' }, values: ['a'] }],
    ['equals', [false], { kind: 'boolean', keywords: { const: false }, values: [false] }],
    ['equals', [null], { keywords: { const: null }, nullable: true }],
    ['equals', [{}], {}],
    ['equals', [Infinity], {}],
    ['notEquals', ['a'], { keywords: { not: { const: 'a' } } }],
    ['notEquals', [null], { keywords: { not: { const: null } } }],
    ['notEquals', [{}], {}],
    ['isNotIn', [['a', {}, null, NaN]], { keywords: { not: { enum: ['a', null] } } }],
    ['isNotEmptyObject', [], { kind: 'object', keywords: { minProperties: 1 } }],
    ['isHash', ['md5'], { kind: 'string', keywords: undefined }],
    ['myOwn', [], {}],
  ])('@%s(%j)', (name, constraints, fragment) => {
    expect(describeOf(name, ...constraints)).toStrictEqual(fragment);
  });

  test('of a validator that has no name, or applies only sometimes', () => {
    expect(describeConstraint({} as ValidationRecord)).toEqual({});
    const sometimes = { name: 'min', constraints: [1], validateIf: () => true } as unknown as ValidationRecord;
    expect(describeConstraint(sometimes)).toStrictEqual({ kind: 'number' });
    expect(describeConstraint({ name: 'isInt' } as ValidationRecord)).toEqual({ kind: 'integer' });
  });
});

test.each<[string, object, unknown[]]>([
  ['of text', Text, ['a', 'b']],
  ['of numbers, without the names that TypeScript adds', Count, [1, 2]],
  ['of both', Mixed, ['a', 1]],
  ['a value that is there twice', { A: 'x', B: 'x' }, ['x']],
  ['a text that names a member of text', { A: 'B', B: 'A' }, ['B', 'A']],
  ['a text that names a number under another key', { A: 'B', B: 1 }, ['B', 1]],
  ['written by hand', { low: 1, high: 5 }, [1, 5]],
])('the values of an enum %s', (_what, entity, values) => {
  expect(enumValues(entity)).toEqual(values);
});

test.each<[readonly unknown[], RegExp | undefined]>([
  [[/a/i], /a/i],
  [['a'], /a/],
  [['a', 'i'], /a/i],
  [['a', 5], /a/],
  [['('], undefined],
  [['a', 'zz'], undefined],
])('the expression of @Matches(%p)', (constraints, expected) => {
  expect(expressionOf(constraints)).toEqual(expected);
});
