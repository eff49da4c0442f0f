import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min, MinLength, ValidateNested } from 'class-validator';
import { Describe } from '../../../decorators/describe.js';
import { inputSchemaFor, validateArguments } from '../../../src/schema/dto.js';
import { IntersectionType, OmitType, PartialType, PickType } from '../../../src/schema/read/mapped-types.js';

class Address {
  @IsString() city!: string;
}

class User {
  /** What the user is called. */
  @IsString() @MinLength(2) name = 'nobody';
  @Describe('In years.') @IsInt() @Min(0) age!: number;
  @ValidateNested() @Type(() => Address) home!: Address;
  @Expose({ name: 'e_mail' }) @Transform(({ value }) => String(value).trim()) @IsString() email!: string;
}

class Audit {
  @IsOptional() @IsString() reason?: string;
}

const propertiesOf = (cls: new () => object): Record<string, object> =>
  inputSchemaFor(cls).properties as Record<string, object>;

describe('classes that are made of classes', () => {
  test('keep validators, types, names, transforms, descriptions and initial values', () => {
    class Update extends PartialType(User) {}
    expect(propertiesOf(Update)).toEqual(propertiesOf(User));
    expect(inputSchemaFor(Update).required).toBeUndefined();
    const made = validateArguments(Update, { e_mail: ' a ', home: { city: 'x' }, age: null }) as Update;
    expect(made).toMatchObject({ name: 'nobody', email: 'a' });
    expect(made.home).toBeInstanceOf(Address);
    expect(made.age).toBeUndefined();
    expect(() => validateArguments(Update, { age: -1 })).toThrow('age');
  });

  test('pick and leave out, and a subclass may add its own', () => {
    class Named extends PickType(User, ['name', 'age'] as const) {
      @IsInt() level!: number;
    }
    expect(Object.keys(propertiesOf(Named))).toEqual(['name', 'age', 'level']);
    expect(Object.keys(propertiesOf(OmitType(User, ['home', 'email'])))).toEqual(['name', 'age']);
    expect(new (OmitType(User, ['name']))()).not.toHaveProperty('name');
    expect(propertiesOf(Named).name).toMatchObject({ description: 'What the user is called.' });
  });

  test('join', () => {
    class Both extends IntersectionType(PickType(User, ['name']), Audit) {}
    expect(Object.keys(propertiesOf(Both))).toEqual(['name', 'reason']);
    expect(validateArguments(Both, { reason: 'x' })).toMatchObject({ name: 'nobody', reason: 'x' });
  });

  test('do not change what they were made of', () => {
    const before = JSON.stringify(inputSchemaFor(User));
    PartialType(User);
    class Fresh extends User {}
    expect(JSON.stringify(inputSchemaFor(Fresh))).toBe(before);
  });
});
