import { BOUNDS } from '../../core/bounds.js';
import type { Issue } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { requireModule } from '../../core/require-module.js';
import { shortName } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import { dialectOf } from './checks.js';
import { burnFuel, OutOfFuelError, referenceTargets, withFuel } from './fuel.js';
import { withLongestText } from '../base/text-tests.js';
import { textTooLong } from './long-texts.js';
import { guardFormats, guardPattern, PATTERN_FORMAT, refuseLongKeys } from './interpreter-texts.js';
import { countParts, MAX_PARTS_FOR_ALL, TOO_COMPLEX, type RawValidator } from './types.js';
import { subschemas } from './walk.js';
import { patternDialect, toPattern } from '../read/regex-pattern.js';

/** The interpreter compares every pair of elements, so `uniqueItems` is checked up to this many. */
const MAX_UNIQUE_ITEMS = BOUNDS.uniqueItems.default;

interface Failure {
  readonly keyword: string;
  readonly instanceLocation: string;
  readonly error: string;
}

interface InterpreterModule {
  readonly Validator: new (schema: JsonSchema, draft: string, shortCircuit: boolean) => Interpreter;
  readonly format: Record<string, (text: string) => boolean>;
}

interface Interpreter {
  validate(value: unknown): { readonly valid: boolean; readonly errors: readonly Failure[] };
}

/** Runs a schema without generating code. */
export function interpret(schema: JsonSchema, limits: ValidationLimits): RawValidator {
  const { Validator, format } = requireModule('@cfworker/json-schema') as InterpreterModule;
  guardFormats(format);
  const references = referenceTargets(schema).size;
  const prepared = prepare(schema);
  const draft = dialectOf(schema) === 'draft-07' ? '7' : '2020-12';
  const first = new Validator(prepared, draft, true);
  const every = new Validator(prepared, draft, false);
  const testsKeys = [...subschemas(schema)].some(({ schema: sub }) => sub.patternProperties !== undefined);
  const run = (interpreter: Interpreter, value: unknown): ReturnType<Interpreter['validate']> =>
    withLongestText(limits.maxPatternChars, () => withFuel(value, references, () => interpreter.validate(value)));
  const comparesItems = [...subschemas(schema)].some(({ schema: sub }) => sub.uniqueItems === true);
  return (value) => {
    if (comparesItems && longestList(value) > MAX_UNIQUE_ITEMS) {
      return [
        { loc: '', type: 'too_many_items', msg: `must not hold a list of more than ${MAX_UNIQUE_ITEMS} elements` },
      ];
    }
    try {
      if (testsKeys) refuseLongKeys(value, limits.maxPatternChars);
      const result = run(first, value);
      if (result.valid) return [];
      const small = countParts(value, MAX_PARTS_FOR_ALL) < MAX_PARTS_FOR_ALL;
      return toIssues((small ? run(every, value) : result).errors, limits);
    } catch (error) {
      const tooLong = textTooLong(error, value, limits);
      if (tooLong !== undefined) return tooLong;
      if (error instanceof OutOfFuelError || error instanceof RangeError) return [TOO_COMPLEX];
      throw error;
    }
  };
}

/** A copy that the interpreter may write to, with fuel at every reference and with patterns it can compile. */
function prepare(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  for (const { schema: sub } of subschemas(copy)) {
    const own = sub as Record<string, unknown>;
    if (typeof own.pattern === 'string') guardPattern(own, modern(own.pattern));
    if (isRecord(own.patternProperties)) {
      own.patternProperties = Object.fromEntries(
        Object.entries(own.patternProperties).map(([pattern, item]) => [modern(pattern), item]),
      );
    }
  }
  // The interpreter reads this keyword of another dialect at every visit, and has no hooks.
  for (const target of referenceTargets(copy)) {
    Object.defineProperty(target, '$recursiveAnchor', { get: () => void burnFuel(), enumerable: false });
  }
  return copy;
}

function modern(pattern: string): string {
  return patternDialect(pattern) === 'legacy' ? (toPattern(new RegExp(pattern)) ?? '') : pattern;
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let longest = Array.isArray(value) ? value.length : 0;
  for (const item of Object.values(value)) longest = Math.max(longest, longestList(item));
  return longest;
}

/** Keywords that only say that something below them failed. */
const OUTER = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'patternProperties',
]);

/** The interpreter's own texts quote the input, so only where and which keyword is taken from them. */
function toIssues(failures: readonly Failure[], limits: ValidationLimits): readonly Issue[] {
  const told = failures.filter(({ keyword }) => !OUTER.has(keyword));
  const seen = new Map<string, Issue>();
  for (const failure of told.length > 0 ? told : failures) {
    const issue = toIssue(failure);
    seen.set(`${issue.loc} ${issue.msg}`, issue);
    if (seen.size >= limits.maxIssues) break;
  }
  return [...seen.values()];
}

function toIssue({ keyword, instanceLocation, error }: Failure): Issue {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) => shortName(decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')));
  const loc = path.join('.');
  switch (keyword) {
    case 'required': {
      const name = /required property "(.*)"/.exec(error)?.[1];
      return { loc: [...path, ...(name === undefined ? [] : [name])].join('.'), type: 'missing', msg: 'is required' };
    }
    case 'false':
      return { loc, type: 'extra_forbidden', msg: 'is not allowed' };
    case 'type': {
      const types = /Expected (.*)\.$/.exec(error)?.[1]?.replace(/"/g, '').replace(/, /g, ' or ') ?? 'another type';
      return { loc, type: `${types.replace(/ or /g, '_')}_type`, msg: `expected ${types}` };
    }
    case 'enum':
    case 'const':
      return { loc, type: keyword, msg: 'must be one of the allowed values' };
    case 'format':
      return error.includes(PATTERN_FORMAT)
        ? { loc, type: 'pattern', msg: 'does not satisfy "pattern"' }
        : { loc, type: keyword, msg: 'does not satisfy "format"' };
    default:
      return { loc, type: keyword, msg: `does not satisfy "${keyword}"` };
  }
}
