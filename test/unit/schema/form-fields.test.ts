import type { JsonSchema } from '../../../src/core/json-schema.js';
import { allowsNull, formField, olderField } from '../../../src/schema/forms/form-dialect.js';

const FLAT = 'a form is flat. Move its properties up, or ask for it in a form of its own';
const ALTERNATIVES = 'a form is flat and has no alternatives. Ask for one of them, or for it in a form of its own';
const UNKNOWN = 'its type is not known. A form has texts, numbers, booleans and choices: give it one of these';
const CHOICE = 'a choice in a form is among texts. Offer texts, or a number or boolean';
const LISTS = 'a form has lists of given values only. Say which with @IsIn([…], { each: true }), or ask for a text';

test.each<[JsonSchema, JsonSchema, coerces?: boolean]>([
  [{ type: 'string' }, { type: 'string' }],
  [
    { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 2, default: 'x', pattern: '^x' },
    { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 2, default: 'x' },
  ],
  [
    { type: 'string', format: 'email' },
    { type: 'string', format: 'email' },
  ],
  [
    { type: 'string', format: 'uri' },
    { type: 'string', format: 'uri' },
  ],
  [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date' },
  ],
  [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date-time' },
  ],
  [{ type: 'string', format: 'uuid' }, { type: 'string' }],
  [
    { type: 'number', multipleOf: 2, default: 4 },
    { type: 'number', default: 4 },
  ],
  [
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'number', minimum: 0, maximum: 1 },
  ],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'number', minimum: 0, maximum: 1 },
  ],
  [
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 },
    { type: 'integer', minimum: 1, maximum: 8 },
  ],
  [
    { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 8.5 },
    { type: 'integer', minimum: 1, maximum: 8 },
  ],
  [
    { type: 'integer', minimum: 3, exclusiveMinimum: 0 },
    { type: 'integer', minimum: 3 },
  ],
  [
    { type: 'integer', maximum: 3, exclusiveMaximum: 9 },
    { type: 'integer', maximum: 3 },
  ],
  [{ type: 'number', exclusiveMinimum: true, exclusiveMaximum: '5' }, { type: 'number' }],
  [
    { type: 'boolean', default: false, title: 'B' },
    { type: 'boolean', title: 'B', default: false },
  ],
  [{ type: 'boolean', enum: [true] }, { type: 'boolean' }],
  [{ type: 'object' }, { problem: FLAT }],
  [{ $ref: '#/$defs/a' }, { problem: ALTERNATIVES }],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { problem: ALTERNATIVES }],
  [{ oneOf: [{ type: 'string' }] }, { problem: ALTERNATIVES }],
  [{}, { problem: UNKNOWN }],
  [{ type: ['string', 'number'] }, { problem: UNKNOWN }],
  // Null is left out: an empty field says it.
  [
    { type: ['string', 'null'], minLength: 1 },
    { type: 'string', minLength: 1 },
  ],
  [{ type: ['null', 'integer'] }, { type: 'integer' }],
  [{ type: ['string', 'number', 'null'] }, { problem: UNKNOWN }],
  [
    { anyOf: [{ type: 'boolean' }, { type: 'null' }], title: 'B' },
    { type: 'boolean', title: 'B' },
  ],
  [{ anyOf: [{ type: 'null' }, { type: 'number', minimum: 1 }] }, { type: 'number', minimum: 1 }],
  [
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', enum: ['a'] },
  ],
  // Choices.
  [
    { type: 'string', enum: ['a', 'b'], default: 'b' },
    { type: 'string', enum: ['a', 'b'], default: 'b' },
  ],
  [{ enum: ['a'] }, { type: 'string', enum: ['a'] }],
  [
    { const: 'a', description: 'D' },
    { type: 'string', description: 'D', enum: ['a'] },
  ],
  [
    { enum: ['a'], enumNames: ['A'] },
    { type: 'string', enum: ['a'], enumNames: ['A'] },
  ],
  [
    { enum: ['a', 'b'], enumNames: ['A'] },
    { type: 'string', enum: ['a', 'b'] },
  ],
  [
    { enum: ['a'], enumNames: 'A' },
    { type: 'string', enum: ['a'] },
  ],
  [
    { enum: ['a', 'b'], enumTitles: { a: 'A', b: 5 } },
    {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    },
  ],
  [
    { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }], default: 'a' },
    {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
      default: 'a',
    },
  ],
  [{ anyOf: [{ const: 'a', title: 7 }] }, { type: 'string', oneOf: [{ const: 'a', title: 'a' }] }],
  [{ type: 'string', oneOf: [] }, { type: 'string' }],
  [{ type: 'string', oneOf: [{ const: 'a' }, { const: 1 }] }, { type: 'string' }],
  [{ type: 'string', oneOf: [{ const: 'a' }, true] }, { type: 'string' }],
  [{ enum: [1, 2], default: 2 }, { type: 'string', enum: ['1', '2'], default: '2' }, true],
  [{ enum: [1, 2] }, { problem: CHOICE }, false],
  [{ enum: ['a', 1] }, { problem: CHOICE }, true],
  [{ enum: [true] }, { problem: CHOICE }, true],
  [
    { enum: ['a'], default: null },
    { type: 'string', enum: ['a'] },
  ],
  [
    { enum: ['a'], default: ['a'] },
    { type: 'string', enum: ['a'] },
  ],
  // Lists.
  [
    { type: 'array', items: { enum: ['a'] }, minItems: 1, maxItems: 2, uniqueItems: true, title: 'L' },
    { type: 'array', title: 'L', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 2 },
  ],
  [
    { type: 'array', items: { enum: [1, 2] }, default: [1] },
    { type: 'array', items: { type: 'string', enum: ['1', '2'] }, default: ['1'] },
    true,
  ],
  [
    { type: 'array', items: { enum: ['a'] }, default: 'a' },
    { type: 'array', items: { type: 'string', enum: ['a'] } },
  ],
  [
    { type: 'array', items: { enum: ['a'] }, enumTitles: { a: 'A' } },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  ],
  [
    { type: 'array', items: { oneOf: [{ const: 'a', title: 'A' }] } },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  ],
  [{ type: 'array', items: { enum: [1] } }, { problem: CHOICE }, false],
  [{ type: 'array', items: { type: 'string' } }, { problem: LISTS }],
  [{ type: 'array', items: true }, { problem: LISTS }],
  [{ type: 'array' }, { problem: LISTS }],
])('%j is the field %j', (schema, field, coerces = true) => {
  const before = JSON.stringify(schema);
  expect(formField(schema, coerces)).toStrictEqual(field);
  expect(JSON.stringify(schema)).toBe(before);
});

test.each<[JsonSchema, boolean]>([
  [{ type: ['string', 'null'] }, true],
  [{ type: ['string', 'number'] }, false],
  [{ type: 'null' }, false],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, true],
  [{ anyOf: [{ type: 'string' }] }, false],
  [{}, false],
])('%j takes null: %j', (schema, expected) => {
  expect(allowsNull(schema)).toBe(expected);
});

test.each<[JsonSchema, JsonSchema | undefined]>([
  [{ type: 'array', items: {} }, undefined],
  [
    { type: 'string', default: 'x', minLength: 1 },
    { type: 'string', minLength: 1 },
  ],
  [{ type: 'number', default: 1 }, { type: 'number' }],
  [
    { type: 'boolean', default: true },
    { type: 'boolean', default: true },
  ],
  [{ type: 'boolean' }, { type: 'boolean' }],
  [
    { type: 'string', title: 'T', oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
    { type: 'string', title: 'T', enum: ['a'], enumNames: ['A'] },
  ],
  [
    { type: 'string', enum: ['a'], enumNames: ['A'] },
    { type: 'string', enum: ['a'], enumNames: ['A'] },
  ],
])('before 2025-11-25 the field %j is %j', (field, older) => {
  expect(olderField(field)).toStrictEqual(older);
});
