import { Describe, Field, inputSchemaFor, IntersectionType, OmitType, PartialType, validateArguments } from 'cartouche';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsInt, IsString, Max, MinLength } from 'class-validator';

class Article {
  /** What it is called on the shelf. */
  @IsString()
  name!: string;

  @Expose({ name: 'unit_price' })
  @Describe('In cents.')
  @IsInt()
  unitPrice!: number;

  @Transform(({ value }) => String(value).toUpperCase())
  @Field({ examples: ['DE'], pattern: '^[A-Z]{2}$' })
  @IsString()
  country = 'DE';

  // Typed by hand, for what no decorator says.
  @Field({ type: ['string', 'number'], description: 'A code, or its number.' })
  code!: string | number;

  @Exclude()
  @IsString()
  margin = 'secret';
}

class Page {
  @IsInt()
  @Max(100)
  limit = 10;
}

/** Each part of an article, and a page. */
class Search extends IntersectionType(PartialType(OmitType(Article, ['code'])), Page) {}

console.dir(inputSchemaFor(Search), { depth: null });
console.log(validateArguments(Search, { unit_price: '250', country: 'no', limit: 5 }));

class Password {
  @IsString({ always: true })
  @MinLength(12, { groups: ['admin'] })
  text!: string;
}

for (const groups of [['user'], ['admin']]) {
  try {
    console.log(groups, validateArguments(Password, { text: 'hunter2' }, { groups }));
  } catch (error) {
    console.log(groups, (error as Error).message);
  }
}
