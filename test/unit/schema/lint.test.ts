import { IsInt, IsOptional, IsString } from 'class-validator';
import { inputSchemaFor } from '../../../src/schema/dto.js';
import type { Host } from '../../../src/schema/hosts/host-rules.js';
import { lintSchema, portabilityWarnings } from '../../../src/schema/hosts/lint.js';

class Search {
  @IsString() query!: string;
  @IsOptional() @IsInt() limit?: number;
}

const refused = (schema: object, host: Host): string[] =>
  lintSchema(schema as never, host)
    .filter(({ effect }) => effect === 'refuse')
    .map(({ path, message }) => `${path}: ${message}`);

describe('what hosts refuse', () => {
  test('a class’s own schema passes everywhere but where every property has to be required', () => {
    const schema = inputSchemaFor(Search);
    for (const host of ['claude', 'openai', 'vscode', 'bedrock', 'gemini'] as const)
      expect(refused(schema, host)).toEqual([]);
    expect(refused(schema, 'openai-strict')).toEqual([': openai-strict refuses the optional property "limit"']);
    expect(lintSchema(schema, 'gemini')).toEqual([
      { path: '', effect: 'drop', message: 'gemini ignores the keyword additionalProperties' },
    ]);
  });

  test.each<[Host, object, string]>([
    ['claude', { type: 'object', properties: { 'a<': {} }, anyOf: [] }, 'anyOf at the root'],
    ['claude', { type: 'object', properties: { 'StartTime<': {} } }, '"StartTime<"'],
    ['openai', { type: 'object' }, 'without properties'],
    [
      'openai',
      { type: 'object', properties: { a: { type: 'array' } } },
      'properties.a: openai refuses an array without items',
    ],
    ['vscode', { type: 'object', properties: { a: { type: 'array' } } }, 'an array without items'],
    [
      'openai-strict',
      { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false },
      'without a type',
    ],
    ['openai-strict', { type: 'object', properties: {}, additionalProperties: true }, 'additionalProperties: false'],
    ['gemini', { type: 'object', properties: { a: { type: 'integer', enum: [1] } } }, 'not texts'],
    ['gemini', { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } }, 'the keyword $ref'],
    ['bedrock', { type: 'object', oneOf: [] }, 'oneOf at the root'],
    ['claude', { type: 'object', properties: { a: { enum: [] } } }, 'an enum without values'],
  ])('%s: %j', (host, schema, problem) => {
    expect(refused(schema, host).join('\n')).toContain(problem);
  });

  test('data that looks like a schema is not judged', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: { anyOf: [], enum: [] } } } };
    expect(refused(schema, 'claude')).toEqual([]);
  });

  test('an unknown host is a mistake of the caller', () => {
    expect(() => lintSchema({}, 'emacs' as Host)).toThrow('Use one of claude, openai');
  });
});

describe('warnings when a layer is built', () => {
  const warn = (exposedName: string, inputSchema: object): string[] =>
    portabilityWarnings({ site: 'Tools.call', exposedName, inputSchema: inputSchema as never });

  test('a portable tool has none', () => {
    expect(warn('count_assets', inputSchemaFor(Search))).toEqual([]);
  });

  test('a raw schema keeps its list without items, and the warning says where it is', () => {
    const list = { type: ['array', 'null'] };
    expect(
      portabilityWarnings({
        site: 'Tools.call',
        exposedName: 'find',
        inputSchema: { type: 'object', properties: { a: { type: 'array' }, b: { type: 'array', items: {} } } },
        outputSchema: { type: 'object', properties: { c: list } },
      }),
    ).toEqual([
      expect.stringContaining('an array without items (input.properties.a), which OpenAI, Gemini and VS Code refuse'),
      expect.stringContaining('an array without items (output.properties.c)'),
    ]);
    expect(refused({ type: 'object', properties: { c: list } }, 'openai')).toHaveLength(1);
  });

  test('each names tool and place', () => {
    const warnings = [
      ...warn('x'.repeat(65), { type: 'object' }),
      ...warn('admin.list', { type: 'object' }),
      ...warn('find', { type: 'object', properties: { $top: { enum: [] } }, anyOf: [{ required: ['id'] }] }),
    ];
    expect(warnings).toEqual([
      expect.stringContaining('has a name of 65 characters'),
      expect.stringContaining('"admin.list" has a dot'),
      expect.stringContaining('"find" has anyOf at the root'),
      expect.stringContaining('the argument "$top" (input)'),
      expect.stringContaining('an enum without values (input.properties.$top)'),
    ]);
    for (const warning of warnings) expect(warning).toMatch(/^Tools\.call: the tool "[^"]+" .+\. .+\.$/);
  });
});
