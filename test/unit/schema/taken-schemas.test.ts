import type { JsonSchema } from '../../../src/core/json-schema.js';
import { checkRawSchema, MAX_LEVELS, MAX_NODES } from '../../../src/schema/raw/checks.js';
import { takeRawSchema } from '../../../src/schema/raw/take.js';

const take = (schema: object, keyword = 'x-word') => takeRawSchema(schema as JsonSchema, keyword);

/** Each keyword that is looked at on the way, with values that are right for it and values that are not. */
const KEYWORDS: Readonly<Record<string, readonly [right: readonly unknown[], wrong: readonly unknown[]]>> = {
  minimum: [
    [0, -1.5],
    ['0', null, true],
  ],
  maximum: [[1], ['1']],
  exclusiveMinimum: [[1], [true]],
  exclusiveMaximum: [[1], [{}]],
  multipleOf: [[2], ['2']],
  minLength: [[0], ['0']],
  maxLength: [[1], [[]]],
  minItems: [[1], ['1']],
  maxItems: [[1], ['1']],
  minProperties: [[1], ['1']],
  maxProperties: [[1], ['1']],
  type: [
    ['string', 'null', ['string', 'null']],
    ['text', 5, ['text'], null],
  ],
  required: [
    [['a'], []],
    ['a', [1], [null]],
  ],
  enum: [[['a', 1, null]], ['a', 5, {}]],
  pattern: [
    ['^a$', '\\p{L}'],
    ['(', 5],
  ],
  patternProperties: [[{ '^a': {} }], [{ '(': {} }]],
  items: [[{}, true, [{}, false]], []],
  additionalProperties: [[{}, false], []],
  properties: [[{ a: {}, b: true }], [[], 'a']],
  $defs: [[{ a: {} }], []],
  allOf: [[[{}]], []],
  anyOf: [[[{}, true]], []],
  oneOf: [[[{}]], []],
  not: [[{}], []],
  $schema: [
    ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'],
    ['https://x', 5],
  ],
  $ref: [['#'], ['#/$defs/nowhere']],
  title: [['t', 5], []],
};

const samples = Object.entries(KEYWORDS).flatMap(([keyword, [right, wrong]]) => [
  ...right.map((value) => [keyword, value, true] as const),
  ...wrong.map((value) => [keyword, value, false] as const),
]);

test.each(samples)('%s: %j is sound: %j, at the top and below', (keyword, value, sound) => {
  for (const schema of [
    { [keyword]: value },
    ...(keyword.startsWith('$')
      ? []
      : [{ properties: { a: { [keyword]: value } } }, { items: [{ [keyword]: value }] }]),
    ...(keyword.startsWith('$') ? [] : [{ additionalProperties: { not: { anyOf: [{ [keyword]: value }] } } }]),
  ]) {
    const { findings } = take(schema);
    expect(findings.length === 0).toBe(sound);
    expect(findings).toEqual(checkRawSchema(schema as JsonSchema));
  }
});

test.each([undefined, () => 1, 5n, Symbol('x')])('a member that is %p is judged as by the full check', (value) => {
  const schema = { properties: { a: { default: value } } };
  expect(take(schema).findings).toEqual(checkRawSchema(schema as JsonSchema));
});

test('a copy is frozen at every level, and keeps keys that every object has', () => {
  const source = JSON.parse('{"properties":{"__proto__":{"type":"string"},"a":{"enum":[1,{"b":null}]}}}') as object;
  const { schema } = take(source);
  expect(schema).not.toBe(source);
  expect(JSON.stringify(schema)).toBe(JSON.stringify(source));
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
  expect(frozen(schema)).toBe(true);
  expect(Object.getPrototypeOf(schema['properties'])).toBe(Object.prototype);
});

test.each<[object, mentions: boolean, hasPatterns: boolean]>([
  [{ type: 'string' }, false, false],
  [{ 'x-word': 1 }, true, false],
  [{ properties: { a: { items: { 'x-word': null } } } }, true, false],
  [{ title: 'x-word', enum: ['x-word'] }, false, false],
  [{ properties: { a: { pattern: 'a' } } }, false, true],
  [{ patternProperties: {} }, false, true],
  [{ anyOf: [{ pattern: 'a' }, { 'x-word': 1 }] }, true, true],
])('%j mentions the keyword: %j, has patterns: %j', (schema, mentions, hasPatterns) => {
  expect(take(schema)).toMatchObject({ mentions, hasPatterns, findings: [] });
});

describe('a schema that is given again', () => {
  test('is not copied again as long as it says the same', () => {
    const source = { type: 'object', properties: { a: { enum: [1, NaN] } }, required: ['a'] };
    expect(take(source)).toBe(take(source));
    expect(take(source, 'x-other')).not.toBe(take(source));
  });

  test.each<[string, (schema: any) => void]>([
    ['a value', (schema) => (schema.type = 'array')],
    ['a deep value', (schema) => (schema.properties.a.enum[1] = 3)],
    ['a key more', (schema) => (schema.properties.b = {})],
    ['a key less', (schema) => delete schema.required],
    ['a key in place of another', (schema) => ((schema.title = schema.type), delete schema.type)],
    ['an item less', (schema) => schema.required.pop()],
    ['a list in place of an object', (schema) => (schema.properties = [])],
    ['an object in place of a list', (schema) => (schema.required = { 0: 'a' })],
    ['null in place of an object', (schema) => (schema.properties = null)],
    ['-0 for 0', (schema) => (schema.minimum = -0)],
  ])('is copied again when %s changed', (_what, change) => {
    const source = { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'], minimum: 0 };
    const before = take(source);
    change(source);
    const after = take(source);
    expect(after).not.toBe(before);
    if (after.findings.length === 0) expect(after.schema).toEqual(source);
  });

  test('is known as long as it is one of the last four', () => {
    const schemas = Array.from({ length: 5 }, (_, index) => ({ title: `schema ${index}` }));
    const [first, second, ...rest] = schemas.map((schema) => take(schema));
    expect(take(schemas[1]!)).toBe(second);
    expect(rest).toHaveLength(3);
    expect(take(schemas[0]!)).not.toBe(first);
  });

  test('is judged again each time when something is wrong with it', () => {
    const wrong = { type: 'text' };
    expect(take(wrong).findings).toEqual(take(wrong).findings);
    expect(take(wrong)).not.toBe(take(wrong));
  });
});

describe('too much of a schema', () => {
  const deep = (levels: number): object => {
    let schema: object = {};
    for (let level = 0; level < levels; level++) schema = { not: schema };
    return schema;
  };

  test.each([
    [MAX_LEVELS, 0],
    [MAX_LEVELS + 1, 1],
  ])('%d levels: %d findings', (levels, findings) => {
    expect(take(deep(levels)).findings).toHaveLength(findings);
  });

  test.each([
    [MAX_NODES - 2, 0],
    [MAX_NODES - 1, 1],
  ])('%d values in a list: %d findings', (values, findings) => {
    // The schema and its list are two more.
    const schema = { enum: Array(values).fill(1) };
    expect(take(schema).findings).toHaveLength(findings);
    expect(take(schema).findings).toEqual(checkRawSchema(schema));
  });

  test('one that holds itself', () => {
    const schema: Record<string, unknown> = {};
    schema['not'] = schema;
    expect(take(schema).findings).toEqual([expect.stringContaining('contains itself')]);
  });
});
