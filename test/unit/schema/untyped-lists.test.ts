import { IsOptional, ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Field } from '../../../decorators/field.js';
import { compileInput } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';
import { lintSchema } from '../../../src/schema/hosts/lint.js';
import type { Host } from '../../../src/schema/hosts/host-rules.js';
import { PartialType } from '../../../src/schema/read/mapped-types.js';

const site = 'Tools.call';
const free = { type: 'array', items: {} };

class Inner {
  @IsArray() deep!: unknown[];
}

class Untyped {
  @IsArray() alone!: string[];
  @ArrayMaxSize(3) sized!: string[];
  @IsOptional() tuple?: [string, number];
  @IsArray() set!: Set<string>;
  @IsArray({ each: true }) grid!: number[][];
  @IsArray({ each: true }) named!: Map<string, number[]>;
  @ValidateNested() @Type(() => Inner) inner!: Inner;
}

const propertiesOf = (schema: object): Record<string, unknown> =>
  (schema as { properties: Record<string, unknown> }).properties;

describe('a list whose elements nobody described', () => {
  const input = compileInput(Untyped, { site });

  test('says that it may hold anything, wherever it stands', () => {
    const expected = {
      alone: free,
      sized: { ...free, maxItems: 3 },
      tuple: free,
      set: { ...free, uniqueItems: true },
      grid: { type: 'array', items: free },
      named: { type: 'object', additionalProperties: free },
      inner: { properties: { deep: free } },
    };
    expect(propertiesOf(input.schema)).toMatchObject(expected);
    expect(propertiesOf(compileOutput(Untyped, { site }).schema)).toMatchObject(expected);
    expect(propertiesOf(compileOutput([Untyped], { site }).schema)['result']).toMatchObject({
      items: { properties: expected },
    });
  });

  test('is accepted by the hosts that ask for items', () => {
    for (const host of ['openai', 'vscode'] satisfies Host[]) expect(lintSchema(input.schema, host)).toEqual([]);
  });

  test('is a warning that names class, property and mend, for arguments and results', () => {
    const elements = (property: string): string =>
      `${property}: its elements have no type, so models see a list of anything. Add a validator with { each: true }, such as @IsString({ each: true }), or @Field(() => [String]).`;
    const lists = (property: string, of: string): string =>
      `${property}: its ${of} are lists whose own elements have no type, so models see a list of anything. Describe them: @Field({ type: … }) with the whole schema.`;
    const expected = [
      elements('Untyped.alone'),
      elements('Untyped.sized'),
      elements('Untyped.tuple'),
      elements('Untyped.set'),
      lists('Untyped.grid', 'elements'),
      lists('Untyped.named', 'values'),
      elements('Inner.deep'),
    ];
    expect(input.warnings).toEqual(expected);
    expect(compileOutput(Untyped, { site }).warnings).toEqual(expected);
    expect(compileOutput([Untyped], { site }).warnings).toEqual(expected);
    class Fewer extends PartialType(Inner) {}
    expect(compileInput(Fewer, { site }).warnings).toEqual([elements('Fewer.deep')]);
  });

  test('takes what it took, on the compiled path and on the other', () => {
    const value = {
      alone: [1, 'a', null, { b: [] }],
      sized: [],
      tuple: ['a', 1],
      set: [1, 'a'],
      grid: [[1], ['a']],
      named: { a: [null] },
      inner: { deep: [[]] },
    };
    const read = { ...value, set: new Set([1, 'a']), named: new Map([['a', [null]]]) };
    for (const codegen of [true, false]) {
      const { validate } = compileInput(Untyped, { site, codegen });
      expect(validate(value)).toEqual(Object.assign(new Untyped(), read));
      expect(() => validate({ ...value, alone: 'a' })).toThrow();
      expect(() => validate({ ...value, grid: [1] })).toThrow();
    }
  });
});

test('a list that somebody described is no warning, even as a list of anything', () => {
  class Described {
    @IsInt({ each: true }) numbers!: number[];
    @IsIn(['a', 1], { each: true }) values!: unknown[];
    @Type(() => Inner) @IsArray() typed!: Inner[];
    @IsArray() @Field(() => [Object]) anything!: unknown[];
    @IsArray() @Field(() => [String]) texts!: string[];
    @IsArray() @Field({ items: { type: 'string' } }) items!: string[];
    @Field({ type: 'array' }) raw!: unknown[];
    @IsBoolean() flag!: boolean;
    @IsString({ each: true }) map!: Map<string, string>;
  }
  const { schema, warnings } = compileInput(Described, { site });
  expect(warnings.filter((warning) => !warning.startsWith('Inner.'))).toEqual([]);
  expect(propertiesOf(schema)).toMatchObject({ anything: free, items: { items: { type: 'string' } } });
  expect(propertiesOf(schema)['raw']).toEqual({ type: 'array' });
});

test('a tuple that its author wrote is closed as they say', () => {
  class Tuple {
    @IsArray() @Field({ prefixItems: [{ type: 'string' }], items: false }) closed!: [string];
    @IsArray() @Field({ prefixItems: [{ type: 'string' }], unevaluatedItems: false }) rest!: [string];
  }
  const { schema, validate, warnings } = compileInput(Tuple, { site });
  expect(warnings).toEqual([]);
  expect(propertiesOf(schema)['closed']).toMatchObject({ items: false });
  expect(propertiesOf(schema)['rest']).not.toHaveProperty('items');
  expect(validate({ closed: ['a'], rest: ['b'] })).toMatchObject({ closed: ['a'], rest: ['b'] });
  expect(() => validate({ closed: ['a', 1], rest: ['b'] })).toThrow();
  expect(() => validate({ closed: ['a'], rest: ['b', 1] })).toThrow();
});
