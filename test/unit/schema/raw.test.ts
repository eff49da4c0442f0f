import { ConfigurationError, InvalidArgumentsError } from '../../../src/core/errors.js';
import type { JsonSchema } from '../../../src/core/json-schema.js';
import { compileInput, type SchemaOptions } from '../../../src/schema/input.js';
import { sharedData, testWith } from '../../support/shared-data.js';
import { Fuzz } from './fuzz.js';

const site = 'Tools.call';
const draft07 = 'http://json-schema.org/draft-07/schema#';
const latest = 'https://json-schema.org/draft/2020-12/schema';
const engines = { ajv: true, interpreter: false };

function issuesOf(schema: JsonSchema, value: unknown, options: Partial<SchemaOptions> = {}) {
  try {
    compileInput(schema, { site, ...options }).validate(value);
    return [];
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error.data;
    throw error;
  }
}

const findingsOf = (schema: JsonSchema): readonly string[] => {
  try {
    compileInput(schema, { site });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings;
    throw error;
  }
};

describe('a raw schema reaches the wire as it was written', () => {
  const schema = {
    $schema: latest,
    type: 'object',
    $defs: { address: { $anchor: 'addr', type: 'object', properties: { city: { type: 'string' } } } },
    properties: {
      home: { $ref: '#addr' },
      kind: { enum: ['a', 'b'] },
      size: { type: 'integer', 'x-mcp-header': 'Size' },
    },
    allOf: [{ if: { properties: { kind: { const: 'a' } } }, then: { required: ['home'] }, else: { minProperties: 0 } }],
    additionalProperties: false,
  };

  test('with every keyword, frozen, while the author’s own stays his', () => {
    const input = compileInput(schema, { site });
    expect(input.schema).toEqual(schema);
    expect(input.schema).not.toBe(schema);
    expect(Object.isFrozen((input.schema.properties as { home: object }).home)).toBe(true);
    expect(Object.isFrozen(schema)).toBe(false);
    expect(input.headerParams).toEqual([{ header: 'Size', path: ['size'], type: 'integer' }]);
  });

  test.each(Object.entries(engines))('and is checked, arguments are given as they came (%s)', (_, codegen) => {
    const value = { kind: 'b', size: 5 };
    expect(compileInput(schema, { site, codegen }).validate(value)).toBe(value);
    const missing = issuesOf(schema, { kind: 'a' }, { codegen });
    expect(missing).toContainEqual({ loc: 'home', type: 'missing', msg: 'is required' });
    expect(issuesOf(schema, { kind: 'b', size: '5' }, { codegen })[0]?.msg).toBe('expected integer');
    expect(issuesOf(schema, { kind: 'b', sise: 5 }, { codegen })[0]).toMatchObject({
      loc: 'sise',
      type: 'extra_forbidden',
    });
  });
});

describe('dialects', () => {
  const tuple = (keyword: string, extra: object): JsonSchema => ({
    type: 'object',
    properties: { at: { type: 'array', [keyword]: [{ type: 'integer' }], ...extra } },
  });
  test.each(Object.entries(engines))('each schema is read in its own (%s)', (_, codegen) => {
    const old = { $schema: draft07, ...tuple('items', { additionalItems: false }), definitions: { x: true } };
    const modern = { $schema: latest, ...tuple('prefixItems', { items: false }) };
    for (const schema of [old, modern]) {
      expect(issuesOf(schema, { at: [1] }, { codegen })).toEqual([]);
      expect(issuesOf(schema, { at: ['x'] }, { codegen })).not.toEqual([]);
      expect(issuesOf(schema, { at: [1, 2] }, { codegen })).not.toEqual([]);
    }
  });

  test('an unknown one is an error when the layer is built', () => {
    expect(findingsOf({ $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' })).toEqual([
      expect.stringContaining('Tools.call: input $schema "http://json-schema.org/draft-04/schema#" is not supported.'),
    ]);
  });

  test('unknown formats and keywords are no error and no output', () => {
    const spies = (['log', 'warn', 'error'] as const).map((level) => jest.spyOn(console, level));
    expect(
      issuesOf({ type: 'object', properties: { n: { type: 'integer', format: 'uint', 'x-ui': 1 } } }, { n: 1 }),
    ).toEqual([]);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});

describe('what cannot work is found when the layer is built', () => {
  const within = (property: unknown): JsonSchema => ({ type: 'object', properties: { p: property } });
  test.each<[string, JsonSchema, RegExp]>([
    ['a root that is no object', { type: 'string' }, /root is not of type 'object'/],
    ['a reference to the network', within({ $ref: 'https://example.com/schema.json' }), /leads out of the schema/],
    ['a reference to nothing', within({ $ref: '#/$defs/gone' }), /leads nowhere/],
    ['an anchor that is not there', within({ $ref: '#gone' }), /leads nowhere/],
    ['a pattern that is none', within({ pattern: '(' }), /not a regular expression/],
    ['a pattern for names that is none', within({ patternProperties: { '(': true } }), /not a regular expression/],
    ['a type that is none', within({ type: 'strng' }), /unknown type "strng"/],
    ['a bound that is no number', within({ minimum: '1' }), /minimum of properties.p is not a number/],
    ['a function', within({ type: 'string', validate: () => true }), /holds a function/],
    ['a header on a number', within({ type: 'number', 'x-mcp-header': 'N' }), /Only string, integer and boolean/],
    ['a header with a space', within({ type: 'string', 'x-mcp-header': 'a b' }), /not a header name/],
    [
      'a header in a list',
      within({ type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } }),
      /properties alone/,
    ],
  ])('%s', (_, schema, finding) => {
    expect(findingsOf(schema).join('\n')).toMatch(finding);
  });

  test('a header that is used twice, in either case', () => {
    const header = (name: string) => ({ type: 'string', 'x-mcp-header': name });
    const schema = {
      type: 'object',
      properties: { a: header('Region'), b: { type: 'object', properties: { c: header('REGION') } } },
    };
    expect(findingsOf(schema).join()).toContain('is used twice');
  });

  test('a cycle of objects, and a schema without end', () => {
    const cycle: Record<string, unknown> = { type: 'object' };
    cycle.properties = { self: cycle };
    expect(findingsOf(cycle).join()).toContain('contains itself');
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 300; i++) deep = { not: deep };
    expect(findingsOf({ type: 'object', properties: { p: deep } }).join()).toContain('nests more than');
  });
});

describe('no input makes a raw schema work for long', () => {
  const forked = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' } },
    $defs: {
      node: {
        type: 'object',
        anyOf: ['l', 'r', 's'].map((key) => ({
          properties: { c: { $ref: '#/$defs/node' } },
          required: ['never', key],
        })),
      },
    },
  };
  const deep = (levels: number): unknown => {
    let value: unknown = {};
    for (let i = 0; i < levels; i++) value = { c: value };
    return value;
  };
  test.each(Object.entries(engines))('alternatives that double at every level (%s)', (_, codegen) => {
    const schema = {
      ...forked,
      $defs: {
        node: {
          anyOf: [
            { properties: { c: { $ref: '#/$defs/node' } }, required: ['x'] },
            { properties: { c: { $ref: '#/$defs/node' } }, required: ['y'] },
          ],
        },
      },
    };
    expect(issuesOf(schema, { tree: deep(90) }, { codegen })).toEqual([
      { loc: '', type: 'too_complex', msg: 'is too complex to check' },
    ]);
    expect(issuesOf(schema, { tree: deep(3) }, { codegen })[0]?.type).not.toBe('too_complex');
  });

  test.each(Object.entries(engines))('nesting without end (%s)', (_, codegen) => {
    expect(issuesOf({ type: 'object' }, { tree: deep(5_000) }, { codegen })[0]?.type).toBe('too_deep');
  });

  test('a hundred thousand objects that have to differ are compared in one pass', () => {
    const schema = { type: 'object', properties: { v: { type: 'array', uniqueItems: true } } };
    const list = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    expect(issuesOf(schema, { v: list })).toEqual([]);
    expect(issuesOf(schema, { v: [...list, { i: 7 }] })[0]?.type).toBe('uniqueItems');
    expect(issuesOf(schema, { v: list }, { codegen: false })[0]?.type).toBe('too_many_items');
    expect(
      issuesOf(schema, {
        v: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      })[0]?.type,
    ).toBe('uniqueItems');
  });

  test('an endless loop of references', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    };
    for (const codegen of [true, false]) expect(issuesOf(schema, { a: 1 }, { codegen })[0]?.type).toBe('too_complex');
  });
});

describe('what is said of raw arguments', () => {
  test.each(Object.entries(engines))('never a value of the input (%s)', (_, codegen) => {
    const schema = {
      type: 'object',
      properties: {
        a: { const: 'x' },
        b: { enum: ['y'] },
        c: { maximum: 1 },
        d: { pattern: '^z' },
        e: { type: 'boolean' },
        f: { format: 'email' },
        g: { maxLength: 2 },
        h: { anyOf: [{ const: 1 }, { const: 2 }] },
      },
    };
    const secret = 'hunter2';
    const issues = issuesOf(
      schema,
      { a: secret, b: secret, c: 31337, d: secret, e: secret, f: secret, g: secret, h: secret },
      { codegen },
    );
    expect(issues.map(({ loc }) => loc)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']));
    expect(JSON.stringify(issues)).not.toMatch(/hunter2|31337/);
  });
});

describe('arguments as some hosts send them', () => {
  const schema = {
    type: 'object',
    properties: { items: { type: 'array' }, body: { type: 'string' }, any: {} },
    additionalProperties: false,
  };
  test('JSON text for a list is refused, unless the tool accepts it; a text stays a text', () => {
    const value = { items: '[1]', body: '[1,2]', any: '[3]' };
    expect(issuesOf(schema, value)).toEqual([{ loc: 'items', type: 'array_type', msg: 'expected array' }]);
    const accepted = compileInput(schema, { site, acceptJsonText: true }).validate(value);
    expect(accepted).toEqual({ items: [1], body: '[1,2]', any: '[3]' });
    expect(value.items).toBe('[1]');
  });

  test('an injected argument is refused, unless the tool is open', () => {
    const value = { body: 'x', task_progress: '- [ ] step' };
    expect(issuesOf(schema, value)).toEqual([{ loc: 'task_progress', type: 'extra_forbidden', msg: 'is not allowed' }]);
    expect(compileInput(schema, { site, openArguments: true }).validate(value)).toEqual({ body: 'x' });
  });
});

describe('real tools', () => {
  const data = sharedData('realworld/github-tools-list.json');

  testWith(data)('their schemas are kept, and both engines give the same verdicts', () => {
    const { tools } = JSON.parse(data!) as { tools: { name: string; inputSchema: JsonSchema }[] };
    for (const { name, inputSchema } of tools) {
      const ajv = compileInput(inputSchema, { site: name });
      const interpreter = compileInput(inputSchema, { site: name, codegen: false });
      expect(ajv.schema).toEqual(inputSchema);
      const fuzz = new Fuzz(name.length);
      const properties = Object.keys(inputSchema.properties as object);
      const seed = Object.fromEntries(properties.map((key) => [key, fuzz.value()]));
      for (let n = 0; n < 10; n++) {
        const value = fuzz.mutate(seed);
        const verdicts = [ajv, interpreter].map(({ validate }) => {
          try {
            validate(value);
            return true;
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidArgumentsError);
            return false;
          }
        });
        expect([name, value, ...verdicts]).toEqual([name, value, verdicts[0], verdicts[0]]);
      }
    }
  });
});
