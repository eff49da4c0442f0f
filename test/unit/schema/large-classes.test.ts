import { Type } from 'class-transformer';
import { IsString, MaxLength, ValidateNested } from 'class-validator';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import type { JsonSchema } from '../../../src/core/json-schema.js';
import { inputSchemaFor, validateArguments } from '../../../src/schema/dto.js';
import { lintSchema } from '../../../src/schema/hosts/lint.js';
import { compileInput } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';
import { layerOf } from '../../support/layers.js';

/** A class that is used twice at each of so many levels. */
function doubled(levels: number): Class {
  class Leaf {
    @IsString() @MaxLength(5) text!: string;
  }
  let cls: Class = Leaf;
  for (let level = levels; level > 0; level--) {
    const below = cls;
    class Level {
      @ValidateNested() @Type(() => below) @Field({ description: `left of ${level}` }) left!: object;
      @ValidateNested() @Type(() => below) @Field({ description: `right of ${level}` }) right!: object;
    }
    Object.defineProperty(Level, 'name', { value: `Level${level}` });
    cls = Level;
  }
  return cls;
}

function value(levels: number, text: string): unknown {
  if (levels === 0) return { text };
  return { left: value(levels - 1, text), right: value(levels - 1, text) };
}

describe('a class that would be too large with everything in place', () => {
  test('twenty levels are built, listed and small', async () => {
    const Wide = doubled(20);
    const layer = layerOf((registry) => void registry.tool({ name: 't', input: Wide, output: Wide }, () => 'ok'));
    const [tool] = layer.listTools().map((each) => each as { inputSchema: JsonSchema });
    expect(JSON.stringify(tool).length).toBeLessThan(20_000);
  });

  test('what repeats is written once, with the description of each use beside it', () => {
    const { properties, $defs, ...root } = inputSchemaFor(doubled(8)) as { properties: object; $defs: object };
    expect(root).toEqual({ type: 'object', required: ['left', 'right'], additionalProperties: false });
    expect(properties).toEqual({
      left: { $ref: '#/$defs/Level2', description: 'left of 1' },
      right: { $ref: '#/$defs/Level2', description: 'right of 1' },
    });
    expect(Object.keys($defs)).toEqual(['Level2', 'Level3', 'Level4', 'Level5', 'Level6', 'Level7', 'Level8', 'Leaf']);
  });

  test('what does not repeat stays in place', () => {
    const Wide = doubled(8);
    class Once {
      @IsString() only!: string;
    }
    @Describe('the whole')
    class Root {
      @ValidateNested() @Type(() => Wide) wide!: object;
      @ValidateNested() @Type(() => Once) once!: Once;
    }
    const { properties } = inputSchemaFor(Root) as { properties: Record<string, JsonSchema> };
    expect(properties.once).toMatchObject({ type: 'object', properties: { only: { type: 'string' } } });
    expect(properties.wide).toMatchObject({ type: 'object' });
  });

  test('up to the bound, everything is in place', () => {
    expect(JSON.stringify(inputSchemaFor(doubled(6)))).not.toContain('$ref');
    expect(JSON.stringify(inputSchemaFor(doubled(7)))).toContain('$ref');
  });

  test.each([true, false])('values are read and checked all the same, with code generation: %s', (codegen) => {
    const Wide = doubled(8);
    expect(validateArguments(Wide, value(8, 'fits'), { codegen })).toEqual(value(8, 'fits'));
    expect(() => validateArguments(Wide, value(8, 'too long'), { codegen })).toThrow(/left\.left\..*\.text/);
    const { check } = compileOutput(Wide, { site: 's', codegen });
    expect(check(value(8, 'fits'))).toEqual([]);
    expect(check(value(8, 'too long'))[0]?.loc).toMatch(/left\.left\..*\.text/);
  });
});

test('a schema that no model can read is a finding', () => {
  class Huge {}
  for (let i = 0; i < 10_001; i++) IsString()(Huge.prototype, `p${i}`);
  expect(() => compileInput(Huge, { site: 's' })).toThrow('Huge: its schema has more than 10000 parts');
});

describe('the totals of OpenAI in strict mode', () => {
  const of = (count: number, name: (index: number) => string, more: object = {}): JsonSchema => {
    const names = Array.from({ length: count }, (_, index) => name(index));
    const properties = Object.fromEntries(names.map((key) => [key, { type: 'string', ...more }]));
    return { type: 'object', properties, required: names, additionalProperties: false };
  };
  const short = (index: number): string => `p${index}`;
  const long = (length: number) => (index: number) => String(index).padEnd(length, '_');

  test.each<[string, JsonSchema, string | undefined]>([
    ['5,000 properties', of(5_000, short), undefined],
    ['one more', of(5_001, short), 'openai-strict refuses more than 5000 properties in all'],
    ['120,000 characters', of(2_000, long(60)), undefined],
    ['some more', of(2_001, long(60)), 'openai-strict refuses more than 120000 characters of names and values in all'],
    ['1,000 values', of(2, short, { enum: Array.from({ length: 500 }, (_, i) => `v${i}`) }), undefined],
    [
      'some more',
      of(2, short, { enum: Array.from({ length: 501 }, (_, i) => `v${i}`) }),
      'openai-strict refuses more than 1000 enum values in all',
    ],
  ])('%s', (_, schema, message) => {
    expect(lintSchema(schema, 'openai-strict').map((found) => found.message)).toEqual(
      message === undefined ? [] : [message],
    );
  });
});
