import { ArrayMaxSize, IsArray, IsString, ValidateBy } from 'class-validator';
import type { InvalidArgumentsError } from 'cartouche';
import type { SCHEMA_BOUNDS } from '../../../src/core/bounds/schemas.js';
import { notOneOfMessage, shortName } from '../../../src/schema/base/issues.js';
import type { ValidationLimits } from '../../../src/schema/base/limits.js';
import { compileInput, type InputSource } from '../../../src/schema/input.js';
import { dateFromText, numberFromText } from '../../../src/schema/validate/coerce.js';
import { partsOf, sharedModels } from '../../../src/schema/wire/sizes.js';
import { MAX_CLASS_PARTS } from '../../../src/schema/wire/sizes.js';
import { type Probe, TEXT, works } from './probe.js';

class Listed {
  @IsArray()
  @IsString({ each: true })
  items!: string[];
}

class Told {
  @ValidateBy({ name: 'never', validator: { validate: () => false, defaultMessage: () => told } })
  @ArrayMaxSize(1)
  items!: string[];
}
let told = '';

function takes(source: InputSource, value: unknown, limits: Partial<ValidationLimits>, codegen = true) {
  return works(() => compileInput(source, { site: 'test', codegen }).withLimits(limits).validate(value));
}

function problemsOf(source: InputSource, value: unknown, limits: Partial<ValidationLimits> = {}) {
  try {
    compileInput(source, { site: 'test' }).withLimits(limits).validate(value);
  } catch (error) {
    return (error as InvalidArgumentsError).data as readonly { msg: string }[];
  }
  return [];
}

/** A class of one size, as far as sizes are concerned. */
function modelOf(properties: number, inner?: unknown): never {
  const shapes = Array.from({ length: properties }, () => ({ shape: {} }));
  if (inner !== undefined) shapes[0] = shapes[1] = { shape: { model: inner } };
  return { properties: shapes } as never;
}

export const SCHEMA_PROBES: Readonly<Record<keyof typeof SCHEMA_BOUNDS, Probe>> = {
  maxDepth: {
    limit: 5,
    fits: (count, limit) =>
      takes({ type: 'object' }, JSON.parse('{"a":'.repeat(count) + '1' + '}'.repeat(count)), { maxDepth: limit }),
  },
  maxItems: {
    limit: 5,
    fits: (count, limit) => takes(Listed, { items: Array.from({ length: count }, String) }, { maxItems: limit }),
  },
  maxPatternChars: {
    limit: 20,
    fits: (count, limit) =>
      takes(
        { type: 'object', properties: { s: { type: 'string', pattern: '^x*$' } } },
        { s: TEXT(count) },
        { maxPatternChars: limit },
      ),
  },
  maxIssues: {
    limit: 5,
    fits: (count, limit) => {
      const unknown = Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, 1]));
      return problemsOf(Listed, { items: [], ...unknown }, { maxIssues: limit }).length === count;
    },
  },
  uniqueItems: {
    fits: (count) =>
      takes(
        { type: 'object', properties: { s: { type: 'array', uniqueItems: true, items: {} } } },
        { s: Array.from({ length: count }, (_, i) => i) },
        {},
        false,
      ),
  },
  numberChars: { fits: (count) => numberFromText(`0.${'0'.repeat(count - 2)}`) === 0 },
  dateChars: { fits: (count) => dateFromText(`2020-01-01T00:00:00.${'0'.repeat(count - 21)}Z`) !== undefined },
  messageChars: {
    fits: (count) => {
      told = TEXT(count);
      return problemsOf(Told, { items: [] })[0]?.msg === told;
    },
  },
  issueNameChars: { fits: (count) => shortName(TEXT(count)) === TEXT(count) },
  listedValues: {
    fits: (count) =>
      !notOneOfMessage(
        'none',
        Array.from({ length: count }, (_, i) => i),
      ).includes('in all'),
  },
  schemaLevels: {
    fits: (count) =>
      works(() =>
        compileInput({ type: 'object', default: JSON.parse('['.repeat(count) + ']'.repeat(count)) }, { site: 'test' }),
      ),
  },
  schemaParts: {
    fits: (count) => {
      // Beside the list: the root, its type, its enum's property, that property and the list itself.
      const schema = { type: 'object', properties: { a: { enum: Array.from({ length: count - 5 }, (_, i) => i) } } };
      return works(() => compileInput(schema, { site: 'test' }));
    },
  },
  classParts: { fits: (count) => partsOf(modelOf(count - 1)) <= MAX_CLASS_PARTS },
  partsInPlace: {
    fits: (count) => {
      const inner = modelOf(0);
      // The class, its properties, and the inner one twice.
      return sharedModels(modelOf(count - 3, inner)).size === 0;
    },
  },
};
