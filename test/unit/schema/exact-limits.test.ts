import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { compileInput } from '../../../src/schema/input.js';
import { lintSchema } from '../../../src/schema/hosts/lint.js';

/** A character of three code units: a surrogate pair and a variation selector. */
const WIDE = '\u{1f3f3}\ufe0f';

class Sized {
  @IsString()
  @MinLength(4)
  @MaxLength(6)
  text = 'xxxx';

  @IsArray()
  @IsString({ each: true })
  @ArrayMinSize(2)
  @ArrayMaxSize(3)
  list = ['a', 'b'];
}

class Matched {
  @Matches(/^x*$/)
  one = '';

  @IsArray()
  @Matches(/^x*$/, { each: true })
  each: string[] = [];
}

const texts = (count: number): string[] => Array.from({ length: count }, () => 'a');

describe.each([
  ['compiled', true],
  ['where no code can be generated', false],
])('exactly at a limit, %s', (_how, codegen) => {
  const fits = (source: typeof Sized | typeof Matched, value: object): boolean => {
    try {
      compileInput(source, { site: 'test', codegen }).withLimits({ maxPatternChars: 10 }).validate(value);
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    ['x'.repeat(3), false],
    ['x'.repeat(4), true],
    ['x'.repeat(6), true],
    ['x'.repeat(7), false],
    [WIDE.repeat(3), false],
    [`${WIDE.repeat(3)}x`, true],
    [WIDE.repeat(4), true],
    [WIDE.repeat(6), true],
    [`${WIDE.repeat(6)}x`, false],
    [WIDE.repeat(7), false],
  ])('a text of characters, however they are written: %s', (text, expected) => {
    expect(fits(Sized, { text })).toBe(expected);
  });

  it.each([
    [1, false],
    [2, true],
    [3, true],
    [4, false],
  ])('a list of %i', (count, expected) => {
    expect(fits(Sized, { list: texts(count) })).toBe(expected);
  });

  it.each([
    ['one', 10, true],
    ['one', 11, false],
    ['each', 10, true],
    ['each', 11, false],
  ])('a text that meets an expression, %s of %i', (property, count, expected) => {
    const text = 'x'.repeat(count);
    expect(fits(Matched, { [property]: property === 'each' ? [text] : text })).toBe(expected);
  });
});

it.each([
  [1000, false],
  [1001, true],
])('an enum of %i values is told of for the host that takes a thousand: %s', (count, told) => {
  const values = Array.from({ length: count }, (_, i) => `v${i}`);
  const schema = {
    type: 'object' as const,
    properties: { a: { type: 'string', enum: values } },
    required: ['a'],
    additionalProperties: false,
  };
  const problems = JSON.stringify(lintSchema(schema, 'openai-strict'));
  expect(problems.includes('an enum of more than 1000 values')).toBe(told);
});
