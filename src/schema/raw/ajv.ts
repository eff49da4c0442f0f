import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { Issue } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { requireModule } from '../../core/require-module.js';
import { notOneOfMessage, shortName, unknownKeyMessage } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import { dialectOf, type Dialect } from './checks.js';
import { burnFuel, OutOfFuelError, referenceTargets, withFuel } from './fuel.js';
import { isOver, testShortText, withLongestText } from '../base/text-tests.js';
import { textTooLong } from './long-texts.js';
import { countParts, MAX_PARTS_FOR_ALL, TOO_COMPLEX, type RawValidator } from './types.js';
import { subschemas } from './walk.js';
import { patternDialect } from '../read/regex-pattern.js';
import { hasEqualItems } from '../read/unique.js';

const FUEL_KEYWORD = 'cartouche-fuel';
/** Compiles with ajv, in the schema's own dialect, without console output and without the network. */
export function compileWithAjv(schema: JsonSchema, limits: ValidationLimits): RawValidator {
  const references = referenceTargets(schema).size;
  const prepared = withFuelKeyword(schema);
  const first = compile(prepared, false);
  let every: ValidateFunction | undefined;
  const run = (validate: ValidateFunction, value: unknown): boolean =>
    withLongestText(limits.maxPatternChars, () => withFuel(value, references, () => validate(value)));
  return (value) => {
    try {
      if (run(first, value)) return [];
      if (countParts(value, MAX_PARTS_FOR_ALL) >= MAX_PARTS_FOR_ALL) return toIssues(first.errors ?? [], limits);
      const all = (every ??= compile(prepared, true));
      run(all, value);
      return toIssues(all.errors ?? [], limits);
    } catch (error) {
      const tooLong = textTooLong(error, value, limits);
      if (tooLong !== undefined) return tooLong;
      if (error instanceof OutOfFuelError || error instanceof RangeError) return [TOO_COMPLEX];
      throw error;
    }
  };
}

function compile(schema: JsonSchema, allErrors: boolean): ValidateFunction {
  const unicodeRegExp = [...subschemas(schema)].every(hasUnicodePatterns);
  const ajv = instance(dialectOf(schema) ?? '2020-12', { allErrors, unicodeRegExp });
  const validate = ajv.compile(schema);
  // The function is all that is needed; ajv would keep the schema for ever.
  ajv.removeSchema(schema);
  return validate;
}

const instances = new Map<string, Ajv>();

/** One ajv for all schemas of a dialect: setting one up takes longer than compiling a schema. */
function instance(dialect: Dialect, own: Pick<Options, 'allErrors' | 'unicodeRegExp'>): Ajv {
  const key = `${dialect} ${String(own.allErrors)} ${String(own.unicodeRegExp)}`;
  let ajv = instances.get(key);
  if (ajv === undefined) {
    ajv = makeInstance(dialect, own);
    instances.set(key, ajv);
  }
  return ajv;
}

function makeInstance(dialect: Dialect, own: Options): Ajv {
  const options: Options = {
    ...own,
    strict: false,
    logger: false,
    // The structure was checked when the layer was built; the meta-schema would cost 40 ms to load.
    validateSchema: false,
    ownProperties: true,
    verbose: true,
    code: { regExp: Object.assign((pattern: string, flags: string) => new KeyPattern(pattern, flags), NAMED) },
    // Two tools may well use one `$id`.
    addUsedSchema: false,
  };
  const module = (dialect === 'draft-07' ? requireModule('ajv') : requireModule('ajv/dist/2020')) as {
    default: new (options: Options) => Ajv;
  };
  const ajv = new module.default(options);
  (requireModule('ajv-formats') as { default: (ajv: Ajv) => void }).default(ajv);
  guardFormats(ajv);
  replacePattern(ajv, own.unicodeRegExp === false ? '' : 'u');
  // ajv's own compares every pair.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, list: unknown[]) => !unique || !hasEqualItems(list),
  });
  ajv.addKeyword({ keyword: FUEL_KEYWORD, schemaType: 'boolean', validate: burnFuel });
  return ajv;
}

/** What ajv would write into code that stands alone, which ours never does. */
const NAMED = { code: 'new RegExp' };

/** An expression of `patternProperties`, as ajv keeps it: by its text. */
class KeyPattern {
  readonly #expression: RegExp;
  readonly #test = (text: string): boolean => this.#expression.test(text);

  constructor(pattern: string, flags: string) {
    this.#expression = new RegExp(pattern, flags);
  }

  test(text: string): boolean {
    return testShortText(String(this), text, this.#test);
  }

  toString(): string {
    return String(this.#expression);
  }
}

/** `pattern` as ajv has it, except that a text over `maxLength` does not meet it. */
function replacePattern(ajv: Ajv, flags: string): void {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: ({ schema }) => `must match pattern ${JSON.stringify(schema)}` },
    compile: (pattern: string, { maxLength }: Readonly<Record<string, unknown>>) => {
      const expression = new RegExp(pattern, flags);
      const key = String(expression);
      const test = (text: string): boolean => expression.test(text);
      return (text: string) => isOver(text, maxLength) || testShortText(key, text, test);
    },
  });
}

/** Formats that are checked in one pass, and whose texts may well be long. */
const LINEAR_FORMATS: ReadonlySet<string> = new Set(['byte', 'binary', 'password']);

/** Formats are expressions for the most part. */
function guardFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || format === true || LINEAR_FORMATS.has(name)) continue;
    const key = `format ${name}`;
    const guarded = (test: (text: string) => boolean) => (text: string) => testShortText(key, text, test);
    if (typeof format === 'function') ajv.formats[name] = guarded(format);
    else if (format instanceof RegExp) ajv.formats[name] = guarded((text) => format.test(text));
    else if (typeof format === 'object' && 'validate' in format && format.type !== 'number') {
      const { validate } = format;
      if (typeof validate === 'function') {
        ajv.formats[name] = { ...format, validate: guarded(validate as (text: string) => boolean) } as never;
      }
    }
  }
}

function hasUnicodePatterns({ schema }: { readonly schema: JsonSchema }): boolean {
  const patterns = [schema.pattern, ...Object.keys(isRecord(schema.patternProperties) ? schema.patternProperties : {})];
  return patterns.every((pattern) => typeof pattern !== 'string' || patternDialect(pattern) !== 'legacy');
}

function withFuelKeyword(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema);
  for (const target of referenceTargets(copy)) (target as Record<string, unknown>)[FUEL_KEYWORD] = true;
  return copy;
}

function toIssues(errors: readonly ErrorObject[], limits: ValidationLimits): readonly Issue[] {
  const branches = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const told = errors.filter(
    (error) =>
      error.keyword !== 'if' &&
      !branches.some((branch) => error !== branch && error.schemaPath.startsWith(`${branch.schemaPath}/`)),
  );
  const seen = new Map<string, Issue>();
  for (const error of told) {
    const issue = toIssue(error);
    seen.set(`${issue.loc} ${issue.msg}`, issue);
    if (seen.size >= limits.maxIssues) break;
  }
  return [...seen.values()];
}

function toIssue(error: ErrorObject): Issue {
  const { keyword, params, data, parentSchema } = error as ErrorObject<string, Record<string, unknown>>;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => shortName(part.replace(/~1/g, '/').replace(/~0/g, '~')));
  const at = (key?: string): string => [...path, ...(key === undefined ? [] : [shortName(key)])].join('.');
  switch (keyword) {
    case 'required':
      return { loc: at(String(params.missingProperty)), type: 'missing', msg: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = String(params.additionalProperty ?? params.unevaluatedProperty);
      const known = Object.keys((parentSchema?.properties ?? {}) as object);
      return { loc: at(key), type: 'extra_forbidden', msg: unknownKeyMessage(key, known) };
    }
    case 'type': {
      const types = [params.type].flat().join(' or ');
      return { loc: at(), type: `${types.replace(/ or /g, '_')}_type`, msg: `expected ${types}` };
    }
    case 'enum':
      return { loc: at(), type: 'enum', msg: notOneOfMessage(data, params.allowedValues as unknown[]) };
    case 'const':
      return { loc: at(), type: 'const', msg: notOneOfMessage(data, [params.allowedValue]) };
    case 'anyOf':
    case 'oneOf':
      return { loc: at(), type: keyword, msg: 'matches none of the allowed forms, or more than one' };
    case 'uniqueItems':
      return { loc: at(), type: 'uniqueItems', msg: 'must not hold an element twice' };
    default:
      return { loc: at(), type: keyword, msg: error.message ?? `does not satisfy ${keyword}` };
  }
}
