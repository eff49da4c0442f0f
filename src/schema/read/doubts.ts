import type { JsonSchema } from '../../core/json-schema.js';
import { className, isUserClass } from './dto-class.js';
import type { Kind, Shape } from './model.js';
import { untypedList } from './untyped-list.js';
import type { Direction } from './transformer-metadata.js';

/** What is known of a property beside its shape. */
export interface DoubtFacts {
  /** `@Type` or `@Field(() => …)` names its class, if only as `Object`. */
  readonly named: boolean;
  /** The keywords of `@Field` that assert. */
  readonly overlay: JsonSchema;
  /** The type that the compiler emitted. */
  readonly emitted: unknown;
  /** A `@Transform` makes another value of it before its validators run. */
  readonly transformed: boolean;
  readonly direction: Direction;
}

/** What is doubtful of a property without being wrong, each as "problem. remedy." */
export function doubtsOf(shape: Shape, facts: DoubtFacts): string[] {
  const { named, overlay, transformed } = facts;
  const described = ['items', 'prefixItems', 'unevaluatedItems'].some((keyword) => keyword in overlay);
  return [
    untypedList(shape, { named, described }),
    named ? undefined : untypedValue(shape, overlay),
    transformed ? undefined : contradiction(shape, facts),
  ].filter((doubt) => doubt !== undefined);
}

/** A schema without a type: what the compiler emits of a union is `Object`, which says nothing. */
function untypedValue({ kind, keywords, values }: Shape, overlay: JsonSchema): string | undefined {
  if (kind !== 'any' || values !== undefined) return undefined;
  if (['const', 'enum', 'allOf'].some((keyword) => keyword in keywords || keyword in overlay)) return undefined;
  return (
    'it has no type, as a union has none at run time, so models may send anything. Give its schema, such as ' +
    "@Field({ anyOf: [{ type: 'string' }, { type: 'number' }] }), or say that anything may come: @Field(() => Object)."
  );
}

/** What a kind is called in a message. */
const WORDS: Readonly<Partial<Record<Kind, string>>> = {
  string: 'a text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  date: 'a Date',
  object: 'an object',
  array: 'a list',
  set: 'a Set',
  map: 'a Map',
  class: 'an object',
  union: 'an object',
};

interface Declared {
  readonly name: string;
  /** The kinds that it can hold. */
  readonly kinds: readonly Kind[];
  /** The validator to use for it. */
  readonly use?: string;
}

const DECLARED: ReadonlyMap<unknown, Declared> = new Map<unknown, Declared>([
  [String, { name: 'string', kinds: ['string'], use: '@IsString()' }],
  [Number, { name: 'number', kinds: ['number', 'integer'], use: '@IsNumber() or @IsInt()' }],
  [Boolean, { name: 'boolean', kinds: ['boolean'], use: '@IsBoolean()' }],
  [Date, { name: 'Date', kinds: ['date'], use: '@IsDate()' }],
  [BigInt, { name: 'bigint', kinds: [] }],
]);

const OBJECTS: readonly Kind[] = ['object', 'class', 'union', 'array', 'set', 'map'];

function declaredOf(emitted: unknown): Declared | undefined {
  const known = DECLARED.get(emitted);
  if (known !== undefined || !isUserClass(emitted)) return known;
  return { name: className(emitted), kinds: OBJECTS, use: '@ValidateNested()' };
}

/** Validators that ask for another type than the declared one: a handler would get what its own types deny. */
function contradiction({ kind }: Shape, { direction, emitted }: DoubtFacts): string | undefined {
  const word = WORDS[kind];
  const declared = word === undefined ? undefined : declaredOf(emitted);
  if (declared === undefined || declared.kinds.includes(kind)) return undefined;
  // A result is judged as it is sent, and what these are sent as is their own affair.
  if (direction === 'output' && ![String, Number, Boolean].includes(emitted as never)) return undefined;
  const remedy = declared.use === undefined ? 'Declare' : `Use ${declared.use}, or declare`;
  return `its validators ask for ${word}, but it is declared as ${declared.name}. ${remedy} it as what it is.`;
}
