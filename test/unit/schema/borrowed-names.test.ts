import * as validators from 'class-validator';
import { isGenuineRecord } from '../../../src/schema/read/genuine.js';
import { validationRecords } from '../../../src/schema/read/validator-metadata.js';

const { registerDecorator } = validators;

/** The validators whose meaning is used, each with constraints and with values that its own implementation accepts. */
const NAMES: readonly (readonly [name: string, constraints: readonly unknown[], accepts: readonly unknown[]])[] = [
  ['isString', [], ['', 'x']],
  ['isInt', [], [-7, 12]],
  ['isNumber', [{}], [-7, 12]],
  ['isBoolean', [], [false, true]],
  ['isPositive', [], [0.5, 8]],
  ['isNegative', [], [-0.5, -8]],
  ['min', [3], [3, 6]],
  ['min', [-3], [-3, 0]],
  ['min', [0], [0, 1]],
  ['max', [3], [3, 0]],
  ['max', [0.5], [0.5, -0.5]],
  ['isLatitude', [], [-90, 45]],
  ['isLongitude', [], [-180, 45]],
  ['minLength', [2], ['xx']],
  ['maxLength', [2], ['xx']],
  ['isLength', [2, 5], ['xx']],
  ['isArray', [], [[], [1]]],
  ['arrayNotEmpty', [], [[1], [1, 2]]],
  ['arrayMinSize', [2], [[0, 1]]],
  ['arrayMaxSize', [2], [[0, 1]]],
  ['isObject', [], [{}, { a: 1 }]],
  ['isNotEmptyObject', [], [{ a: 1 }]],
  ['isDate', [], [new Date(0)]],
  ['isDefined', [], [0, 'x']],
  ['isNotEmpty', [], [0, 'x']],
  ['isIn', [['a', 'b']], ['a', 'b']],
  ['isEnum', [{ A: 'a', B: 'b' }], ['a', 'b']],
  ['equals', ['a'], ['a']],
];

/** Whether a validator of the user's own, under a built-in name, is taken for the built-in one. */
function isTaken(name: string, constraints: readonly unknown[], validate: (value: unknown) => unknown): boolean {
  class Dto {}
  registerDecorator({
    name,
    target: Dto,
    propertyName: 'v',
    constraints: [...constraints],
    validator: { validate: validate as (value: unknown) => boolean },
  });
  const [record] = validationRecords(Dto);
  if (record === undefined) throw new Error('there is no record');
  return isGenuineRecord(record);
}

const key = (value: unknown): string => JSON.stringify(value);

describe.each(NAMES)('under the name %s(%j)', (name, constraints, accepts) => {
  const accepted = new Set(accepts.map(key));

  test('one that answers as the built-in one would is believed', () => {
    expect(isTaken(name, constraints, (value) => accepted.has(key(value)))).toBe(true);
  });

  test.each<[string, (value: unknown) => unknown]>([
    ['accepts everything', () => true],
    ['accepts nothing', () => false],
    ['accepts with something else than true', (value) => (accepted.has(key(value)) ? 1 : false)],
    ['refuses with something else than false', (value) => accepted.has(key(value)) || undefined],
    ['answers later', (value) => Promise.resolve(accepted.has(key(value)))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('one that %s is not', (_what, validate) => {
    expect(isTaken(name, constraints, validate)).toBe(false);
  });

  test.each(accepts.map((value) => [value]))('nor is one that refuses %p', (refused) => {
    expect(isTaken(name, constraints, (value) => accepted.has(key(value)) && key(value) !== key(refused))).toBe(false);
  });
});

test.each<[string, readonly unknown[]]>([
  ['minLength', [201]],
  ['maxLength', [Infinity]],
  ['arrayMinSize', [1e9]],
  ['minLength', ['2']],
  ['arrayMaxSize', [-1]],
  ['isIn', [[]]],
  ['isIn', ['ab']],
  ['isEnum', [{}]],
  ['myOwn', []],
])('nobody is tried under %s(%j): it is believed', (name, constraints) => {
  expect(isTaken(name, constraints, () => { throw new Error('was asked'); })).toBe(true); // prettier-ignore
});

test('the longest text that is tried', () => {
  const lengths: number[] = [];
  const validate = (value: unknown): boolean =>
    lengths.push((value as string).length) > 0 && (value as string).length >= 200;
  expect(isTaken('minLength', [200], validate)).toBe(true);
  expect(lengths).toEqual([200, 199]);
});

test('where the shortest is nothing, null stands for what is refused', () => {
  const seen: unknown[] = [];
  expect(isTaken('minLength', [0], (value) => seen.push(value) > 0 && typeof value === 'string')).toBe(true);
  expect(seen).toEqual(['', null]);
});

test.each<[string, PropertyDecorator]>([
  ['isString', validators.IsString()],
  ['isInt', validators.IsInt()],
  ['isNumber', validators.IsNumber()],
  ['isBoolean', validators.IsBoolean()],
  ['isPositive', validators.IsPositive()],
  ['isNegative', validators.IsNegative()],
  ['min', validators.Min(-3)],
  ['max', validators.Max(0)],
  ['isLatitude', validators.IsLatitude()],
  ['isLongitude', validators.IsLongitude()],
  ['minLength', validators.MinLength(0)],
  ['maxLength', validators.MaxLength(200)],
  ['isLength', validators.Length(3, 5)],
  ['isArray', validators.IsArray()],
  ['arrayNotEmpty', validators.ArrayNotEmpty()],
  ['arrayMinSize', validators.ArrayMinSize(2)],
  ['arrayMaxSize', validators.ArrayMaxSize(0)],
  ['isObject', validators.IsObject()],
  ['isNotEmptyObject', validators.IsNotEmptyObject()],
  ['isDate', validators.IsDate()],
  ['isDefined', validators.IsDefined()],
  ['isNotEmpty', validators.IsNotEmpty()],
  ['isIn', validators.IsIn([1, 'a'])],
  ['isEnum', validators.IsEnum({ A: 1, B: 2 })],
  ['equals', validators.Equals(null)],
])("class-validator's own %s is believed", (name, decorate) => {
  class Dto {}
  decorate(Dto.prototype, 'v');
  const [record] = validationRecords(Dto);
  expect([record?.name, record !== undefined && isGenuineRecord(record)]).toEqual([name, true]);
});
