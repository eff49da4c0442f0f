import { Type } from 'class-transformer';
import { IsEmail, IsOptional, IsString, Length, Matches, MaxLength, ValidateNested } from 'class-validator';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import { InvalidArgumentsError, type Issue } from '../../../src/core/errors.js';
import type { JsonSchema } from '../../../src/core/json-schema.js';
import { compileArgs } from '../../../src/schema/arguments.js';
import { compileForm } from '../../../src/schema/form.js';
import { compileInput } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';

/** The problems that are told, and how often an expression that quotes `marker` met a text meanwhile. */
function meet(marker: string, run: () => unknown): { issues: readonly Issue[]; met: number } {
  const { exec } = RegExp.prototype;
  let met = 0;
  const spy = jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    if (this.source.includes(marker)) met++;
    return exec.call(this, text);
  });
  try {
    run();
    return { issues: [], met };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return { issues: error.data, met };
  } finally {
    spy.mockRestore();
  }
}

const both = [true, false];
const withinCap = 'x'.repeat(10_000);
const beyondCap = 'x'.repeat(10_001);
const tooLong = (loc: string): Issue => ({
  loc,
  type: 'string_too_long',
  msg: 'must be at most 10000 characters long',
});

class Plain {
  @Matches(/^marked/) v!: string;
}
class Each {
  @Matches(/^marked/, { each: true }) v!: string[];
}
class Nested {
  @ValidateNested() @Type(() => Plain) v!: Plain;
}
class Overlay {
  @IsString() @Field({ pattern: '^marked' }) v!: string;
}

describe('a text that is too long for an expression never meets it', () => {
  describe.each(both)('of a class, with code generation: %s', (codegen) => {
    test.each<[string, Class, (text: string) => unknown, string]>([
      ['@Matches', Plain, (text) => ({ v: text }), 'v'],
      ['@Matches of each element', Each, (text) => ({ v: ['marked', text] }), 'v.1'],
      ['@Matches of a nested class', Nested, (text) => ({ v: { v: text } }), 'v.v'],
      ['the pattern of @Field', Overlay, (text) => ({ v: text }), 'v'],
    ])('%s', (_, cls, make, loc) => {
      const { validate } = compileInput(cls, { site: 's', codegen });
      const long = meet('marked', () => validate(make(beyondCap)));
      expect(long.issues).toEqual([tooLong(loc)]);
      expect(long.met).toBeLessThanOrEqual(loc === 'v.1' ? 2 : 0);
      expect(meet('marked', () => validate(make(withinCap))).issues[0]).toMatchObject({ loc });
    });

    test('a text over its own length is refused for that, and for nothing else', () => {
      class Dto {
        @Matches(/^marked/) @MaxLength(20) a!: string;
        @Length(1, 20) @Matches(/^marked/) b!: string;
        @MaxLength(20) @Field({ pattern: '^marked' }) c!: string;
        @MaxLength(20, { each: true }) @Matches(/^marked/, { each: true }) d!: string[];
        @IsEmail() @MaxLength(20) e!: string;
      }
      const text = 'y'.repeat(200);
      const { validate } = compileInput(Dto, { site: 's', codegen });
      const { issues, met } = meet('marked', () => validate({ a: text, b: text, c: text, d: [text], e: text }));
      expect(issues.map(({ loc, type }) => `${loc} ${type}`)).toEqual([
        'a maxLength',
        'b isLength',
        'c maxLength',
        'd.0 maxLength',
        'e maxLength',
      ]);
      expect(met).toBe(0);
    });

    test('where the limit is another one, that one holds, for every way to say an expression', () => {
      for (const cls of [Plain, Overlay]) {
        const { validate } = compileInput(cls, { site: 's', codegen, limits: { maxPatternChars: 5 } });
        expect(() => validate({ v: 'marked' })).toThrow('v: must be at most 5 characters long');
        const { validate: wider } = compileInput(cls, { site: 's', codegen }).withLimits({ maxPatternChars: 20_000 });
        expect(() => wider({ v: `marked${beyondCap}` })).not.toThrow();
      }
    });
  });

  const closed = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    properties,
    additionalProperties: false,
    ...more,
  });
  const pattern = { type: 'string', pattern: '^marked' };

  describe.each(both)('of a raw schema, with code generation: %s', (codegen) => {
    test.each<[string, JsonSchema, (text: string) => unknown, string]>([
      ['pattern', closed({ v: pattern }), (v) => ({ v }), 'v'],
      ['format', closed({ v: { type: 'string', format: 'email' } }), (v) => ({ v }), 'v'],
      ['$ref', closed({ v: { $ref: '#/$defs/P' } }, { $defs: { P: pattern } }), (v) => ({ v }), 'v'],
      ['not', closed({ v: { type: 'string', not: { pattern: 'marked$' } } }), (v) => ({ v }), 'v'],
      ['anyOf', closed({ v: { anyOf: [pattern, { type: 'string' }] } }), (v) => ({ v }), 'v'],
      ['items', closed({ v: { type: 'array', items: pattern } }), (v) => ({ v: [v] }), 'v.0'],
      ['propertyNames', { type: 'object', propertyNames: pattern }, (v) => ({ [v]: 1 }), ''],
      ['patternProperties', { type: 'object', patternProperties: { '^marked': true } }, (v) => ({ [v]: 1 }), ''],
    ])('%s', (_, schema, make, loc) => {
      const { validate } = compileInput(schema, { site: 's', codegen });
      const { issues, met } = meet('marked', () => validate(make(beyondCap)));
      expect(issues[0]).toMatchObject({ type: 'string_too_long', msg: 'must be at most 10000 characters long' });
      if (loc !== '') expect(issues).toEqual([tooLong(loc)]);
      expect(met).toBe(0);
    });

    test('patterns still hold for short texts', () => {
      const schema = closed({ v: pattern }, { patternProperties: { '^\\d+$': { type: 'number' } } });
      const { validate } = compileInput(schema, { site: 's', codegen });
      expect(validate({ v: 'marked', 12: 1 })).toEqual({ v: 'marked', 12: 1 });
      expect(meet('marked', () => validate({ v: 'x' })).issues).toMatchObject([{ loc: 'v', type: 'pattern' }]);
      expect(meet('marked', () => validate({ 12: 'x' })).issues).toHaveLength(1);
    });

    test('maxLength beside a pattern is judged first', () => {
      const schema = closed({ v: { ...pattern, maxLength: 10 } });
      const { validate } = compileInput(schema, { site: 's', codegen });
      const { issues } = meet('marked', () => validate({ v: 'y'.repeat(50) }));
      expect(issues.map(({ type }) => type)).toContain('maxLength');
    });

    test('results are measured as well, and their limit can be raised', () => {
      const { check } = compileOutput(closed({ v: pattern }), { site: 's', codegen });
      expect(check({ v: `marked${beyondCap}` })).toEqual([tooLong('v')]);
      expect(check({ v: `marked${beyondCap}` }, { maxPatternChars: 20_000 })).toEqual([]);
    });
  });

  test('of a form, and of arguments that are bound by name', () => {
    const form = compileForm({ type: 'object', properties: { v: pattern } }, 's');
    expect(meet('marked', () => form.validate({ v: beyondCap }))).toEqual({ issues: [tooLong('v')], met: 0 });
    expect(() => form.validate({ v: `marked${beyondCap}` }, { maxPatternChars: 20_000 })).not.toThrow();
    const { validate } = compileArgs([{ name: 'v', schema: pattern }], { site: 's' });
    expect(meet('marked', () => validate({ v: beyondCap }))).toEqual({ issues: [tooLong('v')], met: 0 });
  });

  test('what reads a text once may read a long one', () => {
    class Dto {
      @IsString() v!: string;
    }
    expect(() => compileInput(Dto, { site: 's' }).validate({ v: 'x'.repeat(200_000) })).not.toThrow();
  });
});

describe('an expression meets a text once, also when the text is refused', () => {
  class Two {
    @IsOptional() @Matches(/marked$/) first?: string;
    @IsOptional() @IsString() second?: string;
  }
  const long = `${'y'.repeat(100)}marked`;

  test.each<[string, Class | JsonSchema, unknown, number]>([
    ['one that it refuses', Plain, { v: 'y' }, 1],
    ['one that it accepts, beside another problem', Two, { first: long, second: 1 }, 1],
    ['elements', Each, { v: ['marked', 'y'] }, 3],
    ['the pattern of @Field', Overlay, { v: 'y' }, 1],
    ['a raw pattern', { type: 'object', properties: { v: { type: 'string', pattern: 'marked' } } }, { v: 'y' }, 1],
  ])('%s', (_, source, value, times) => {
    const { validate } = compileInput(source, { site: 's' });
    try {
      validate(value);
    } catch {
      // The first call compiles.
    }
    const { issues, met } = meet('marked', () => validate(value));
    expect(issues).toHaveLength(1);
    expect(met).toBeLessThanOrEqual(times);
  });

  test('nothing of a text is kept from one validation to the next', () => {
    const { validate } = compileInput(Plain, { site: 's' });
    const run = (): unknown => validate({ v: 'y' });
    expect(run).toThrow(InvalidArgumentsError);
    expect(meet('marked', run).met).toBeGreaterThan(0);
    expect(meet('marked', run).met).toBeGreaterThan(0);
  });
});

describe('an expression whose time may grow faster than its text is a warning', () => {
  const of = (source: Class | JsonSchema): readonly string[] => compileInput(source, { site: 's' }).warnings;
  const patterned = (pattern: string): JsonSchema => ({
    type: 'object',
    properties: { v: { type: 'string', pattern } },
  });

  test.each([/^\S+@\S+\.\S+$/, /\s+$/, /^(a+)+$/, /(x+x+)+y/, /a.*b.*c/, /^(?:[a-z]+ ?)*$/, /^a+$|b+b+$/])(
    '%s',
    (expression) => {
      class Dto {
        @Matches(expression) v!: string;
      }
      class Described {
        @IsString() @Field({ pattern: expression.source }) v!: string;
      }
      const said = `the time that ${String(expression)} takes may grow faster than the text it meets.`;
      expect(of(Dto)).toEqual([expect.stringContaining(`Dto.v: ${said}`)]);
      expect(of(Described)).toEqual([expect.stringContaining('Described.v: the time that')]);
      expect(of(patterned(expression.source))).toEqual([expect.stringContaining('s: the time that')]);
      expect(
        compileArgs([{ name: 'v', schema: { type: 'string', pattern: expression.source } }], { site: 's' }).warnings,
      ).toHaveLength(1);
    },
  );

  test.each([
    /^[a-z]+$/,
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    /^\d{4}-\d{2}-\d{2}$/,
    /^[^@]+@[^@]+$/,
    /^(?=.*[A-Z])(?=.*\d).{8,}$/,
    /^\p{L}+$/u,
    /^(\d+)\1$/,
    /colou?r/,
  ])('%s is none', (expression) => {
    class Dto {
      @Matches(expression) v!: string;
    }
    expect(of(Dto)).toEqual([]);
  });
});
