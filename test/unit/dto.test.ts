import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import * as transformers from 'class-transformer';
import * as validators from 'class-validator';
import * as dto from 'cartouche/dto';
import { loadDecorator } from '../../src/platform/decorators.cjs';
import { readClass } from '../../src/schema/class-input.js';

const names = Object.keys(dto);

describe('cartouche/dto', () => {
  test('has every decorator of class-validator 0.14 and what its own validators need', () => {
    const theirs = Object.keys(validators).filter(
      (name) =>
        /^(Array|Is|M(ax|in)|Contains|Equals|Not|Length|Matches|Validate|Allow)/.test(name) && name in validators,
    );
    const classes = ['Validator', 'ValidationError', 'ValidationTypes'];
    // Newer than 0.14.
    const later = ['IsISO31661Numeric', 'IsISO6391'];
    expect(theirs.filter((name) => !classes.includes(name) && !later.includes(name)).sort()).toEqual(
      names.filter((name) => theirs.includes(name)).sort(),
    );
    expect(names).toEqual(
      expect.arrayContaining(['registerDecorator', 'buildMessage', 'Type', 'Expose', 'Exclude', 'Transform']),
    );
  });

  test.each(names)('%s is the very function of its package', (name) => {
    const theirs: Readonly<Record<string, unknown>> = { ...validators, ...transformers };
    expect(loadDecorator(name)).toBe(theirs[name]);
  });

  test('records what the packages themselves record', () => {
    class Inner {
      @dto.IsInt()
      @dto.Min(1)
      count!: number;
    }
    class Mixed {
      @dto.IsString()
      @validators.MaxLength(5)
      text!: string;

      @dto.ValidateNested()
      @dto.Type(() => Inner)
      inner!: Inner;

      @dto.Expose({ name: 'kept_as' })
      @dto.IsOptional()
      @dto.IsBoolean()
      keptAs?: boolean;
    }
    expect(readClass(Mixed, 'input').schema).toMatchObject({
      properties: {
        text: { type: 'string', maxLength: 5 },
        inner: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } } },
        kept_as: { type: 'boolean' },
      },
      required: ['text', 'inner'],
    });
  });

  test('a server with DTO classes loads the validators it uses, and neither package whole', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [resolve(__dirname, '../support/register.cjs'), resolve(__dirname, '../support/dto-loads.ts')],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      tools: ['say'],
      whole: [],
      phoneNumbers: false,
      validators: expect.arrayContaining(['isEmail']),
    });
  });
});
