import { BOUNDS } from '../../core/bounds.js';
import { ConfigurationError, InvalidArgumentsError, type Issue } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import type { JsonSchema, StandardResult, StandardSchema } from '../../core/json-schema.js';
import { shortName } from '../base/issues.js';
import { isShallow, type ValidationLimits } from '../base/limits.js';
import { checkRawSchema } from './checks.js';
import { UnsaidProblems } from './unsaid.js';

const TARGET = 'draft-2020-12';

/**
 * The JSON Schema of a Standard Schema: the one given beside it, else its own.
 *
 * @throws {ConfigurationError} When it has none, or one that cannot be used.
 */
export function standardSchemaOf(
  source: StandardSchema,
  direction: 'input' | 'output',
  site: string,
  explicit?: JsonSchema,
): JsonSchema {
  const schema = explicit ?? derived(source, direction, site);
  const findings = checkRawSchema(schema);
  if (findings.length > 0) throw new ConfigurationError(findings.map((found) => `${site}: ${direction} ${found}`));
  return schema;
}

function derived(source: StandardSchema, direction: 'input' | 'output', site: string): JsonSchema {
  const { vendor, jsonSchema } = source['~standard'];
  if (jsonSchema === undefined) {
    throw new ConfigurationError(
      finding(
        'CT305',
        `${site}: ${vendor} schemas say nothing in JSON Schema. Pass the JSON Schema beside it, or use a newer ${vendor}.`,
      ),
    );
  }
  try {
    // 2020-12 is what MCP assumes without a $schema, and some hosts refuse one.
    const { ...schema } = jsonSchema[direction]({ target: TARGET });
    delete schema.$schema;
    return schema;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      finding(
        'CT306',
        `${site}: ${vendor} cannot say this schema in JSON Schema (${reason}). Pass the JSON Schema beside it.`,
      ),
    );
  }
}

/** How a Standard Schema is asked. */
interface StandardOptions {
  readonly limits: ValidationLimits;
  /** Whether unknown keys are left to the library. */
  readonly open: boolean;
}

/**
 * A validator that asks the Standard Schema itself. Messages of its own are kept, unless they quote the input.
 *
 * @param schema What was published for it.
 */
export function standardValidator(
  source: StandardSchema,
  schema: JsonSchema,
  { limits, open }: StandardOptions,
): (value: unknown) => unknown {
  const standard = source['~standard'];
  const unsaid = new UnsaidProblems(schema, limits);
  return (value) => {
    if (!isShallow(value, limits.maxDepth)) {
      throw new InvalidArgumentsError([
        { loc: '', type: 'too_deep', msg: `is nested more than ${limits.maxDepth} levels deep` },
      ]);
    }
    const problems = unsaid.of(value).filter(({ type }) => !open || type !== 'extra_forbidden');
    if (problems.length > 0) throw new InvalidArgumentsError(problems);
    const result = standard.validate(value);
    return result instanceof Promise
      ? result.then((settled) => accepted(settled, value, limits))
      : accepted(result, value, limits);
  };
}

function accepted(result: StandardResult, input: unknown, limits: ValidationLimits): unknown {
  if (result.issues === undefined) return result.value;
  const issues = result.issues.slice(0, limits.maxIssues).map(({ message, path = [] }): Issue => {
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
    const msg = withoutValue(message, valueAt(input, keys));
    return { loc: keys.map((key) => shortName(String(key))).join('.'), msg, type: 'invalid' };
  });
  throw new InvalidArgumentsError(issues);
}

function valueAt(input: unknown, keys: readonly PropertyKey[]): unknown {
  let at = input;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

const MAX_MESSAGE_CHARS = BOUNDS.messageChars.default;

/** Some libraries quote what they received; no input value may come back in an error. */
function withoutValue(message: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    return message.slice(0, MAX_MESSAGE_CHARS);
  const text = String(value);
  const quoted = [JSON.stringify(text), `'${text}'`, `\`${text}\``];
  let clean = message;
  for (const form of quoted) clean = clean.replaceAll(form, '[value]');
  if (text.length > 2 || typeof value !== 'string') clean = clean.replaceAll(text, '[value]');
  return clean.slice(0, MAX_MESSAGE_CHARS);
}
