import { inputSchemaFor, validateArguments } from 'cartouche';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

class Circle {
  @IsInt()
  radius!: number;
}

class Path {
  // A list of texts: what has `each` is for the elements, the rest for the list.
  @IsString({ each: true })
  @ArrayMaxSize(9)
  steps!: string[];
}

class Drawing {
  @IsString()
  name!: string;

  // One of two classes, told apart by `kind`.
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'circle', value: Circle },
        { name: 'path', value: Path },
      ],
    },
  })
  shape!: Circle | Path;

  // A class that holds itself.
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Drawing)
  layers?: Drawing[];
}

const { properties, $defs } = inputSchemaFor(Drawing);
console.dir(properties, { depth: null });
console.log(Object.keys($defs as object));

const shape = { kind: 'path', steps: ['north'] };
const drawing = await validateArguments(Drawing, { name: 'a', shape, layers: [{ name: 'b', shape }] });
console.log(drawing.shape instanceof Path, drawing.layers?.[0] instanceof Drawing);

for (const wrong of [{ kind: 'square' }, { kind: 'circle', radius: 1, steps: [] }]) {
  try {
    await validateArguments(Drawing, { name: 'a', shape: wrong });
  } catch (error) {
    console.log((error as Error).message);
  }
}
