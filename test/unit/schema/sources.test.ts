import { Expose, Exclude, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { ConfigurationError, InvalidArgumentsError } from '../../../src/core/errors.js';
import type { StandardSchema } from '../../../src/core/json-schema.js';
import { compileArgs } from '../../../src/schema/arguments.js';
import { toWireObject } from '../../../src/schema/wire/dto-wire.js';
import { inputSchemaFor, outputSchemaFor, validateArguments } from '../../../src/schema/dto.js';
import { compileInput, NO_ARGUMENTS } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';

const site = 'Tools.call';
const issuesOf = (run: () => unknown): readonly unknown[] => {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error.data;
    throw error;
  }
};

class Item {
  @IsString() sku!: string;
  @IsOptional() @IsInt() count?: number;
}

class Basket {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items: Item[] = [];
}

class Tree {
  @IsString() name!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
}

describe('a Standard Schema', () => {
  const search = z.object({ query: z.string().min(1), limit: z.int().default(10) });

  test('shows its JSON Schema, checks, and gives what it made', () => {
    const input = compileInput(search, { site });
    expect(input.schema).toMatchObject({ type: 'object', properties: { query: { type: 'string', minLength: 1 } } });
    expect(input.schema).not.toHaveProperty('$schema');
    expect(input.validate({ query: 'a' })).toEqual({ query: 'a', limit: 10 });
    expect(issuesOf(() => input.validate({ query: 1 }))).toEqual([
      expect.objectContaining({ loc: 'query', type: 'invalid' }),
    ]);
  });

  test('may be asynchronous', async () => {
    const slow = z.object({ id: z.string().refine(async (id) => id !== 'taken') });
    const input = compileInput(slow, { site });
    await expect(input.validate({ id: 'free' })).resolves.toEqual({ id: 'free' });
    await expect(input.validate({ id: 'taken' })).rejects.toBeInstanceOf(InvalidArgumentsError);
  });

  const bare = (message: string): StandardSchema => ({
    '~standard': { version: 1, vendor: 'acme', validate: () => ({ issues: [{ message, path: ['a', { key: 0 }] }] }) },
  });

  test('without a JSON Schema needs one beside it', () => {
    expect(() => compileInput(bare('no'), { site })).toThrow('Tools.call: acme schemas say nothing in JSON Schema.');
    const explicitSchema = { type: 'object', properties: { a: { type: 'array' } } };
    const input = compileInput(bare('no'), { site, explicitSchema });
    expect(input.schema).toEqual(explicitSchema);
    expect(issuesOf(() => input.validate({}))).toEqual([{ loc: 'a.0', msg: 'no', type: 'invalid' }]);
  });

  test('that quotes what it received is kept from doing so', () => {
    const input = compileInput(bare('Expected integer but received "hunter2"'), {
      site,
      explicitSchema: { type: 'object' },
    });
    expect(issuesOf(() => input.validate({ a: ['hunter2'] }))).toEqual([
      { loc: 'a.0', msg: 'Expected integer but received [value]', type: 'invalid' },
    ]);
  });

  test('that is no object cannot be an input', () => {
    expect(() => compileInput(z.string() as unknown as StandardSchema, { site })).toThrow(ConfigurationError);
  });
});

describe('what is neither a class nor a schema', () => {
  test.each([[null], [5], ['text'], [[Item]], [undefined]])('%p is a configuration error', (source) => {
    expect(() => compileInput(source as never, { site })).toThrow(/Tools.call: its input is neither/);
  });
});

describe('no arguments', () => {
  test('an object without properties, closed', () => {
    expect(NO_ARGUMENTS.schema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(NO_ARGUMENTS.validate({})).toEqual({});
    expect(issuesOf(() => NO_ARGUMENTS.validate({ a: 1 }))).toEqual([
      { loc: 'a', msg: 'is not allowed', type: 'extra_forbidden' },
    ]);
    class Empty {}
    expect(inputSchemaFor(Empty)).toEqual(NO_ARGUMENTS.schema);
    expect(validateArguments(Empty, {})).toBeInstanceOf(Empty);
  });
});

describe('an output', () => {
  test('of a class is its schema, open, with nothing wrapped', () => {
    const output = compileOutput(Basket, { site });
    expect(output).toMatchObject({ wrapped: false, schema: outputSchemaFor(Basket) });
    expect(JSON.stringify(output.schema)).not.toContain('additionalProperties');
    expect(output.check({ items: [{ sku: 'a', more: 1 }] })).toEqual([]);
    expect(output.check({ items: [{ sku: 1 }] })).toEqual([
      { loc: 'items.0.sku', type: 'string_type', msg: 'expected string' },
    ]);
  });

  test('of a list of a class is wrapped, and so is the value', () => {
    const output = compileOutput([Item], { site });
    expect(output.wrapped).toBe(true);
    expect(output.schema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array' } },
      required: ['result'],
    });
    expect(output.check({ result: [{ sku: 'a' }] })).toEqual([]);
    expect(output.check({ result: [{}] })).toEqual([{ loc: 'result.0.sku', type: 'missing', msg: 'is required' }]);
    expect(output.check([{ sku: 'a' }])).not.toEqual([]);
  });

  test('of a list of a recursive class keeps its definitions where references look for them', () => {
    const output = compileOutput([Tree], { site });
    expect(output.schema).toHaveProperty('$defs.Tree');
    expect(output.check({ result: [{ name: 'a', children: [{ name: 'b', children: [] }] }] })).toEqual([]);
    expect(output.check({ result: [{ name: 'a', children: [{ name: 1 }] }] })).toHaveLength(1);
  });

  test.each<[string, object, unknown, unknown]>([
    ['a scalar', { type: 'integer' }, 5, 'x'],
    ['definitions', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }, 5, 'x'],
    ['a reference to itself', { type: 'array', items: { $ref: '#' } }, [[], [[]]], [[1]]],
    [
      'a pointer',
      { type: 'array', prefixItems: [{ type: 'string' }, { $ref: '#/prefixItems/0' }] },
      ['a', 'b'],
      ['a', 1],
    ],
    [
      'an anchor',
      {
        anyOf: [
          { $anchor: 'n', type: 'integer' },
          { type: 'array', items: { $ref: '#n' } },
        ],
      },
      [1],
      ['x'],
    ],
    [
      'an $id',
      { $id: 'https://example.com/x', type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'integer' } } },
      [1],
      ['x'],
    ],
    [
      'the old dialect',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'array',
        items: { $ref: '#/definitions/n' },
        definitions: { n: { type: 'integer' } },
      },
      [1],
      ['x'],
    ],
  ])('of a raw schema that is no object is wrapped: %s', (_, schema, right, wrong) => {
    for (const codegen of [true, false]) {
      const output = compileOutput(schema as never, { site, codegen });
      expect(output.schema.type).toBe('object');
      expect(output.check({ result: right })).toEqual([]);
      expect(output.check({ result: wrong })).not.toEqual([]);
    }
  });

  test('of a raw object schema is verbatim, and a Standard Schema gives its output side', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, $comment: 'x' };
    expect(compileOutput(schema, { site }).schema).toEqual(schema);
    const output = compileOutput(z.object({ n: z.string().transform(Number).pipe(z.number()) }), { site });
    expect(output.check({ n: 5 })).toEqual([]);
    expect(output.check({ n: '5' })).not.toEqual([]);
  });
});

describe('an argument list', () => {
  const input = compileArgs(
    [
      { name: 'limit', schema: { type: 'integer', minimum: 1, default: 10, description: 'How many.' } },
      { name: 'query', type: String },
      { name: 'item', type: Item, required: false },
      { name: 'since', type: Date, required: false },
      { name: 'mode', schema: { type: 'string', enum: ['a', 'b'] }, required: false },
      { name: 'ids', schema: { type: 'array', items: { type: 'integer' } }, required: false },
    ],
    { site },
  );

  test('has the schema of an object', () => {
    expect(input.schema).toMatchObject({
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, default: 10, description: 'How many.' },
        query: { type: 'string' },
      },
      required: ['query'],
      additionalProperties: false,
    });
  });

  test('converts and checks as properties of a class do', () => {
    for (const codegen of [true, false]) {
      const { validate } = codegen
        ? input
        : compileArgs(
            [
              { name: 'limit', schema: { type: 'integer', minimum: 1, default: 10 } },
              { name: 'query', type: String },
              { name: 'item', type: Item, required: false },
            ],
            { site, codegen },
          );
      const made = validate({ query: 'a', item: { sku: 'x' }, limit: '5' }) as Record<string, unknown>;
      expect(made).toMatchObject({ limit: 5, query: 'a' });
      expect(made.item).toBeInstanceOf(Item);
      expect(Object.getPrototypeOf(Object.getPrototypeOf(made))).toBeNull();
      expect(validate({ query: 'a' })).toMatchObject({ limit: 10 });
      expect(issuesOf(() => validate({ query: 'a', limit: 0 }))).toEqual([expect.objectContaining({ loc: 'limit' })]);
      expect(issuesOf(() => validate({ query: 1, x: 1 }))).toHaveLength(2);
    }
    expect(issuesOf(() => input.validate({ query: 'a', ids: ['1'] }))).toEqual([
      expect.objectContaining({ loc: 'ids.0' }),
    ]);
    expect(issuesOf(() => input.validate({ query: 'a', mode: 'c' }))).toEqual([
      expect.objectContaining({ loc: 'mode', type: 'enum' }),
    ]);
  });

  test('without types, or with names that repeat or belong to every object, is a configuration error', () => {
    expect(() =>
      compileArgs([{ name: 'a' }, { name: 'a', type: Map }, { name: 'toString', type: String }], { site }),
    ).toThrow(/4 findings/);
  });
});

describe('results as the wire has them', () => {
  class User {
    @Expose({ name: 'user_name' }) @IsString() userName = 'ada';
    @Exclude() @IsString() secret = 'x';
    @IsOptional() @ValidateNested() @Type(() => User) boss?: User;
  }

  test('renames and leaves out, at every depth', () => {
    const user = Object.assign(new User(), { boss: new User() });
    expect(toWireObject([{ user }])).toEqual([{ user: { user_name: 'ada', boss: { user_name: 'ada' } } }]);
  });

  test('also inside collections and other objects', () => {
    class Box {
      content = new User();
    }
    const value = { map: new Map([['a', new User()]]), set: new Set([new User()]), box: new Box() };
    expect(toWireObject(value)).toEqual({
      map: new Map([['a', { user_name: 'ada' }]]),
      set: new Set([{ user_name: 'ada' }]),
      box: { content: { user_name: 'ada' } },
    });
  });

  test('getters that are declared are part of a result', () => {
    class Area {
      @IsInt() width = 2;
      @IsInt() get size(): number {
        return this.width * this.width;
      }
    }
    expect(toWireObject(new Area())).toEqual({ width: 2, size: 4 });
    expect(Object.keys(outputSchemaFor(Area).properties as object)).toEqual(['width', 'size']);
  });

  test('returns what needs no change as it is', () => {
    const value = { a: [1, { b: new Date(0) }], item: new Item(), bytes: Buffer.from('x') };
    expect(toWireObject(value)).toBe(value);
  });
});

describe('options of a tool', () => {
  test('JSON text is read where a class declares a list or an object', () => {
    const value = { items: '[{"sku":"a"},{"sku":"b","count":"2"}]' };
    expect(issuesOf(() => validateArguments(Basket, value))).toEqual([
      { loc: 'items', type: 'array_type', msg: 'expected array' },
    ]);
    const made = validateArguments(Basket, value, { acceptJsonText: true }) as Basket;
    expect(made.items[1]).toEqual({ sku: 'b', count: 2 });
    expect(made.items[1]).toBeInstanceOf(Item);
    expect((validateArguments(Item, { sku: '[1]' }, { acceptJsonText: true }) as Item).sku).toBe('[1]');
  });

  test('unknown keys are dropped where a tool is open, at every depth', () => {
    for (const codegen of [true, false]) {
      const made = validateArguments(Basket, { x: 1, items: [{ sku: 'a', y: 2 }] }, { openArguments: true, codegen });
      expect(JSON.stringify(made)).toBe('{"items":[{"sku":"a"}]}');
    }
  });

  test('groups choose the validators', () => {
    class Dto {
      @IsString({ groups: ['text'] }) @IsOptional({ groups: ['never'] }) v!: string;
    }
    expect(compileInput(Dto, { site, groups: ['text'] }).schema.required).toEqual(['v']);
    expect(compileInput(Dto, { site }).schema.required).toBeUndefined();
  });

  test('a header on a property is found', () => {
    const { headerParams } = compileArgs([{ name: 'region', schema: { type: 'string', 'x-mcp-header': 'Region' } }], {
      site,
    });
    expect(headerParams).toEqual([{ header: 'Region', path: ['region'], type: 'string' }]);
  });

  test('a property without validators is a warning that names it', () => {
    class Dto {
      @IsString() a!: string;
      internal = 1;
      @Exclude() quiet = 2;
    }
    expect(compileInput(Dto, { site }).warnings).toEqual([
      expect.stringMatching(/^Dto\.internal: it has no validator/),
    ]);
  });
});
