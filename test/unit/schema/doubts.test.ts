import { Allow, Equals, IsArray, IsBoolean, IsBooleanString, IsDate, IsDateString, IsEnum, IsIn, IsInt, IsNotEmpty, IsNumber, IsNumberString, IsObject, IsOptional, IsString, MaxLength, Min } from 'class-validator'; // prettier-ignore
import { Transform, Type } from 'class-transformer';
import { z } from 'zod';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import { ConfigurationError } from '../../../src/core/errors.js';
import { portabilityWarnings } from '../../../src/schema/hosts/lint.js';
import { compileInput, type InputSource } from '../../../src/schema/input.js';
import { compileOutput } from '../../../src/schema/output.js';

const site = 'Tools.call';
const warningsOf = (cls: Class): readonly string[] => compileInput(cls, { site }).warnings;

function findingsOf(source: InputSource): readonly string[] {
  try {
    compileInput(source, { site });
    return [];
  } catch (error) {
    return (error as ConfigurationError).findings;
  }
}

describe('a choice that no value can meet', () => {
  enum Nothing {}

  class Choices {
    @IsIn([]) none!: string;
    @IsEnum(Nothing) enumeration!: string;
    @IsIn(['a'], { each: true }) fine!: string[];
    @IsIn([], { each: true }) elements!: string[];
    @IsIn(['a', 'b']) @IsIn(['c']) apart!: string;
    @IsString() @Field({ enum: [] }) laid!: string;
    @Field({ type: 'string', enum: [] }) whole!: string;
    @IsOptional() @IsIn([null]) nothing?: string | null;
  }

  test('is a finding that names class and property', () => {
    const chosen = (property: string): string =>
      `Choices.${property}: no value can meet its validators, which leave none to choose from. List the values. [CT328]`;
    const written = (property: string): string =>
      `Choices.${property}: no value can meet its enum, which is empty. List the values. [CT328]`;
    expect(findingsOf(Choices)).toEqual([
      chosen('none'),
      chosen('enumeration'),
      chosen('elements'),
      chosen('apart'),
      written('laid'),
      written('whole'),
    ]);
  });
});

describe('what hosts do not take of a choice', () => {
  const warn = (source: InputSource): readonly string[] => {
    const { schema: inputSchema } = compileInput(source, { site });
    return portabilityWarnings({ site, exposedName: 'call', inputSchema });
  };

  class Chosen {
    @IsIn(['a', '']) blank!: string;
    @IsIn(['a', 1]) mixed!: unknown;
    @IsIn(['a', 'b']) fine!: string;
    @IsIn([1, 2]) numbers!: number;
  }

  test('an empty text and mixed types are warned of, with their place', () => {
    expect(warn(Chosen)).toEqual([
      'Tools.call: the tool "call" has an enum of mixed types (input.properties.mixed), which Gemini refuses. Use values of one type.',
      'Tools.call: the tool "call" has an enum with the empty text (input.properties.blank), which Gemini refuses. Make it optional instead.',
    ]);
  });

  test('so is a list of types, which is what zod makes of a scalar that may be null', () => {
    const [warning, ...more] = warn(z.object({ a: z.string().nullable(), b: z.string() }));
    expect(more).toEqual([]);
    expect(warning).toContain('has a list of types (input.properties.a), which Gemini refuses. Make it optional');
  });
});

describe('a property whose schema says no type', () => {
  class Untyped {
    @Allow() union!: string | number;
    @IsNotEmpty() filled!: string | number;
    @IsOptional() optional?: unknown;
  }

  test('is a warning with the mend, for arguments and results', () => {
    const expected = ['union', 'filled', 'optional'].map(
      (property) =>
        `Untyped.${property}: it has no type, as a union has none at run time, so models may send anything. Give its schema, such as ` +
        `@Field({ anyOf: [{ type: 'string' }, { type: 'number' }] }), or say that anything may come: @Field(() => Object).`,
    );
    expect(warningsOf(Untyped)).toEqual(expected);
    expect(compileOutput(Untyped, { site }).warnings).toEqual(expected);
  });

  class Typed {
    @Field({ anyOf: [{ type: 'string' }, { type: 'number' }] }) union!: string | number;
    @Allow() @Field({ enum: ['a', 1] }) laid!: string | number;
    @Field(() => Object) anything!: unknown;
    @Allow() @Type(() => Object) typed!: unknown;
    @IsIn(['a', 1]) values!: string | number;
    @Equals('a') constant!: unknown;
    @IsObject() object!: Record<string, unknown>;
  }

  test('is none where somebody said what it may be', () => {
    expect(warningsOf(Typed)).toEqual([]);
  });
});

describe('validators that ask for another type than the declared one', () => {
  class Nested {
    @IsString() name!: string;
  }

  class Contradicted {
    @IsString() number!: number;
    @IsInt() text!: string;
    @IsNumberString() digits!: number;
    @IsBooleanString() flag!: boolean;
    @IsDateString() at!: Date;
    @IsDate() day!: string;
    @IsString({ each: true }) list!: string;
    @IsInt() big!: bigint;
    @MaxLength(3) nested!: Nested;
  }

  test('are a warning with the mend', () => {
    const mend = (property: string, word: string, declared: string, use?: string): string =>
      `Contradicted.${property}: its validators ask for ${word}, but it is declared as ${declared}. ` +
      `${use === undefined ? 'Declare' : `Use ${use}, or declare`} it as what it is.`;
    expect(warningsOf(Contradicted)).toEqual([
      mend('number', 'a text', 'number', '@IsNumber() or @IsInt()'),
      mend('text', 'an integer', 'string', '@IsString()'),
      mend('digits', 'a text', 'number', '@IsNumber() or @IsInt()'),
      mend('flag', 'a text', 'boolean', '@IsBoolean()'),
      mend('at', 'a text', 'Date', '@IsDate()'),
      mend('day', 'a Date', 'string', '@IsString()'),
      mend('list', 'a list', 'string', '@IsString()'),
      mend('big', 'an integer', 'bigint'),
      mend('nested', 'a text', 'Nested', '@ValidateNested()'),
    ]);
  });

  class Agreeing {
    @IsString() text!: string | null;
    @IsInt() @Min(1) count!: number;
    @IsNumber() share!: number;
    @IsBoolean() flag!: boolean;
    @IsDate() at!: Date;
    @IsIn([1, 2]) level!: 1 | 2;
    @IsArray() @IsString({ each: true }) list!: string[];
    @Transform(({ value }) => new Date(value as string)) @IsDateString() made!: Date;
    @Field({ type: 'string' }) @Transform(({ value }) => BigInt(value as string)) big!: bigint;
  }

  class Sent {
    @IsDateString() at!: Date;
    @IsString() n!: number;
  }

  test('are none where they agree, where a transform makes the value, and for what a result is sent as', () => {
    expect(warningsOf(Agreeing)).toEqual([]);
    expect(compileOutput(Sent, { site }).warnings).toEqual([
      'Sent.n: its validators ask for a text, but it is declared as number. Use @IsNumber() or @IsInt(), or declare it as what it is.',
    ]);
  });
});

describe('a class that was imported as a type', () => {
  const emitting = (type: unknown): Class => {
    class Holder {
      @Allow() it!: unknown;
    }
    Reflect.defineMetadata('design:type', type, Holder.prototype, 'it');
    return Holder;
  };

  test('is named as the likely cause', () => {
    expect(findingsOf(emitting(Function))).toEqual([
      'Holder.it: Function (what "import type" leaves of a class) cannot be made from JSON. ' +
        'Import the class without "type", give its schema with @Field({ type: … }), or another type. [CT326]',
    ]);
  });
});
