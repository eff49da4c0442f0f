import { inputSchemaFor } from 'cartouche';
import { IsDate, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';

class Span {
  @IsDate()
  from = new Date();
}

class Search {
  @IsDate()
  since = new Date();

  @IsInt()
  at = Date.now();

  @IsInt()
  seconds = Math.floor(Date.now() / 1000);

  @IsString()
  text = new Date().toISOString();

  @ValidateNested()
  span: Span = new Span();

  @IsDate()
  epoch = new Date(0);

  @IsNumber()
  limit = 1_700_000_000;

  @IsInt()
  day = 86_400_000;
}

test('a time that an initialiser reads off the clock is no default to publish, however fast two instances are made', () => {
  // The whole reading falls into one millisecond.
  jest.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') });
  try {
    const { properties, required } = inputSchemaFor(Search);
    const defaults = Object.entries(properties as Record<string, { default?: unknown }>)
      .filter(([, schema]) => 'default' in schema)
      .map(([name, schema]) => [name, schema.default]);
    expect(defaults).toEqual([
      ['epoch', '1970-01-01T00:00:00.000Z'],
      ['limit', 1_700_000_000],
      ['day', 86_400_000],
    ]);
    expect(required).toBeUndefined();
  } finally {
    jest.useRealTimers();
  }
});
