import { DEFAULT_LIMITS } from '../../../src/schema/base/limits.js';
import { readClass } from '../../../src/schema/class-input.js';
import { compileFastPath, type FastPath } from '../../../src/schema/validate/fast-path.js';
import { dtoOf } from './case-source.js';

const limits = { ...DEFAULT_LIMITS, maxDepth: 4, maxItems: 3, maxPatternChars: 6 };

function fastOf(source: string, open = false): FastPath {
  const fast = compileFastPath(readClass(dtoOf(source), 'input').model, { limits, open, acceptJsonText: false });
  if (fast === undefined) throw new Error('there is no compiled path');
  return fast;
}

const GRIN = '😀';
const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) });
const NINE = "@IsIn(['a','b','c','d','e','f','g','h','i']) v: string";
const CHILD = 'class Child { @IsInt() n: number }';

/** What the compiled path answers by itself, and what it leaves to the other one: each value by itself, as `v`. */
const TABLE: readonly (readonly [property: string, taken: readonly unknown[], left: readonly unknown[]])[] = [
  ['@IsString() v: string', ['', 'a'], [1, null, undefined, {}, []]],
  ['@IsNumber() v: number', [0, -1.5], ['x', '', null, undefined, {}]],
  ['@IsInt() v: number', [0, -7], [1.5, '1.5', 2 ** 53, null]],
  ['@IsBoolean() v: boolean', [true, false], ['yes', 0, null]],
  ['@IsDate() v: Date', [], ['never', 0, null, undefined]],
  ['@Allow() v: any', [1, 'a', true, { a: 1 }, [1]], [undefined]],
  ['@Allow() v: any', [nest(2)], [nest(4)]],
  ['@IsObject() v: object', [{}, { a: 1 }], [[], 'a', 1, null, nest(4)]],
  ['@IsObject() v: object', [nest(2)], []],
  ['@Min(2) v: number', [2, 3], [1.9]],
  ['@Max(2) v: number', [2, 1], [2.1]],
  ['@Min(-0) v: number', [0, 1], [-1]],
  ['@IsInt() @Min(1) @Max(3) v: number', [1, 3], [0, 4]],
  ['@IsPositive() v: number', [0.1], [0, -1]],
  ['@IsNegative() v: number', [-0.1], [0, 1]],
  ['@IsNumber() @IsLatitude() v: number', [90, -90], [90.1, -90.1]],
  ['@IsNumber() @IsLongitude() v: number', [180, -180], [180.1, -180.1]],
  ['@IsString() @MinLength(2) v: string', ['ab', GRIN + GRIN, GRIN.repeat(4)], ['a', GRIN]],
  ['@IsString() @MinLength(1) v: string', ['a'], ['']],
  ['@IsString() @MinLength(0) v: string', ['', 'a'], []],
  ['@IsString() @MaxLength(2) v: string', ['', 'ab', GRIN + GRIN], ['abc', GRIN.repeat(3)]],
  ['@IsString() @Length(1, 2) v: string', ['a', 'ab'], ['', 'abc']],
  ['@IsString() @Length(2) v: string', ['ab', 'x'.repeat(50)], ['a']],
  ['@IsString() @IsNotEmpty() v: string', ['a'], ['']],
  ['@IsNumber() @IsNotEmpty() v: number', [0], []],
  ['@IsString() @IsDefined() v: string', ['a'], [null]],
  ['@IsString() @Matches(/^a/) v: string', ['a', 'abcdef'], ['b', 'abcdefg']],
  ['@IsString() @Matches("^a", "i") v: string', ['Abc'], ['b']],
  ['@IsString() @Matches(/^a+$/) @MaxLength(3) v: string', ['aaa'], ['aaaa', 'ab']],
  ['@IsArray() v: any[]', [[], [1, 'a', {}]], [[1, 2, 3, 4], 'a', null, { length: 0 }]],
  ['@IsArray() v: any[]', [[nest(1)]], [[nest(3)]]],
  ['@IsArray() @ArrayMinSize(1) v: any[]', [[1]], [[]]],
  ['@IsArray() @ArrayMaxSize(1) v: any[]', [[], [1]], [[1, 2]]],
  ['@IsArray() @ArrayNotEmpty() v: any[]', [[1]], [[]]],
  ['@IsInt({ each: true }) v: number[]', [[], [1, 2]], [[1.5], [null], ['x']]],
  ['@IsInt({ each: true }) @Min(1, { each: true }) v: number[]', [[1]], [[0], [1, 0]]],
  ['@IsString({ each: true }) @Matches(/^a/, { each: true }) v: string[]', [['a', 'ab']], [['a', 'b']]],
  ['@IsIn(["a", "b"]) v: string', ['a', 'b'], ['c', 'A']],
  ['@IsIn([1, 2]) v: number', [1, 2], [3, '3']],
  ['@IsIn([true]) v: boolean', [true], [false, 'true']],
  ["@IsIn(['a', 1]) v: any", ['a', 1], ['b', 2, '1']],
  [NINE, ['a', 'i'], ['j', '']],
  ["@Equals('a') v: string", ['a'], ['b']],
  ['@IsOptional() @IsInt() v?: number', [1, undefined], ['x']],
  ['@IsInt() v: number | null', [1], []],
  [
    '@IsUUID() v: string',
    ['6f1d7a2e-3c4b-4d5e-8f90-a1b2c3d4e5f6'].slice(1),
    ['x', '6f1d7a2e-3c4b-4d5e-8f90-a1b2c3d4e5f6'],
  ],
  ['@IsEmail() v: string', ['a@b.io'], ['a.b.io', 'abc@d.io']],
  ['@IsNumber({ maxDecimalPlaces: 1 }) v: number', [1.5, 2], [1.55]],
  ['@IsDivisibleBy(2) v: number', [4], [5]],
  ['@Field({ type: "integer", minimum: 2 }) @Allow() v: any', [2], [1, 'x']],
  ['@Field({ maximum: 5 }) @IsInt() v: number', [5], [6]],
  ['@IsInt() "odd-name": number; @IsInt() v: number', [], [1]],
];

describe('the compiled path by itself', () => {
  test.each(TABLE.map(([property, taken, left]) => ({ property, taken, left })))(
    '$property',
    ({ property, taken, left }) => {
      const fast = fastOf(`class Dto { ${property} }`);
      const given = (v: unknown): object => (v === undefined ? {} : { v });
      for (const value of taken)
        expect({ value, made: fast(given(value)) }).toEqual({
          value,
          made: expect.objectContaining(given(value)) as object,
        });
      for (const value of left) expect({ value, made: fast(given(value)) }).toEqual({ value, made: undefined });
    },
  );

  test.each<[property: string, given: unknown, made: unknown]>([
    ['@IsNumber() v: number', '1.5', 1.5],
    ['@IsInt() v: number', '-7', -7],
    ['@IsBoolean() v: boolean', 'true', true],
    ['@IsBoolean() v: boolean', 'false', false],
    ['@IsDate() v: Date', '2026-01-02T03:04:05Z', new Date('2026-01-02T03:04:05Z')],
    ['@IsIn([1, 2]) v: number', '2', 2],
    ['@IsInt({ each: true }) v: number[]', ['1', 2], [1, 2]],
    ['@IsInt({ each: true }) v: Set<number>', [1, 2], new Set([1, 2])],
    [
      '@IsInt({ each: true }) v: Map<string, number>',
      { a: 1, b: '2' },
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ],
    ['@Allow() v: Set<any>', ['a', 1], new Set(['a', 1])],
    ['@IsOptional() @IsInt() v: number | null', null, undefined],
  ])('%s makes of %j what it stands for', (property, given, made) => {
    const instance = fastOf(`class Dto { ${property} }`)({ v: given }) as { v?: unknown } | undefined;
    expect(instance).toBeDefined();
    expect(instance?.v ?? undefined).toEqual(made);
  });

  test.each<[property: string, given: unknown]>([
    ['@IsInt({ each: true }) v: Set<number>', [1, 1]],
    ['@IsInt({ each: true }) v: Set<number>', [1, 2, 3, 4]],
    ['@IsInt({ each: true }) v: Set<number>', ['x']],
    ['@IsInt({ each: true }) v: Map<string, number>', { a: 'x' }],
    ['@IsInt({ each: true }) v: Map<string, number>', { a: 1, b: 2, c: 3, d: 4 }],
    ['@IsInt({ each: true }) v: Map<string, number>', [1]],
    ['@IsInt({ each: true }) v: Map<string, number>', null],
    ['@IsInt({ each: true }) v: Map<string, number>', Object.create({ a: 1 })],
  ])('%s leaves %j', (property, given) => {
    expect(fastOf(`class Dto { ${property} }`)({ v: given })).toBeUndefined();
  });
});

describe('classes within classes', () => {
  const one = fastOf(`${CHILD} class Dto { @ValidateNested() @Type(() => Child) v: Child }`);
  const many = fastOf(`${CHILD} class Dto { @ValidateNested({ each: true }) @Type(() => Child) v: Child[] }`);

  test.each<[FastPath, unknown, taken: boolean]>([
    [one, { n: 1 }, true],
    [one, { n: 'x' }, false],
    [one, { n: 1, more: 1 }, false],
    [one, {}, false],
    [one, [], false],
    [one, null, false],
    [one, Object.create({ n: 1 }), false],
    [many, [{ n: 1 }, { n: '2' }], true],
    [many, [{ n: 1 }, {}], false],
    [many, [null], false],
  ])('%# of %j', (fast, v, taken) => {
    expect(fast({ v }) !== undefined).toBe(taken);
  });

  test('are instances of them', () => {
    const { v } = one({ v: { n: 1 } }) as { v: object };
    expect(v.constructor.name).toBe('Child');
  });

  test('with keys that nobody knows are left, but where the class is open', () => {
    const source = 'class Dto { @IsInt() v: number }';
    expect([fastOf(source)({ v: 1, w: 2 }), fastOf(source, true)({ v: 1, w: 2 })]).toEqual([undefined, { v: 1 }]);
    expect(fastOf(source)(JSON.parse('{"v":1,"__proto__":1}'))).toBeUndefined();
  });

  test('with too few of them are left', () => {
    const fast = fastOf(
      'class Child { @IsOptional() @IsInt() n?: number } class Dto { @IsNotEmptyObject() @ValidateNested() @Type(() => Child) v: Child }',
    );
    expect([fast({ v: {} }), fast({ v: { n: 1 } })]).toEqual([undefined, { v: { n: 1 } }]);
  });

  test('nest as deep as they may, and no deeper', () => {
    const fast = fastOf('class Dto { @IsOptional() @ValidateNested() @Type(() => Dto) v?: Dto }');
    const deep = (levels: number): object => (levels === 1 ? {} : { v: deep(levels - 1) });
    expect([fast(deep(4)), fast(deep(5))]).toEqual([deep(4), undefined]);
  });

  test('lists count as a level', () => {
    const fast = fastOf('class Dto { @IsOptional() @ValidateNested({ each: true }) @Type(() => Dto) v?: Dto[] }');
    expect([fast({ v: [{}] }) !== undefined, fast({ v: [{ v: [{}] }] })]).toEqual([true, undefined]);
  });

  test.each<[unknown, string | undefined]>([
    [{ kind: 'cat', lives: 9 }, 'Cat'],
    [{ kind: 'dog', barks: true }, 'Dog'],
    [{ kind: 'dog', lives: 9 }, undefined],
    [{ kind: 'cow' }, undefined],
    [{}, undefined],
    ['cat', undefined],
    [null, undefined],
  ])('told apart by a property: %j is a %s', (v, name) => {
    const source = `
      class Animal {}
      class Cat extends Animal { @IsInt() lives: number }
      class Dog extends Animal { @IsBoolean() barks: boolean }
      class Dto { @ValidateNested() @Type(() => Animal, { discriminator: { property: 'kind', subTypes: [
        { name: 'cat', value: Cat }, { name: 'dog', value: Dog } ] }, keepDiscriminatorProperty: KEEP }) v: Animal }`;
    for (const keep of [true, false]) {
      const made = fastOf(source.replace('KEEP', String(keep)))({ v }) as { v: { kind?: string } } | undefined;
      expect(made?.v.constructor.name).toBe(name);
      if (made !== undefined) expect('kind' in made.v).toBe(keep);
    }
  });

  test('that need a promise or a transformation have none', () => {
    const options = { limits, open: false, acceptJsonText: false };
    const model = (source: string) => readClass(dtoOf(source), 'input').model;
    expect(
      compileFastPath(model('class Dto { @Transform(({ value }) => value) @IsInt() v: number }'), options),
    ).toBeUndefined();
    expect(
      compileFastPath(
        model(
          `class Child { @Transform(({ value }) => value) @IsInt() n: number } class Dto { @ValidateNested() @Type(() => Child) v: Child }`,
        ),
        options,
      ),
    ).toBeUndefined();
  });
});
