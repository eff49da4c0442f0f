import { compileInput } from '../../../src/schema/input.js';
import { outcomeOf } from './check-case.js';
import { dtoOf } from './case-source.js';

const GRIN = '😀';

/** Each bound on both of its sides: what is just within, and what is just without. */
const table: readonly (readonly [field: string, within: readonly unknown[], without: readonly unknown[]])[] = [
  ['@Min(-2) v: number', [-2, -1.9, 5], [-2.1, -3]],
  ['@Max(7) v: number', [7, 6.9, -5], [7.1, 8]],
  ['@IsInt() @Min(0) @Max(3) v: number', [0, 3], [-1, 4]],
  ['@IsPositive() v: number', [0.0001, 1], [0, -0, -0.0001]],
  ['@IsNegative() v: number', [-0.0001, -1], [0, 0.0001]],
  ['@IsNumber() @IsLatitude() v: number', [90, -90, 0], [90.01, -90.01, 91, -91]],
  ['@IsNumber() @IsLongitude() v: number', [180, -180, 0], [180.01, -180.01, 181, -181]],
  ['@IsLatitude() v: number', [90, -90], [90.01, -90.01]],
  ['@IsLongitude() v: number', [180, -180], [180.01, -180.01]],
  ['@IsDivisibleBy(5) v: number', [0, 5, -5], [1, 4, 6]],
  ['@MinLength(2) v: string', ['ab', GRIN + GRIN, 'abc'], ['a', GRIN, '']],
  ['@MinLength(1) v: string', ['a', GRIN], ['']],
  ['@MaxLength(2) v: string', ['', 'ab', GRIN + GRIN], ['abc', GRIN + GRIN + GRIN]],
  ['@Length(2, 3) v: string', ['ab', 'abc', GRIN + GRIN, GRIN.repeat(3)], ['a', 'abcd', GRIN, GRIN.repeat(4)]],
  ['@Length(2) v: string', ['ab', 'x'.repeat(99)], ['a', '']],
  ['@IsByteLength(2, 4) v: string', ['ab', 'abcd', GRIN], ['a', 'abcde', GRIN + GRIN]],
  ['@IsString() @IsNotEmpty() v: string', ['a', ' '], ['']],
  ['@IsString() @IsEmpty() v: string', [''], ['a']],
  [
    '@IsArray() @ArrayMinSize(2) v: any[]',
    [
      [1, 2],
      [1, 2, 3],
    ],
    [[1], []],
  ],
  ['@IsArray() @ArrayMaxSize(2) v: any[]', [[], [1, 2]], [[1, 2, 3]]],
  ['@IsArray() @ArrayNotEmpty() v: any[]', [[1]], [[]]],
  ['@IsArray() @ArrayUnique() v: any[]', [[], [1, 2], [1, '1']], [[1, 1]]],
  ['@IsArray() @ArrayContains([1]) v: any[]', [[1], [2, 1]], [[], [2]]],
  ['@IsArray() @ArrayNotContains([1]) v: any[]', [[], [2]], [[1], [2, 1]]],
  ['@IsObject() @IsNotEmptyObject() v: object', [{ a: 1 }], [{}]],
  ['@Equals(3) v: number', [3], [2, 4]],
  ['@IsNumber() @NotEquals(3) v: number', [2, 4], [3]],
  ['@IsIn([1, 2]) v: number', [1, 2], [0, 3]],
  ['@IsNumber() @IsNotIn([1, 2]) v: number', [0, 3], [1, 2]],
  ['@IsNumber({ maxDecimalPlaces: 2 }) v: number', [1, 1.2, 1.23], [1.234]],
  ['@Contains("b") v: string', ['abc', 'b'], ['a', 'B', '']],
  ['@NotContains("b") v: string', ['a', 'B', ''], ['abc', 'b']],
  ['@Matches(/^a+$/) v: string', ['a', 'aa'], ['', 'ab', 'ba']],
  ['@IsInt({ each: true }) @Min(1, { each: true }) v: number[]', [[], [1, 2]], [[0], [1, 0]]],
  ['@IsString({ each: true }) @MaxLength(1, { each: true }) v: string[]', [[], ['a', '']], [['ab'], ['a', 'ab']]],
  ['@IsDate() @MinDate(new Date("2026-01-02T00:00:00Z")) v: Date', ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00.001Z'], ['2026-01-01T23:59:59.999Z']], // prettier-ignore
  ['@IsDate() @MaxDate(new Date("2026-01-02T00:00:00Z")) v: Date', ['2026-01-02T00:00:00Z', '2026-01-01T23:59:59.999Z'], ['2026-01-02T00:00:00.001Z']], // prettier-ignore
];

describe.each([
  ['compiled', true],
  ['slow path', false],
])('each side of each bound, %s', (_path, codegen) => {
  test.each(table)('%s', async (field, within, without) => {
    const { validate } = compileInput(dtoOf(`class Dto { ${field} }`), { site: 'test', codegen });
    const accepted = async (v: unknown): Promise<boolean> => !('error' in (await outcomeOf(validate, { v })));
    expect(await Promise.all(within.map(accepted))).toEqual(within.map(() => true));
    expect(await Promise.all(without.map(accepted))).toEqual(without.map(() => false));
  });

  test.each<[text: string, at: string | undefined]>([
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1900-02-29', undefined],
    ['2023-02-29', undefined],
    ['2024-02-30', undefined],
    ['2000-02-30', undefined],
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-04-30', '2026-04-30T00:00:00.000Z'],
    ['2026-04-31', undefined],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-32', undefined],
    ['2026-01-00', undefined],
    ['2026-00-01', undefined],
    ['2026-13-01', undefined],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2026-01-01T23:59:59Z', '2026-01-01T23:59:59.000Z'],
    ['2026-01-01T24:00:00Z', undefined],
    ['2026-01-01T00:60:00Z', undefined],
    ['2026-01-01T23:59:60Z', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T23:58:60Z', undefined],
    ['2026-01-01T23:59:61Z', undefined],
    ['2026-01-02T00:59:60+01:00', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T22:59:60-01:00', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T23:59:60+01:00', undefined],
    ['2026-01-01T12:00:00+23:59', '2025-12-31T12:01:00.000Z'],
    ['2026-01-01T12:00:00-23:59', '2026-01-02T11:59:00.000Z'],
    ['2026-01-01T12:00:00+24:00', undefined],
    ['2026-01-01T12:00:00+00:60', undefined],
    ['2026-01-01T12:00:00.1239Z', '2026-01-01T12:00:00.123Z'],
    ['2026-01-01T12:00:00.1Z', '2026-01-01T12:00:00.100Z'],
    ['2026-01-01t12:00:00z', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T12:00:00', undefined],
    [`2026-01-01T12:00:00.${'1'.repeat(43)}Z`, '2026-01-01T12:00:00.111Z'],
    [`2026-01-01T12:00:00.${'1'.repeat(44)}Z`, undefined],
  ])('the date %s', async (text, at) => {
    const { validate } = compileInput(dtoOf('class Dto { @IsDate() v: Date }'), { site: 'test', codegen });
    const outcome = await outcomeOf(validate, { v: text });
    expect('error' in outcome ? undefined : (outcome.value as { v: Date }).v.toISOString()).toBe(at);
  });
});
