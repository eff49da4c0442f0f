import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min, MinLength, ValidateNested } from 'class-validator';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import { inputSchemaFor, validateArguments } from '../../../src/schema/dto.js';
import { compileInput } from '../../../src/schema/input.js';

class Address {
  @IsString() @Describe('Where it is.') city!: string;
}

class Named {
  /** What the user is called. */
  @IsString() @MinLength(2) name!: string;
}

class User extends Named {
  @Describe('In years.') @IsInt() @Min(0) age!: number;
  @Field({ description: 'Where letters go.' }) @ValidateNested() @Type(() => Address) home!: Address;
  @Field({ description: 'Shown beside the name.', maxLength: 5 }) nick!: string;
  @Field({ description: 'The first one.', type: 'integer' }) rank = 1;
}

class Audit {
  @Field({ description: 'Why it was done.' }) @IsOptional() @IsString() reason?: string;
}

type Properties = Record<string, Record<string, unknown>>;

function described(cls: new () => object): Record<string, unknown> {
  const properties = inputSchemaFor(cls).properties as Properties;
  return Object.fromEntries(Object.entries(properties).map(([name, { description }]) => [name, description]));
}

const ALL = {
  name: 'What the user is called.',
  age: 'In years.',
  home: 'Where letters go.',
  nick: 'Shown beside the name.',
  rank: 'The first one.',
};

describe('the mapped types of @nestjs/mapped-types keep what @Field, @Describe and doc comments say', () => {
  test('PartialType, with a property that has @Field alone', () => {
    class Update extends PartialType(User) {}
    expect(described(Update)).toEqual(ALL);
    expect(inputSchemaFor(Update).required).toBeUndefined();
    expect(validateArguments(Update, { nick: 'n', age: 1 })).toMatchObject({ nick: 'n', age: 1, rank: 1 });
    expect(() => validateArguments(Update, { nick: 'too long' })).toThrow('nick');
    expect(() => validateArguments(Update, { age: -1 })).toThrow('age');
  });

  test('OmitType and PickType', () => {
    class Without extends OmitType(User, ['age'] as const) {}
    expect(described(Without)).toEqual({ name: ALL.name, home: ALL.home, rank: ALL.rank });
    class Only extends PickType(User, ['name', 'age'] as const) {
      @Field({ description: 'Its own.' }) @IsInt() level!: number;
    }
    expect(described(Only)).toEqual({ name: ALL.name, age: ALL.age, level: 'Its own.' });
  });

  test('IntersectionType', () => {
    class Both extends IntersectionType(User, Audit) {}
    expect(described(Both)).toEqual({ ...ALL, reason: 'Why it was done.' });
  });

  test('one of another, and of a subclass', () => {
    class Chief extends User {
      @Describe('Of the team.') @IsString() team!: string;
    }
    class Update extends PartialType(IntersectionType(PickType(Chief, ['name', 'team'] as const), Audit)) {}
    expect(described(Update)).toEqual({ name: ALL.name, team: 'Of the team.', reason: 'Why it was done.' });
    expect(inputSchemaFor(Update).required).toBeUndefined();
  });

  test('a subclass says it better', () => {
    class Update extends PartialType(User) {
      @Describe('In years, at least 18.') @IsInt() @Min(18) override age?: number;
    }
    expect(described(Update).age).toBe('In years, at least 18.');
  });

  test('what they cannot tell is a warning, not silence', () => {
    class Without extends OmitType(User, ['age'] as const) {}
    expect(compileInput(Without, { site: 's' }).warnings).toContainEqual(
      expect.stringMatching(/^Without\.nick: it has @Field alone, .*Add a validator to it/),
    );
  });

  test('what they are made of does not change, and what shares nothing gets nothing', () => {
    PartialType(User);
    class Other {
      @IsString() name!: string;
    }
    expect(described(User)).toEqual(ALL);
    expect(described(Other)).toEqual({ name: undefined });
  });
});
