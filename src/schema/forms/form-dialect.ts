import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';

/**
 * The few schemas that a client can show as a form: flat, with texts, numbers, booleans and choices.
 * Source: MCP 2025-11-25, "Elicitation", "Requested schema".
 */

/** What is said of a property that no form can show. */
export interface FormProblem {
  readonly problem: string;
}

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

type Part = Readonly<Record<string, unknown>>;

/**
 * One property in the form dialect. What only narrows further (a pattern, a multiple) is left to the validator.
 *
 * @param coerces Whether the validator takes "5" for 5, so that numbers can be offered as a choice.
 */
export function formField(schema: JsonSchema, coerces: boolean): JsonSchema | FormProblem {
  const own = withoutNull(schema);
  const labels = pick(own, ['title', 'description']);
  const choice = choiceOf(own, coerces);
  if (choice !== undefined) {
    if ('problem' in choice) return choice;
    const fallback = isScalar(own.default) ? { default: String(own.default) } : {};
    return { type: 'string', ...labels, ...choice, ...fallback };
  }
  switch (own.type) {
    case 'string': {
      const format = FORMATS.has(own.format) ? { format: own.format } : {};
      return { type: 'string', ...labels, ...pick(own, ['minLength', 'maxLength', 'default']), ...format };
    }
    case 'number':
    case 'integer':
      return { type: own.type, ...labels, ...bounds(own), ...pick(own, ['default']) };
    case 'boolean':
      return { type: 'boolean', ...labels, ...pick(own, ['default']) };
    case 'array':
      return multipleChoice(own, labels, coerces);
    case 'object':
      return { problem: 'a form is flat. Move its properties up, or ask for it in a form of its own' };
    default:
      if (own.$ref !== undefined || own.anyOf !== undefined || own.oneOf !== undefined) {
        return {
          problem: 'a form is flat and has no alternatives. Ask for one of them, or for it in a form of its own',
        };
      }
      return {
        problem: 'its type is not known. A form has texts, numbers, booleans and choices: give it one of these',
      };
  }
}

/** A form cannot send null; leaving the field empty is what it has. */
function withoutNull(schema: Part): Part {
  const { anyOf, type, enum: values } = schema;
  if (Array.isArray(anyOf) && anyOf.length === 2) {
    const [first, second] = anyOf as Part[];
    const around = { ...schema, anyOf: undefined };
    if (second?.type === 'null') return { ...around, ...first };
    if (first?.type === 'null') return { ...around, ...second };
  }
  const plain = Array.isArray(type) && type.length === 2 && type.includes('null');
  return {
    ...schema,
    ...(plain ? { type: (type as unknown[]).find((name) => name !== 'null') } : {}),
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
}

/** Whether null is a value of a property. */
export function allowsNull({ anyOf, type }: JsonSchema): boolean {
  return (
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(anyOf) && (anyOf as Part[]).some((part) => part.type === 'null'))
  );
}

/** The keywords of a choice among given values; `undefined` when it is none. */
function choiceOf(schema: Part, coerces: boolean): JsonSchema | FormProblem | undefined {
  const titled = titledValues(schema.oneOf) ?? titledValues(schema.anyOf);
  if (titled !== undefined) return { oneOf: titled };
  if (schema.type === 'boolean') return undefined;
  const values = Array.isArray(schema.enum)
    ? (schema.enum as unknown[])
    : 'const' in schema
      ? [schema.const]
      : undefined;
  if (values === undefined) return undefined;
  const isText = values.every((value) => typeof value === 'string');
  const isNumeric = coerces && values.every((value) => typeof value === 'number');
  if (!isText && !isNumeric)
    return { problem: 'a choice in a form is among texts. Offer texts, or a number or boolean' };
  const texts = values.map(String);
  const { enumNames: names, enumTitles: titles } = schema;
  if (isRecord(titles)) {
    const titleOf = (value: string): string => (typeof titles[value] === 'string' ? titles[value] : value);
    return { oneOf: texts.map((value) => ({ const: value, title: titleOf(value) })) };
  }
  return { enum: texts, ...(Array.isArray(names) && names.length === texts.length ? { enumNames: names } : {}) };
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function titledValues(alternatives: unknown): JsonSchema[] | undefined {
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const parts = alternatives as Part[];
  if (!parts.every((part) => isRecord(part) && typeof part.const === 'string')) return undefined;
  return parts.map(({ const: value, title }) => ({ const: value, title: typeof title === 'string' ? title : value }));
}

function multipleChoice(schema: Part, labels: Part, coerces: boolean): JsonSchema | FormProblem {
  const items: Part = isRecord(schema.items) ? schema.items : {};
  const choice = choiceOf(isRecord(schema.enumTitles) ? { ...items, enumTitles: schema.enumTitles } : items, coerces);
  if (choice === undefined) {
    return {
      problem: 'a form has lists of given values only. Say which with @IsIn([…], { each: true }), or ask for a text',
    };
  }
  if ('problem' in choice) return choice;
  const { oneOf, enum: values } = choice;
  const { default: fallback } = schema;
  return {
    type: 'array',
    ...labels,
    items: oneOf === undefined ? { type: 'string', enum: values } : { anyOf: oneOf },
    ...pick(schema, ['minItems', 'maxItems']),
    ...(Array.isArray(fallback) ? { default: fallback.map(String) } : {}),
  };
}

/** The dialect has no exclusive bounds; for whole numbers the next one says the same. */
function bounds(schema: Part): JsonSchema {
  const { exclusiveMaximum: below, exclusiveMinimum: above, maximum, minimum, type } = schema;
  const whole = type === 'integer';
  const least = minimum ?? (typeof above === 'number' ? (whole ? Math.floor(above) + 1 : above) : undefined);
  const most = maximum ?? (typeof below === 'number' ? (whole ? Math.ceil(below) - 1 : below) : undefined);
  return { ...(least === undefined ? {} : { minimum: least }), ...(most === undefined ? {} : { maximum: most }) };
}

function pick(schema: Part, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]));
}

/**
 * A field as 2025-06-18 has it: no multiple choice, titles of a choice beside it, a default only for booleans.
 * `undefined` when that revision has no such field.
 */
export function olderField(field: JsonSchema): JsonSchema | undefined {
  if (field.type === 'array') return undefined;
  const { default: fallback, oneOf, ...rest } = field;
  const titled = oneOf as { readonly const: string; readonly title: string }[] | undefined;
  return {
    ...rest,
    ...(titled === undefined
      ? {}
      : { enum: titled.map((value) => value.const), enumNames: titled.map(({ title }) => title) }),
    ...(field.type === 'boolean' && fallback !== undefined ? { default: fallback } : {}),
  };
}
