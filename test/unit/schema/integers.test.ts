import { ArrayMaxSize, IsEnum, IsInt, IsNumber, IsOptional, Max } from 'class-validator';
import { z } from 'zod';
import { Field } from '../../../decorators/field.js';
import { InvalidArgumentsError } from '../../../src/core/errors.js';
import { compileArgs } from '../../../src/schema/arguments.js';
import { compileForm } from '../../../src/schema/form.js';
import { compileInput, type CompiledInput } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';

const site = 'Tools.call';
const SAFE = Number.MAX_SAFE_INTEGER;

enum Level {
  Low = 1,
  High = 2,
}

class Integers {
  @IsOptional() @IsInt() plain?: number;
  @IsOptional() @IsInt({ each: true }) @ArrayMaxSize(9) list?: number[];
  @IsOptional() @IsInt() @Max(1e300) bounded?: number;
  @IsOptional() @IsEnum(Level) level?: Level;
  @IsOptional() @Field({ type: 'integer' }) raw?: number;
  @IsOptional() @IsNumber() number?: number;
}

class Asked {
  @IsInt() count!: number;
}

function issueOf(input: Pick<CompiledInput, 'validate'>, value: unknown): { loc: string; msg: string } | undefined {
  try {
    input.validate(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    const [issue] = error.data as readonly { loc: string; msg: string }[];
    return issue;
  }
}

describe.each([true, false])('integers that JSON cannot hold exactly (code generation: %s)', (codegen) => {
  const dto = compileInput(Integers, { site, codegen });
  const raw = compileInput(
    {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        list: { type: 'array', items: { type: ['integer', 'null'] } },
        bounded: { type: 'integer', minimum: -5, maximum: 5 },
        any: { type: ['integer', 'number'] },
        other: { not: { type: 'integer' } },
      },
    },
    { site, codegen },
  );
  const single = compileArgs([{ name: 'n', schema: { type: 'integer' } }], { site, codegen });
  const emitted = /^must be from -9007199254740991 to 9007199254740991: JSON does not keep every digit/;

  test('are refused in every integer property, as numbers and as texts, and the bounds are said', () => {
    for (const value of [SAFE + 1, SAFE + 3, -SAFE - 1, 1e21, String(SAFE + 1), '9007199254740993', `-${SAFE + 3}`]) {
      for (const [loc, args] of [
        ['plain', { plain: value }],
        ['list.1', { list: [1, value] }],
        ['bounded', { bounded: value }],
      ] as const) {
        const issue = issueOf(dto, args);
        expect([loc, value, issue?.loc]).toEqual([loc, value, loc]);
        expect(issue?.msg).toMatch(emitted);
      }
      expect(issueOf(single, { n: value })?.msg).toMatch(emitted);
    }
    expect(issueOf(dto, { raw: SAFE + 1 })?.loc).toBe('raw');
    expect(issueOf(dto, { level: SAFE + 1 })?.loc).toBe('level');
    expect(issueOf(compileForm(Asked, site), { count: SAFE + 1 })?.loc).toBe('count');
  });

  test('are refused by raw schemas, which clients see as they were written', () => {
    for (const value of [SAFE + 1, -SAFE - 1, 1e21]) {
      expect(issueOf(raw, { n: value })?.loc).toBe('n');
      expect(issueOf(raw, { list: [null, value] })?.loc).toBe('list.1');
      expect(issueOf(raw, { any: value })).toBeUndefined();
      expect(issueOf(raw, { other: value })?.loc).toBe('other');
    }
    expect(issueOf(raw, { n: SAFE, list: [-SAFE, null], bounded: 5 })).toBeUndefined();
    expect(issueOf(raw, { bounded: 6 })?.loc).toBe('bounded');
    expect(raw.schema['properties']).toMatchObject({ n: { type: 'integer' } });
    expect(JSON.stringify(raw.schema)).not.toContain(String(SAFE));
  });

  test('end where doubles do: the last exact one is taken, and numbers have no such bound', () => {
    for (const value of [SAFE, -SAFE, String(SAFE), `-${SAFE}`, 0, '5.0']) {
      expect(issueOf(dto, { plain: value, list: [value], bounded: value })).toBeUndefined();
    }
    expect(issueOf(dto, { raw: SAFE, number: 1e300 })).toBeUndefined();
    expect(dto.validate({ plain: String(SAFE) })).toMatchObject({ plain: SAFE });
    expect(JSON.stringify(dto.schema)).not.toContain(String(SAFE));
  });

  test('are not guessed at: a text with an exponent is no integer, a number is one', () => {
    for (const text of ['1e3', '1E3', '10e-1', '1e0', '1.0e2']) {
      expect([text, issueOf(dto, { plain: text })?.msg]).toEqual([text, 'expected integer']);
      expect(issueOf(dto, { list: [text] })?.msg).toBe('expected integer');
      expect(issueOf(dto, { number: text })).toBeUndefined();
    }
    expect(dto.validate({ plain: 1e3 })).toMatchObject({ plain: 1000 });
  });
});

test('a result may hold any integer that its handler has', () => {
  const { check } = compileOutput({ type: 'object', properties: { n: { type: 'integer' } } }, { site });
  expect(check({ n: 2 ** 60 })).toEqual([]);
});

test('a Standard Schema keeps its own rule, which for integers of zod is the same', () => {
  const input = compileInput(z.strictObject({ n: z.int() }), { site });
  expect(issueOf(input, { n: SAFE + 1 })?.loc).toBe('n');
  expect(issueOf(input, { n: SAFE })).toBeUndefined();
});
