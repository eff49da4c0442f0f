import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsEmail, IsEnum, IsIn, IsInt, IsNumber, IsOptional, IsPositive, IsString, Matches, Max, MaxLength, Min, MinLength, ValidateNested } from 'class-validator'; // prettier-ignore
import { Type } from 'class-transformer';
import { z } from 'zod';
import { Field } from '../../../decorators/field.js';
import { ConfigurationError, InvalidArgumentsError } from '../../../src/core/errors.js';
import { compileForm } from '../../../src/schema/form.js';

enum Size {
  Small = 's',
  Large = 'l',
}

class Order {
  /** Who gets it. */
  @IsString()
  @MinLength(2)
  @MaxLength(40)
  @Matches(/^[A-Z]/)
  @Field({ title: 'Name' })
  name!: string;

  @IsEmail()
  email!: string;

  @IsInt()
  @Min(1)
  @Max(10)
  count = 3;

  @IsNumber()
  @IsPositive()
  weight!: number;

  @IsBoolean()
  gift = true;

  @IsEnum(Size)
  @Field({ enumTitles: { s: 'Small', l: 'Large' } })
  size: Size = Size.Small;

  @IsIn(['red', 'blue'])
  @IsOptional()
  colour?: string;

  @IsIn([1, 2, 3])
  storey = 2;

  @IsArray()
  @IsIn(['a', 'b', 'c'], { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  extras: string[] = ['a'];

  @IsArray()
  @IsIn(['x', 'y'], { each: true })
  @Field({ enumTitles: { x: 'Ex', y: 'Why' } })
  axes!: string[];

  @IsOptional()
  @IsString()
  note?: string | null;
}

describe('a DTO class as a form', () => {
  const form = compileForm(Order, 'Shop.order');

  test('has exactly the words of the form dialect', () => {
    expect(form.schemaFor('2025-11-25')).toEqual({
      unsayable: [],
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', description: 'Who gets it.', minLength: 2, maxLength: 40 },
          email: { type: 'string', format: 'email' },
          count: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
          weight: { type: 'number', minimum: 0 },
          gift: { type: 'boolean', default: true },
          size: {
            type: 'string',
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'l', title: 'Large' },
            ],
            default: 's',
          },
          colour: { type: 'string', enum: ['red', 'blue'] },
          storey: { type: 'string', enum: ['1', '2', '3'], default: '2' },
          extras: {
            type: 'array',
            items: { type: 'string', enum: ['a', 'b', 'c'] },
            minItems: 1,
            maxItems: 2,
            default: ['a'],
          },
          axes: {
            type: 'array',
            items: {
              anyOf: [
                { const: 'x', title: 'Ex' },
                { const: 'y', title: 'Why' },
              ],
            },
          },
          note: { type: 'string' },
        },
        required: ['name', 'email', 'weight', 'axes'],
      },
    });
    expect(form.schemaFor('2026-07-28')).toEqual(form.schemaFor('2025-11-25'));
  });

  test('before 2025-11-25 it has titles beside the choice, no lists, and a default only for booleans', () => {
    const { schema, unsayable } = form.schemaFor('2025-06-18');
    const properties = schema.properties as Record<string, unknown>;
    expect(properties.size).toEqual({ type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] });
    expect(properties.count).toEqual({ type: 'integer', minimum: 1, maximum: 10 });
    expect(properties.gift).toEqual({ type: 'boolean', default: true });
    expect(Object.keys(properties)).not.toContain('extras');
    expect(unsayable).toEqual(['axes']);
    expect(schema.required).toEqual(['name', 'email', 'weight']);
  });

  test('what comes back is an instance, numbers offered as texts are numbers again, and extra keys are dropped', () => {
    const content = { name: 'Ada', email: 'a@example.com', weight: 1.5, axes: ['x'], storey: '3', surprise: 1 };
    const order = form.validate(content) as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order).toMatchObject({ name: 'Ada', storey: 3, count: 3, extras: ['a'], size: 's' });
    expect(Object.keys(order)).not.toContain('surprise');
  });

  test('extra keys are dropped whatever the form is made of, unless a raw schema is open', () => {
    const properties = { name: { type: 'string' } };
    const content = { name: 'Ada', surprise: 1 };
    const closed = compileForm({ type: 'object', properties, additionalProperties: false }, 'closed');
    expect(closed.validate(content)).toEqual({ name: 'Ada' });
    expect(compileForm({ type: 'object', properties }, 'open').validate(content)).toEqual(content);
    expect(compileForm(z.object({ name: z.string() }), 'standard').validate(content)).toEqual({ name: 'Ada' });
  });

  test('what the dialect cannot say is still checked', () => {
    const content = { name: 'ada', email: 'a@example.com', weight: 1.5, axes: ['x'] };
    expect(() => form.validate(content)).toThrow(InvalidArgumentsError);
  });
});

class Inner {
  @IsString()
  street!: string;
}

class Unfit {
  @ValidateNested()
  @Type(() => Inner)
  address!: Inner;

  @IsArray()
  @IsString({ each: true })
  tags!: string[];

  @Field({ type: 'array', items: { type: 'object' } })
  rows!: unknown[];

  @Field({ enum: ['a', 1] })
  mixed!: unknown;
}

test('a class that no form can show names every property and the remedy', () => {
  let thrown: unknown;
  try {
    compileForm(Unfit, 'Shop.order');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigurationError);
  const { findings } = thrown as ConfigurationError;
  expect(findings).toHaveLength(4);
  expect(findings[0]).toBe(
    'Unfit.address: a form is flat. Move its properties up, or ask for it in a form of its own. [CT327]',
  );
  expect(findings[1]).toMatch(/^Unfit\.tags: a form has lists of given values only\. Say which with @IsIn/);
});

test('raw schemas and Standard Schemas make forms too; titles may be written out, or in the old way', () => {
  const raw = compileForm(
    {
      type: 'object',
      properties: {
        titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b', title: 'B' }] }, // prettier-ignore
        legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
        many: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      },
      required: ['titled'],
    },
    'raw',
  );
  expect(raw.schemaFor('2025-11-25').schema).toEqual({
    type: 'object',
    properties: {
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b', title: 'B' }] }, // prettier-ignore
      legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      many: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    },
    required: ['titled'],
  });
  expect(() => raw.validate({ titled: 'z' })).toThrow(InvalidArgumentsError);
  const zod = compileForm(z.object({ name: z.string().min(1), age: z.number().int().optional() }), 'zod');
  expect(zod.schemaFor('2026-07-28').schema).toMatchObject({ required: ['name'], type: 'object' });
});

test('a form without fields asks for nothing but the answer itself', () => {
  const bare = compileForm({ type: 'object', properties: {} }, 'bare');
  expect(bare.schemaFor('2025-06-18').schema).toEqual({ type: 'object', properties: {} });
  expect(bare.validate({})).toEqual({});
});

test('asking for a secret in a form is warned of', () => {
  class Login {
    @IsString()
    apiKey!: string;
  }
  expect(compileForm(Login, 'x').warnings).toEqual([
    'Login.apiKey: clients may keep what a form is filled with. Ask for secrets with elicitUrl.',
  ]);
});
