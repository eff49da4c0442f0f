import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxDate,
  registerDecorator,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import type { Class } from '../../../src/core/class.js';
import { InvalidArgumentsError, type Issue } from '../../../src/core/errors.js';
import { validateArguments } from '../../../src/schema/dto.js';

/** What is said of a value that must be refused, on both paths. */
function refusal(cls: Class, make: () => unknown): readonly Issue[] {
  const said = [true, false].map((codegen) => {
    try {
      validateArguments(cls, make(), { codegen });
    } catch (error) {
      if (error instanceof InvalidArgumentsError) return error.data;
      throw error;
    }
    throw new Error('was accepted');
  });
  expect(said[0]).toEqual(said[1]);
  return said[0]!;
}

/** Counts how often the elements or keys of a value are looked at. */
function counted<T extends object>(target: T): { value: T; reads: () => number } {
  let reads = 0;
  const value = new Proxy(target, {
    get: (object, key, receiver) => {
      if (typeof key === 'string' && key !== 'length') reads++;
      return Reflect.get(object, key, receiver) as unknown;
    },
  });
  return { value, reads: () => reads };
}

class Texts {
  @IsString({ each: true }) v!: string[];
}

class Named {
  @IsOptional() @IsString() v?: string;
  run(): void {}
}

class Tree {
  @IsOptional() @ValidateNested() @Type(() => Tree) next?: Tree;
}

class Free {
  @IsObject() v!: object;
}

const nested = (levels: number, key = 'next'): unknown => {
  let value: unknown = {};
  for (let i = 0; i < levels; i++) value = { [key]: value };
  return value;
};

describe('no input makes us work for long', () => {
  test('an object where a list is expected is not made into one, however large its keys', () => {
    expect(refusal(Texts, () => ({ v: { '100000000': 'x' } }))).toEqual([
      { loc: 'v', type: 'array_type', msg: 'expected array' },
    ]);
  });

  test('a list that is too long is refused before an element is read', () => {
    class Dto {
      @IsString({ each: true }) @ArrayMaxSize(10) v!: string[];
    }
    const { value, reads } = counted(new Array<number>(1_000_000).fill(1));
    expect(refusal(Dto, () => ({ v: value }))[0]?.msg).toBe('must hold at most 10 elements');
    expect(reads()).toBe(0);
  });

  test('every list has a largest size, which is an option', () => {
    const { value, reads } = counted(new Array<string>(1_000).fill('x'));
    const run = (): unknown => validateArguments(Texts, { v: value }, { limits: { maxItems: 100 } });
    expect(run).toThrow('v: must hold at most 100 elements');
    expect(reads()).toBe(0);
  });

  test('forty thousand unknown keys give fifty problems', () => {
    const make = (): unknown => Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i]));
    expect(refusal(Named, make)).toHaveLength(50);
  });

  test('of a list of wrong elements, no more are read than problems are told', () => {
    const { value, reads } = counted(new Array<number>(50_000).fill(1));
    expect(() => validateArguments(Texts, { v: value }, { codegen: false })).toThrow(InvalidArgumentsError);
    expect(reads()).toBe(50);
  });

  test.each([
    ['a recursive class', Tree, () => nested(2_000)],
    ['free-form data', Free, () => ({ v: nested(3_000) })],
    ['an unknown key', Named, () => ({ x: nested(3_000) })],
    ['lists in lists', Free, () => ({ v: { a: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) } })],
  ])('nesting without end is refused: %s', (_, cls, make) => {
    const issues = refusal(cls, make);
    expect(issues[0]?.type).toMatch(/too_deep|extra_forbidden/);
  });

  test('a hundred levels are accepted, one more is not', () => {
    expect(validateArguments(Tree, nested(99))).toBeInstanceOf(Tree);
    expect(refusal(Tree, () => nested(100))).toHaveLength(1);
  });

  test('@ArrayUnique looks at every element once', () => {
    class Dto {
      @ArrayUnique() v!: unknown[];
    }
    const indexOf = jest.spyOn(Array.prototype, 'indexOf');
    try {
      void validateArguments(Dto, { v: Array.from({ length: 30_000 }, (_, i) => `k${i}`) }, { codegen: false });
      expect(indexOf.mock.calls.length).toBeLessThan(100);
    } finally {
      indexOf.mockRestore();
    }
  });

  test('a text that a pattern would have to read is measured first', () => {
    let tested = 0;
    const pattern = /^a+$/;
    Object.defineProperty(pattern, Symbol.match, {
      value: () => {
        tested++;
        return null;
      },
    });
    class Dto {
      @Matches(pattern) v!: string;
    }
    const long = 'a'.repeat(10_001);
    expect(() => validateArguments(Dto, { v: long }, { codegen: false })).toThrow('at most 10000 characters');
    expect(tested).toBe(0);
    expect(() => validateArguments(Dto, { v: long })).toThrow('at most 10000 characters');
  });

  test('a class that would allocate what the input asks for is refused when it is read', () => {
    class Dto {
      @ValidateNested() @Type(() => Buffer) v!: Buffer;
    }
    expect(() => validateArguments(Dto, { v: { length: 200_000_000 } })).toThrow(/Dto\.v: .*Name the class/);
  });
});

describe('nothing slips through', () => {
  const hostile = [
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'isPrototypeOf',
    'run',
  ];
  test.each(hostile)('the key %s is unknown like any other', (key) => {
    const make = (): unknown => JSON.parse(`{"${key}":{"v":1}}`);
    expect(refusal(Named, make)).toEqual([{ loc: key, type: 'extra_forbidden', msg: 'is not allowed' }]);
    expect(({} as { v?: unknown }).v).toBeUndefined();
  });

  test('an excluded name is unknown, and a near name is suggested', () => {
    expect(refusal(Named, () => ({ vv: 'x' }))[0]?.msg).toBe('is not allowed; did you mean "v"?');
  });

  test('data may have any keys, and stays data', () => {
    const data = JSON.parse('{"constructor":{"a":1},"then":2,"hasOwnProperty":3}') as object;
    expect(validateArguments(Free, { v: data })).toEqual({ v: data });
    class Filled {
      @IsNotEmptyObject() v!: object;
    }
    expect(validateArguments(Filled, { v: { hasOwnProperty: 1 } })).toBeInstanceOf(Filled);
  });

  test('objects with their own valueOf and toString are not converted', () => {
    class Dto {
      @IsNumber() n!: number;
      @IsString() s!: string;
    }
    const trap = { valueOf: 1, toString: 1 };
    expect(refusal(Dto, () => ({ n: trap, s: trap })).map(({ type }) => type)).toEqual(['number_type', 'string_type']);
  });

  test('a name of a method is refused, a field without validators is not an argument', () => {
    class Dto {
      @IsString() a!: string;
      createdAt = 1;
    }
    expect(validateArguments(Dto, { a: 'x' })).toEqual({ a: 'x', createdAt: 1 });
    expect(refusal(Dto, () => ({ a: 'x', createdAt: 2 }))[0]?.loc).toBe('createdAt');
  });

  test('the caller’s object is never changed, where class-transformer deletes the discriminator', () => {
    class Base {}
    class Circle extends Base {
      @IsInt() r!: number;
    }
    class Dto {
      @ValidateNested()
      @Type(() => Base, { discriminator: { property: 'kind', subTypes: [{ value: Circle, name: 'circle' }] } })
      v!: Base;
    }
    const input = { v: { kind: 'circle', r: 1 } };
    const made = validateArguments(Dto, input) as Dto;
    expect(input).toEqual({ v: { kind: 'circle', r: 1 } });
    expect(made.v).toBeInstanceOf(Circle);
    plainToInstance(Dto, input);
    expect(input).toEqual({ v: { r: 1 } });
  });

  test('lists are copied, so that a handler may sort its own', () => {
    const input = { v: ['b', 'a'] };
    (validateArguments(Texts, input) as Texts).v.sort();
    expect(input.v).toEqual(['b', 'a']);
  });
});

describe('what is said of a refusal', () => {
  test('no value of the input comes back, whatever a message asks for', () => {
    class Dto {
      @IsInt({ message: 'no: $value' }) a!: number;
      @Matches(/^x/, { message: ({ value }) => `no: ${String(value)}` }) b!: string;
      @IsBoolean() c!: boolean;
    }
    const issues = refusal(Dto, () => ({ a: 1.5, b: 'hunter2', c: 'hunter2', hunter: 'hunter2' }));
    expect(JSON.stringify(issues)).not.toContain('hunter2');
    expect(issues.find(({ loc }) => loc === 'b')?.msg).toBe('no: undefined');
  });

  test('a value that is nearly one of the allowed is told which', () => {
    class Dto {
      @IsIn(['staging', 'production']) env!: string;
    }
    expect(refusal(Dto, () => ({ env: 'prodution' }))).toEqual([
      { loc: 'env', type: 'enum', msg: 'must be one of "staging", "production"; did you mean "production"?' },
    ]);
  });

  test('a bound that is a function shows its value, not its source', () => {
    class Dto {
      @MaxDate(() => new Date(0)) v!: Date;
    }
    const [issue] = refusal(Dto, () => ({ v: '2026-01-01T00:00:00Z' }));
    expect(issue?.msg).toBe('maximal allowed date for v is 1970-01-01T00:00:00.000Z');
  });

  test('a validator without a message is named', () => {
    const Even = () => (target: object, propertyName: string) =>
      registerDecorator({
        name: 'even',
        target: target.constructor,
        propertyName,
        validator: { validate: (x) => x % 2 === 0 },
      });
    class Dto {
      @IsInt() @Even() v!: number;
    }
    expect(refusal(Dto, () => ({ v: 3 }))).toEqual([{ loc: 'v', type: 'even', msg: 'Invalid value (even)' }]);
  });

  test('a validator that throws has refused', () => {
    const Throws = () => (target: object, propertyName: string) =>
      registerDecorator({
        name: 'throws',
        target: target.constructor,
        propertyName,
        validator: {
          validate: () => {
            throw new Error('secret');
          },
        },
      });
    class Dto {
      @IsInt() @Throws() v!: number;
    }
    expect(refusal(Dto, () => ({ v: 3 }))).toEqual([{ loc: 'v', type: 'throws', msg: 'Invalid value (throws)' }]);
  });

  test('an asynchronous validator is waited for, and not asked about what is wrong already', async () => {
    let asked = 0;
    @ValidatorConstraint({ async: true, name: 'free' })
    class Free {
      async validate(value: unknown): Promise<boolean> {
        asked++;
        return value !== 'taken';
      }
      defaultMessage(): string {
        return '$property is taken';
      }
    }
    class Dto {
      @IsString() @Validate(Free) v!: string;
      @IsInt() n = 1;
    }
    await expect(validateArguments(Dto, { v: 'ok' })).resolves.toBeInstanceOf(Dto);
    await expect(async () => validateArguments(Dto, { v: 'taken' })).rejects.toThrow('v: is taken');
    expect(asked).toBe(2);
    expect(() => validateArguments(Dto, { v: 'taken', n: 'x' })).toThrow('n: expected integer');
    expect(asked).toBe(2);
  });

  test('paths have wire names and indices, long and odd keys are cut', () => {
    class Item {
      @IsDate() at!: Date;
    }
    class Dto {
      @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
    }
    const issues = refusal(Dto, () => ({ items: [null, { at: 'x' }, {}], ['k\n'.repeat(100)]: 1 }));
    expect(issues.map(({ loc }) => loc)).toEqual([
      expect.stringMatching(/^(k\?){32}…$/),
      'items.0',
      'items.1.at',
      'items.2.at',
    ]);
  });
});

test('a validator that nothing stands behind is found when the class is read: it would let everything through', () => {
  class Forgotten {
    validate(): boolean {
      return false;
    }
  }
  class Dto {
    @Validate(Forgotten)
    code!: string;
  }
  expect(() => validateArguments(Dto, { code: 'x' })).toThrow(
    'Dto.code: @Validate(Forgotten) validates nothing. Add @ValidatorConstraint() to Forgotten. [CT330]',
  );
});
