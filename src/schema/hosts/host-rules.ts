import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { subschemas, type Subschema } from '../raw/walk.js';

/** What a host does about one place of a schema. */
export interface HostObjection {
  /** `refuse`: the tool, or the whole request, is not accepted. `drop`: the keyword is ignored, so the model never sees it. */
  readonly effect: 'refuse' | 'drop';
  readonly problem: string;
}

/** Looks at one schema within a tool's schema; the root has an empty path. */
export type HostRule = (sub: Subschema, root: JsonSchema) => readonly HostObjection[];

const COMPOSITION = ['anyOf', 'oneOf', 'allOf', 'not', 'if'];
/** Source: Anthropic Messages API, `tools.input_schema`: keys that do not match are answered with 400. */
const PORTABLE_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

const refuse = (problem: string): readonly HostObjection[] => [{ effect: 'refuse', problem }];
const NONE: readonly HostObjection[] = [];

/** The composition keywords at a schema's own level. */
export function compositionOf(schema: JsonSchema): string[] {
  return COMPOSITION.filter((keyword) => keyword in schema);
}

/** The property names that some hosts refuse. */
export function unportableKeys(schema: JsonSchema): string[] {
  return isRecord(schema.properties) ? Object.keys(schema.properties).filter((key) => !PORTABLE_KEY.test(key)) : [];
}

const rootComposition: HostRule = ({ schema, path }) => {
  const found = path.length === 0 ? compositionOf(schema) : [];
  return found.length === 0 ? NONE : refuse(`${found.join(', ')} at the root`);
};

const rootObject: HostRule = ({ schema, path }) =>
  path.length === 0 && schema.type !== 'object' ? refuse("a root that is not of type 'object'") : NONE;

const rootProperties: HostRule = ({ schema, path }) =>
  path.length === 0 && !isRecord(schema.properties) ? refuse('a root without properties') : NONE;

const keys: HostRule = ({ schema }) =>
  unportableKeys(schema).map((key) => ({ effect: 'refuse', problem: `the property name ${JSON.stringify(key)}` }));

const emptyEnum: HostRule = ({ schema }) =>
  Array.isArray(schema.enum) && schema.enum.length === 0 ? refuse('an enum without values') : NONE;

/** Whether a schema is of a list and does not say what the list holds. */
export function lacksItems({ type, items }: JsonSchema): boolean {
  return items === undefined && (type === 'array' || (Array.isArray(type) && type.includes('array')));
}

const listWithoutItems: HostRule = ({ schema }) => (lacksItems(schema) ? refuse('an array without items') : NONE);

const drops =
  (keywords: readonly string[]): HostRule =>
  ({ schema }) =>
    keywords.filter((key) => key in schema).map((key) => ({ effect: 'drop', problem: `the keyword ${key}` }));

const refuses =
  (keywords: readonly string[]): HostRule =>
  ({ schema }) =>
    keywords.filter((key) => key in schema).map((key) => ({ effect: 'refuse', problem: `the keyword ${key}` }));

const closedObjects: HostRule = ({ schema }) =>
  schema.type === 'object' && schema.additionalProperties !== false
    ? refuse('an object without additionalProperties: false')
    : NONE;

const everythingRequired: HostRule = ({ schema }) => {
  if (!isRecord(schema.properties)) return NONE;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const optional = Object.keys(schema.properties).filter((key) => !required.includes(key));
  return optional.map((key) => ({ effect: 'refuse', problem: `the optional property ${JSON.stringify(key)}` }));
};

const typed: HostRule = ({ schema, path }) =>
  path.length > 0 && !['type', '$ref', 'anyOf', 'enum', 'const'].some((key) => key in schema)
    ? refuse('a schema without a type')
    : NONE;

const formats =
  (known: readonly string[], effect: HostObjection['effect']): HostRule =>
  ({ schema }) =>
    typeof schema.format === 'string' && !known.includes(schema.format)
      ? [{ effect, problem: `the format ${JSON.stringify(schema.format)}` }]
      : NONE;

const levels =
  (max: number): HostRule =>
  ({ path }) => {
    const depth = path.filter((key, index) => key === 'properties' && index % 2 === 0).length;
    return depth === max + 1 ? refuse(`more than ${max} levels of objects`) : NONE;
  };

const enumSize =
  (max: number): HostRule =>
  ({ schema }) =>
    Array.isArray(schema.enum) && schema.enum.length > max ? refuse(`an enum of more than ${max} values`) : NONE;

/** Source: OpenAI, Structured Outputs, "Supported schemas": what all objects, and all names and values, may come to. */
const totals =
  (maxProperties: number, maxChars: number, maxEnumValues: number): HostRule =>
  ({ path }, root) => {
    if (path.length > 0) return NONE;
    let [properties, chars, enumValues] = [0, 0, 0];
    for (const { schema } of subschemas(root)) {
      const names = [schema.properties, schema.$defs].flatMap((map) => (isRecord(map) ? Object.keys(map) : []));
      const values = [schema.enum, schema.const].flat().filter((value) => value !== undefined);
      if (isRecord(schema.properties)) properties += Object.keys(schema.properties).length;
      enumValues += Array.isArray(schema.enum) ? schema.enum.length : 0;
      for (const text of [...names, ...values]) chars += typeof text === 'string' ? text.length : 0;
    }
    return [
      ...(properties > maxProperties ? refuse(`more than ${maxProperties} properties in all`) : NONE),
      ...(chars > maxChars ? refuse(`more than ${maxChars} characters of names and values in all`) : NONE),
      ...(enumValues > maxEnumValues ? refuse(`more than ${maxEnumValues} enum values in all`) : NONE),
    ];
  };

const textEnums: HostRule = ({ schema }) =>
  Array.isArray(schema.enum) && schema.enum.some((value) => typeof value !== 'string' || value === '')
    ? refuse('an enum with values that are not texts, or with the empty text')
    : NONE;

const typeLists: HostRule = ({ schema }) => (Array.isArray(schema.type) ? refuse('a list of types') : NONE);

const emptyObjects: HostRule = ({ schema, path }) =>
  path.length > 0 &&
  schema.type === 'object' &&
  (!isRecord(schema.properties) || Object.keys(schema.properties).length === 0)
    ? [{ effect: 'refuse', problem: 'an object without properties' }]
    : NONE;

const newDialect: HostRule = ({ schema, path }) =>
  path.length === 0 && typeof schema.$schema === 'string' && schema.$schema.includes('2020-12')
    ? [{ effect: 'drop', problem: '$schema 2020-12 (read as draft-07)' }]
    : NONE;

const STRICT_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const CONDITIONS = ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas'];
const SHAPES = ['patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'contains'];

/** The hosts whose demands are known. */
export type Host = 'claude' | 'openai' | 'openai-strict' | 'gemini' | 'vscode' | 'bedrock';

/**
 * What each host refuses or drops. Sources: Anthropic Messages API (tool definitions), OpenAI function calling and
 * Structured Outputs ("Supported schemas"), Gemini API `Schema`, VS Code language-model tools, Amazon Bedrock Converse
 * `ToolInputSchema`; and the reports of users in the trackers of those hosts' clients.
 */
export const HOST_RULES: Readonly<Record<Host, readonly HostRule[]>> = Object.freeze({
  claude: [rootObject, rootComposition, keys, emptyEnum],
  openai: [rootObject, rootProperties, rootComposition, listWithoutItems, emptyEnum],
  'openai-strict': [
    rootObject,
    rootProperties,
    rootComposition,
    closedObjects,
    everythingRequired,
    typed,
    listWithoutItems,
    emptyEnum,
    enumSize(1_000),
    levels(10),
    totals(5_000, 120_000, 1_000),
    refuses([
      'allOf',
      'oneOf',
      'not',
      'default',
      'uniqueItems',
      'minProperties',
      'maxProperties',
      ...CONDITIONS,
      ...SHAPES,
    ]),
    formats(STRICT_FORMATS, 'refuse'),
  ],
  gemini: [
    rootObject,
    emptyEnum,
    textEnums,
    typeLists,
    emptyObjects,
    listWithoutItems,
    refuses(['$ref', 'oneOf', 'allOf', 'not', ...CONDITIONS]),
    drops([
      'additionalProperties',
      'const',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'uniqueItems',
      ...SHAPES,
    ]),
    formats(['enum', 'date-time', 'int32', 'int64', 'float', 'double'], 'drop'),
  ],
  vscode: [rootObject, listWithoutItems, newDialect],
  bedrock: [rootObject, rootComposition, keys, emptyEnum],
});
