import { Transform, Type } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsDefined,
  IsInt,
  IsString,
  MaxLength,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { Field } from '../../../decorators/field.js';
import { InvalidArgumentsError } from '../../../src/core/errors.js';
import type { JsonSchema } from '../../../src/core/json-schema.js';
import { compileInput } from '../../../src/schema/input.js';
import { outcomeOf } from './check-case.js';

const boom = (): never => {
  throw new Error('boom');
};
const rejects = (): Promise<boolean> => Promise.reject(new Error('boom'));
const never = (): boolean => false;
const always = (): boolean => true;
const later = (value: boolean) => (): Promise<boolean> => Promise.resolve(value);

/** A validator of the user's own that does what it is given. */
function says(validate: () => boolean | Promise<boolean>, async = false): new () => ValidatorConstraintInterface {
  class Own implements ValidatorConstraintInterface {
    validate = validate;
  }
  ValidatorConstraint({ name: 'own', async })(Own);
  return Own;
}

async function issuesOf(cls: new () => object, value: unknown, codegen: boolean): Promise<readonly string[]> {
  const outcome = await outcomeOf(compileInput(cls, { site: 'test', codegen }).validate, value);
  return 'error' in outcome ? outcome.error.data.map(({ loc }) => loc) : [];
}

describe.each([
  ['compiled', true],
  ['slow path', false],
])('what a callback of the user’s does wrong is never a way in, %s', (_path, codegen) => {
  const conditions: [what: string, condition: () => boolean, issues: readonly string[]][] = [
    ['that says no skips its validators', never, []],
    ['that says yes does not', always, ['v']],
    ['that throws does not', boom, ['v']],
    ['that rejects does not', rejects as never, ['v']],
  ];

  test.each(conditions)('a @ValidateIf %s', async (_what, condition, issues) => {
    class Dto {
      @IsString()
      kind!: string;

      @ValidateIf((dto: Dto) => dto.kind === 'judged' && condition())
      @IsString()
      @MaxLength(1)
      v!: string;
    }
    expect(await issuesOf(Dto, { kind: 'judged', v: 'long' }, codegen)).toEqual(issues);
    expect(await issuesOf(Dto, { kind: 'judged', v: 'x' }, codegen)).toEqual([]);
    expect(await issuesOf(Dto, { kind: 'other', v: 'long' }, codegen)).toEqual([]);
    expect(await issuesOf(Dto, { kind: 'judged' }, codegen)).toEqual(issues);
  });

  test.each(conditions)('a validateIf %s', async (_what, validateIf, issues) => {
    class Dto {
      @IsString()
      @MaxLength(1, { validateIf })
      v!: string;
    }
    expect(await issuesOf(Dto, { v: 'long' }, codegen)).toEqual(issues);
  });

  test.each<[what: string, validate: () => boolean | Promise<boolean>, isRefused: boolean]>([
    ['says yes', always, false],
    ['says no', never, true],
    ['throws', boom, true],
    ['says yes later', later(true), false],
    ['says no later', later(false), true],
    ['rejects', rejects, true],
  ])('a validator that %s', async (_what, validate, isRefused) => {
    for (const async of [false, true]) {
      class One {
        @IsString()
        @Validate(says(validate, async))
        v!: string;
      }
      class Each {
        @IsArray()
        @IsString({ each: true })
        @Validate(says(validate, async), { each: true })
        v!: string[];
      }
      class Inner {
        @IsString()
        @Validate(says(validate, async))
        v!: string;
      }
      class Outer {
        @ValidateNested()
        @Type(() => Inner)
        inner!: Inner;
      }
      expect(await issuesOf(One, { v: 'x' }, codegen)).toEqual(isRefused ? ['v'] : []);
      expect(await issuesOf(Each, { v: ['x', 'y'] }, codegen)).toEqual(isRefused ? ['v.0', 'v.1'] : []);
      expect(await issuesOf(Outer, { inner: { v: 'x' } }, codegen)).toEqual(isRefused ? ['inner.v'] : []);
    }
  });

  test.each([
    ['throws', boom],
    ['rejects', rejects],
  ])('a transform that %s refuses its field, and names it', async (_what, transform) => {
    class Dto {
      @Transform(transform)
      @IsString()
      v!: string;
    }
    expect(await issuesOf(Dto, { v: 'x' }, codegen)).toEqual(['v']);
  });

  test('what tells elements apart and throws refuses its list', async () => {
    class Dto {
      @IsArray()
      @ArrayUnique(boom)
      v!: unknown[];
    }
    expect(await issuesOf(Dto, { v: [1, 2] }, codegen)).toEqual(['v']);
  });

  test('validators that wait run only when nothing else is wrong', async () => {
    let runs = 0;
    const counted = (): Promise<boolean> => (runs++, Promise.resolve(true));
    class Dto {
      @IsString()
      @Validate(says(counted, true))
      v!: string;

      @IsInt()
      n!: number;
    }
    expect(await issuesOf(Dto, { v: 'x', n: 'no' }, codegen)).toEqual(['n']);
    expect(await issuesOf(Dto, { v: 'x', n: 1 }, codegen)).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });
});

describe('defaults belong to the call that they are used in', () => {
  class Part {
    @IsString()
    name = 'part';
  }
  class Dto {
    @IsDefined()
    given: Record<string, unknown> = { a: 1 };

    @IsArray()
    list: unknown[] = [1];

    @ValidateNested()
    @Type(() => Part)
    part: Part = new Part();
  }

  test.each([true, false])('of a class, compiled: %p', (codegen) => {
    const { validate } = compileInput(Dto, { site: 'test', codegen });
    const [first, second] = [validate({}), validate({})] as [Dto, Dto];
    first.given['a'] = 2;
    first.list.push(2);
    first.part.name = 'changed';
    for (const dto of [second, validate({}) as Dto]) {
      expect(JSON.parse(JSON.stringify(dto))).toEqual({ given: { a: 1 }, list: [1], part: { name: 'part' } });
    }
  });

  test.each([true, false])('of keywords, compiled: %p', (codegen) => {
    class Written {
      @Field({ type: 'object', default: { a: [1] } })
      given!: { a: number[] };
    }
    const { validate } = compileInput(Written, { site: 'test', codegen });
    const first = validate({}) as Written;
    first.given.a.push(2);
    expect((validate({}) as Written).given).toEqual({ a: [1] });
  });
});

describe('a raw schema', () => {
  test('may use one object in several places, and none inside itself', () => {
    const id: JsonSchema = { type: 'string', minLength: 1 };
    const pair: JsonSchema = { type: 'object', properties: { a: id, b: id } };
    const schema: JsonSchema = { type: 'object', properties: { one: pair, two: pair, both: { anyOf: [id, pair] } } };
    const { validate } = compileInput(schema, { site: 'test' });
    expect(validate({ one: { a: 'x', b: 'y' }, both: 'z' })).toEqual({ one: { a: 'x', b: 'y' }, both: 'z' });
    expect(() => validate({ two: { b: '' } })).toThrow(InvalidArgumentsError);
    const loop: Record<string, unknown> = { type: 'object', properties: {} };
    (loop['properties'] as Record<string, unknown>)['deep'] = { anyOf: [id, { properties: { again: loop } }] };
    expect(() => compileInput(loop, { site: 'test' })).toThrow('contains itself');
  });

  test('that has another fault is not said to contain itself because it uses one object twice', () => {
    const id: JsonSchema = { type: 'string' };
    const faulty: JsonSchema = { type: 'object', properties: { a: id, b: id, wrong: { type: 'strng' } } };
    expect(() => compileInput(faulty, { site: 'test' })).toThrow('unknown type "strng"');
    expect(() => compileInput(faulty, { site: 'test' })).not.toThrow('contains itself');
    class Dto {
      @Field({ type: 'object', properties: { a: id, b: id } })
      v!: object;
    }
    expect(compileInput(Dto, { site: 'test' }).validate({ v: { a: 'x', b: 'y' } })).toEqual({ v: { a: 'x', b: 'y' } });
  });
});
