import type { Case } from './case-source.js';

const closed = (properties: Record<string, unknown>, required = Object.keys(properties)): unknown => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});
const text = { type: 'string' };
const whole = { type: 'integer' };

/** Cases for what dto-cases.ts leaves out. */
export const ownCases: readonly Case[] = [
  {
    name: 'a search: defaults, bounds, an enum and a list',
    source: `enum Provider { Aws = 'aws', Gcp = 'gcp' }
      class Dto {
        @IsString() @Length(1, 20) query: string;
        @IsInt() @Min(1) @Max(50) limit = 10;
        @IsOptional() @IsEnum(Provider) provider?: Provider;
        @IsArray() @IsString({ each: true }) @ArrayMaxSize(3) tags: string[] = [];
      }`,
    expected: closed(
      {
        query: { ...text, minLength: 1, maxLength: 20 },
        limit: { ...whole, minimum: 1, maximum: 50, default: 10 },
        provider: { ...text, enum: ['aws', 'gcp'] },
        tags: { type: 'array', items: text, maxItems: 3, default: [] },
      },
      ['query'],
    ),
    accepts: [{ query: 'a' }, { query: 'a', limit: 50, provider: 'gcp', tags: ['x'] }, { query: 'a', provider: null }],
    rejects: [{}, { query: '' }, { query: 'a', limit: 51 }, { query: 'a', provider: 'Aws' }, { query: 'a', tags: 'x' }],
    coerces: [
      [
        { query: '5', limit: '7', provider: null },
        { query: '5', limit: 7, tags: [] },
      ],
    ],
  },
  {
    name: 'an enum whose text is the name of another member, beside numbers whose names TypeScript adds',
    source: `enum Mixed { A = 'B', B = 1, C = 'A' }
      enum Swapped { A = 'B', B = 'A' }
      enum Digits { One = '1', Two = 1 }
      class Dto { @IsEnum(Mixed) mixed: Mixed; @IsEnum(Swapped) swapped: Swapped; @IsEnum({ '2': 'Two', Two: 1 }) two: any; @IsEnum(Digits) digits: Digits }`,
    expected: closed({
      mixed: { enum: ['B', 1, 'A'] },
      swapped: { ...text, enum: ['B', 'A'] },
      two: { enum: ['Two', 1] },
      digits: { enum: ['1', 1] },
    }),
    accepts: [
      { mixed: 'B', swapped: 'A', two: 'Two', digits: '1' },
      { mixed: 1, swapped: 'B', two: 1, digits: 1 },
    ],
    rejects: [
      { mixed: 'C', swapped: 'A', two: 1, digits: 1 },
      { mixed: 1, swapped: 'A', two: '2', digits: 1 },
      { mixed: 1, swapped: 'A', two: 1, digits: 'Two' },
    ],
  },
  {
    name: 'descriptions, titles and examples are laid over',
    source: `class Dto { @Describe('Whom to greet.') @Field({ examples: ['Ada'], title: 'Name' }) @IsString() name: string }`,
    expected: closed({ name: { ...text, description: 'Whom to greet.', examples: ['Ada'], title: 'Name' } }),
    accepts: [{ name: 'Ada' }],
    rejects: [{ name: 1 }],
  },
  {
    name: 'keywords that assert are laid over, and checked',
    source: `class Dto { @Field({ multipleOf: 3 }) @IsInt() n: number; @Field({ pattern: '^a' }) @IsString() s: string }`,
    expected: closed({ n: { ...whole, multipleOf: 3 }, s: { ...text, pattern: '^a' } }),
    accepts: [
      { n: 3, s: 'ab' },
      { n: '6', s: 'a' },
    ],
    rejects: [
      { n: 4, s: 'a' },
      { n: 3, s: 'b' },
      { n: '4', s: 'a' },
    ],
  },
  {
    name: 'a whole schema of the author’s is what is checked',
    source: `class Dto { @Field({ anyOf: [{ type: 'string' }, { type: 'integer' }] }) v: string | number }`,
    expected: closed({ v: { anyOf: [text, whole] } }),
    accepts: [{ v: 'a' }, { v: 1 }],
    rejects: [{ v: 1.5 }, { v: null }, { v: [] }, {}],
  },
  {
    name: 'what JSON cannot say is reflected with an explicit schema',
    source: `class Dto { @Transform(({ value }: any) => Buffer.from(value, 'base64')) @Field({ type: 'string', contentEncoding: 'base64' }) @IsInstance(Buffer) v: Buffer }`,
    expected: closed({ v: { ...text, contentEncoding: 'base64' } }),
    accepts: [{ v: 'aGk=' }],
    rejects: [{ v: 5 }, { v: { length: 2e8 } }],
  },
  {
    name: 'a default written by hand is applied',
    source: `class Dto { @Field({ default: 5 }) @IsInt() n: number }`,
    expected: closed({ n: { ...whole, default: 5 } }, []),
    accepts: [{}],
    coerces: [
      [{}, { n: 5 }],
      [{ n: null }, { n: 5 }],
      [{ n: 7 }, { n: 7 }],
    ],
    rejects: [{ n: 'x' }],
  },
  {
    name: 'a homogeneous tuple is a list of fixed size',
    source: `class Dto { @IsNumber({}, { each: true }) @ArrayMinSize(2) @ArrayMaxSize(2) at: [number, number] }`,
    expected: closed({ at: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } }),
    accepts: [{ at: [1, 2] }],
    rejects: [{ at: [1] }, { at: [1, 2, 3] }, { at: [1, 'x'] }],
    coerces: [[{ at: ['1', 2.5] }, { at: [1, 2.5] }]],
  },
  {
    name: 'null elements pass where they are declared optional',
    source: `class It { @IsString() s: string } class Dto { @IsOptional({ each: true }) @ValidateNested({ each: true }) @Type(() => It) v: (It | null)[] }`,
    expected: closed({ v: { type: 'array', items: { anyOf: [closed({ s: text }), { type: 'null' }] } } }, []),
    accepts: [{ v: [{ s: 'a' }, null] }, {}],
    rejects: [{ v: [{ s: 1 }] }, { v: [undefined] }],
  },
  {
    name: 'a property that a subclass declares anew is required again',
    source: `class P { @IsOptional() @IsString() name?: string } class Dto extends P { @IsString() declare name: string }`,
    expected: closed({ name: text }),
    accepts: [{ name: 'a' }],
    rejects: [{}, { name: null }],
  },
  {
    name: 'a subclass that only makes a property optional keeps its validators',
    source: `class P { @IsString() @MinLength(2) name: string } class Dto extends P { @IsOptional() declare name: string }`,
    expected: closed({ name: { ...text, minLength: 2 } }, []),
    accepts: [{}, { name: 'ab' }],
    rejects: [{ name: 'a' }],
  },
  {
    name: 'null may be one of the allowed values',
    source: `class Dto { @IsIn(['a', null]) v: 'a' | null }`,
    expected: closed({ v: { anyOf: [{ ...text, enum: ['a'] }, { type: 'null' }] } }),
    accepts: [{ v: 'a' }, { v: null }],
    rejects: [{}, { v: 'b' }],
  },
  {
    name: 'validators that apply only sometimes promise nothing',
    source: `class Dto { @IsInt() @Min(10, { validateIf: (o: any) => o.strict === true }) n: number; @IsBoolean() strict = false }`,
    expected: closed({ n: whole, strict: { type: 'boolean', default: false } }, ['n']),
    accepts: [{ n: 1 }, { n: 10, strict: true }],
    rejects: [{ n: 1, strict: true }],
  },
  {
    name: 'a tree through a union of classes',
    source: `class Node { @IsString() name: string }
      class Leaf extends Node { @IsInt() size: number }
      class Group extends Node { @ValidateNested({ each: true }) @Type(() => Node, { discriminator: { property: 'kind', subTypes: [{ value: Leaf, name: 'leaf' }, { value: Group, name: 'group' }] } }) children: Node[] }
      class Dto { @ValidateNested() @Type(() => Group) root: Group }`,
    expected: {
      ...(closed({ root: { $ref: '#/$defs/Group' } }) as object),
      $defs: {
        Group: closed({
          name: text,
          children: {
            type: 'array',
            items: {
              anyOf: [
                closed({ kind: { const: 'leaf', type: 'string' }, name: text, size: whole }),
                { $ref: '#/$defs/Group_2' },
              ],
            },
          },
        }),
        Group_2: closed({
          kind: { const: 'group', type: 'string' },
          name: text,
          children: {
            type: 'array',
            items: {
              anyOf: [
                closed({ kind: { const: 'leaf', type: 'string' }, name: text, size: whole }),
                { $ref: '#/$defs/Group_2' },
              ],
            },
          },
        }),
      },
    },
    accepts: [
      { root: { name: 'a', children: [] } },
      {
        root: {
          name: 'a',
          children: [
            { kind: 'leaf', name: 'b', size: 1 },
            { kind: 'group', name: 'c', children: [] },
          ],
        },
      },
    ],
    rejects: [
      { root: { kind: 'group', name: 'a', children: [] } },
      { root: { name: 'a', children: [{ kind: 'leaf', name: 'b', children: [] }] } },
      { root: { name: 'a', children: [{ name: 'b', size: 1 }] } },
    ],
  },
  {
    name: 'a map of numbers and a set of numbers convert their elements',
    source: `class Dto { @IsInt({ each: true }) m: Map<string, number>; @IsInt({ each: true }) @ArrayMinSize(1) s: Set<number> }`,
    expected: closed({
      m: { type: 'object', additionalProperties: whole },
      s: { type: 'array', items: whole, uniqueItems: true, minItems: 1 },
    }),
    accepts: [
      { m: { a: 1, ['constructor']: '2' }, s: ['1', 2] },
      { m: JSON.parse('{"__proto__":1}'), s: [1] },
    ],
    rejects: [
      { m: { a: 'x' }, s: [1] },
      { m: {}, s: [] },
      { m: {}, s: [1, '1'] },
      { m: [], s: [1] },
    ],
  },
  {
    name: 'arrays of arrays',
    source: `class Dto { @IsArray({ each: true }) grid: number[][] }`,
    expected: closed({ grid: { type: 'array', items: { type: 'array', items: {} } } }),
    accepts: [{ grid: [[1], []] }],
    rejects: [{ grid: [1] }, { grid: [{}] }],
  },
  {
    name: 'only exposed properties of a class that excludes all',
    source: `@Exclude() class Dto { @Expose() @IsString() a: string; @IsOptional() @IsString() b?: string }`,
    expected: closed({ a: text }),
    accepts: [{ a: 'x' }],
    rejects: [{ a: 'x', b: 'y' }],
  },
  {
    name: 'generics by a factory',
    source: `const page = (Item: any) => { class Page { @ValidateNested({ each: true }) @Type(() => Item) items: any[] } return Page };
      class A { @IsString() a: string } class Dto extends page(A) { @IsInt() total: number }`,
    expected: closed({ items: { type: 'array', items: closed({ a: text }) }, total: whole }),
    accepts: [{ items: [{ a: 'x' }], total: 1 }],
    rejects: [{ items: [{}], total: 1 }],
  },
  {
    name: 'an identifier of @ArrayUnique is asked',
    source: `class E { @IsInt() id: number; @IsOptional() @IsInt() n?: number } class Dto { @ArrayUnique((e: any) => e.id) @ValidateNested({ each: true }) @Type(() => E) v: E[] }`,
    expected: closed({ v: { type: 'array', items: closed({ id: whole, n: whole }, ['id']), uniqueItems: true } }),
    accepts: [{ v: [{ id: 1 }, { id: 2 }] }, { v: [] }],
    rejects: [
      {
        v: [
          { id: 1, n: 1 },
          { id: 1, n: 2 },
        ],
      },
    ],
  },
  {
    name: 'a validator that borrows a built-in name is only what it does',
    source: `const Odd = () => (t: any, p: string) => registerDecorator({ name: 'min', target: t.constructor, propertyName: p, constraints: [5], validator: { validate: (x: any) => x % 2 === 1 } }); class Dto { @IsInt() @Odd() v: number }`,
    expected: closed({ v: whole }),
    accepts: [{ v: 1 }],
    rejects: [{ v: 6 }],
  },
  {
    name: 'names that need quoting',
    source: `class Dto { @IsString() 'a b': string; @Expose({ name: '"];x=1;//' }) @IsInt() q: number; @Expose({ name: "back\\\\slash'" }) @IsOptional() @IsInt() r?: number }`,
    expected: closed({ 'a b': text, '"];x=1;//': whole, "back\\slash'": whole }, ['a b', '"];x=1;//']),
    accepts: [{ 'a b': 'x', '"];x=1;//': 1 }],
    rejects: [{ 'a b': 'x', q: 1 }],
    coerces: [
      [
        { 'a b': 'x', '"];x=1;//': '1', "back\\slash'": 2 },
        { 'a b': 'x', q: 1, r: 2 },
      ],
    ],
  },
  {
    name: 'the same names after @Expose are refused',
    source: `class Dto { @IsString() a: string; @Expose({ name: 'a' }) @IsString() b: string }`,
    build: 'error',
  },
  {
    name: 'a getter without a setter is refused',
    source: `class Dto { @IsString() get a() { return 'x' } }`,
    build: 'error',
  },
  { name: 'a method is refused', source: `class Dto { @Allow() run() {} }`, build: 'error' },
  { name: 'a name of every object is refused', source: `class Dto { @IsString() toString: any }`, build: 'error' },
  {
    name: 'a wire name of every object is refused',
    source: `class Dto { @Expose({ name: '__proto__' }) @IsString() a: string }`,
    build: 'error',
  },
  { name: 'a bigint is refused', source: `class Dto { @IsDefined() v: bigint }`, build: 'error' },
  { name: 'a promise is refused', source: `class Dto { @ValidatePromise() v: Promise<string> }`, build: 'error' },
  { name: 'a function is refused', source: `class Dto { @IsDefined() v: () => void }`, build: 'error' },
  {
    name: 'bytes by @Type are refused',
    source: `class Dto { @ValidateNested() @Type(() => Buffer) v: any }`,
    build: 'error',
  },
  { name: 'validators of two kinds are refused', source: `class Dto { @IsString() @IsInt() v: any }`, build: 'error' },
  {
    name: 'a scalar validator on a list is refused',
    source: `class Dto { @IsArray() @IsString() v: string[] }`,
    build: 'error',
  },
  {
    name: 'a constructor that needs arguments is refused',
    source: `class Dto { @IsString() v: string; constructor(o: any) { this.v = o.v } }`,
    build: 'error',
  },
  {
    name: 'a circular import is refused',
    source: `class Dto { @ValidateNested() @Type(() => undefined as any) v: any }`,
    build: 'error',
  },
  {
    name: 'types named by @Field, for compilers that emit none',
    source: `class It { @IsInt() n: number } class Dto { @Field(() => [It]) list: any; @Field(() => It, { description: 'One.' }) one: any; @Field(() => Number) n: any }`,
    expected: closed({
      list: { type: 'array', items: closed({ n: whole }) },
      one: { ...(closed({ n: whole }) as object), description: 'One.' },
      n: { type: 'number' },
    }),
    accepts: [{ list: [{ n: 1 }], one: { n: '2' }, n: '1.5' }],
    rejects: [
      { list: { n: 1 }, one: { n: 2 }, n: 1 },
      { list: [{}], one: { n: 2 }, n: 1 },
    ],
  },
  {
    name: 'an instance of a described class is made of its class',
    source: `class It { @IsInt() n: number } class Dto { @IsInstance(It) v: any }`,
    expected: closed({ v: closed({ n: whole }) }),
    accepts: [{ v: { n: 1 } }],
    rejects: [{ v: { n: 'x' } }, { v: {} }],
  },
  {
    name: 'a schema of one’s own may take null for a property that may be absent',
    source: `class Dto { @IsOptional() @Field({ type: ['string', 'null'] }) v?: string | null }`,
    expected: closed({ v: { type: ['string', 'null'] } }, []),
    accepts: [{}, { v: 'a' }],
    coerces: [[{ v: null }, { v: null }]],
    rejects: [{ v: 1 }],
  },
  {
    name: 'null among values of several types',
    source: `class Dto { @IsIn([1, 'a', null]) v: any; @IsOptional() @IsIn([2, 'b', null]) w: any }`,
    expected: closed({ v: { enum: [1, 'a', null] }, w: { enum: [2, 'b', null] } }, ['v']),
    accepts: [{ v: 1 }, { v: null }, { v: 'a', w: null }],
    coerces: [
      [
        { v: null, w: null },
        { v: null, w: null },
      ],
    ],
    rejects: [{}, { v: 'b' }, { v: 1, w: 3 }],
  },
  {
    name: 'a date that is written as a default',
    source: `class Dto { @Field({ default: '2026-01-01' }) @IsDate() at: Date }`,
    expected: closed({ at: { ...text, format: 'date-time', default: '2026-01-01' } }, []),
    coerces: [
      [{}, { at: '2026-01-01T00:00:00.000Z' }],
      [{ at: null }, { at: '2026-01-01T00:00:00.000Z' }],
    ],
    rejects: [{ at: 'x' }],
  },
  {
    name: 'a circular @Field is refused',
    source: `class Dto { @Field(() => undefined) v: any }`,
    build: 'error',
  },
];
