import { isClass } from '../core/class.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { JsonSchema } from '../core/json-schema.js';
import type { ValidationLimits } from './base/limits.js';
import { className } from './read/dto-class.js';
import { frozenCopy } from './wire/emit.js';
import { allowsNull, formField, olderField } from './forms/form-dialect.js';
import { compileInput, type InputSource } from './input.js';

/** A form that a client can show, and the check of what it sends back. */
export interface Form {
  /** The form as the revision has it, with the required fields that the revision has no words for. */
  schemaFor(version: string): { readonly schema: JsonSchema; readonly unsayable: readonly string[] };
  /**
   * Converts and checks what a client sent: an instance for a class. A promise when a validator is asynchronous.
   *
   * @throws {InvalidArgumentsError} When it does not fit; a returned promise may reject with it.
   */
  readonly validate: (content: unknown, limits?: Partial<ValidationLimits>) => unknown;
  /** What is doubtful without being wrong, each as "site: problem. remedy." */
  readonly warnings: readonly string[];
}

/** Since when forms have titled choices, multiple choices and defaults of every kind. */
const RICH_FORMS = '2025-11-25';

/** Names of what a form must not ask for. Source: MCP, "Elicitation": no sensitive information by form. */
const SECRET = /pass(?:word|phrase|code)|secret|api_?key|access_?token|private_?key|credit_?card|\bcvv\b|\bssn\b/i;

const forms = new WeakMap<object, Form>();

/**
 * Makes a form of a DTO class, a raw schema or a Standard Schema; once for each.
 *
 * @param site Who asks, for messages.
 * @throws {ConfigurationError} When something in it cannot be shown as a form, with every finding.
 */
export function compileForm(source: InputSource, site: string): Form {
  const known = forms.get(source);
  if (known !== undefined) return known;
  const form = makeForm(source, site);
  forms.set(source, form);
  return form;
}

function makeForm(source: InputSource, site: string): Form {
  // What a client adds is left out, not refused: the person who would be asked again can do nothing about it.
  const input = compileInput(source, { site, openArguments: true });
  const { schema } = input;
  const name = isClass(source) ? className(source) : site;
  const declared = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const needed = (schema.required ?? []) as readonly string[];
  const findings: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const [key, property] of Object.entries(declared)) {
    const field = formField(property, isClass(source));
    if (typeof field.problem === 'string') findings.push(finding('CT327', `${name}.${key}: ${field.problem}.`));
    else properties[key] = field as JsonSchema;
    if (allowsNull(property) && needed.includes(key)) {
      findings.push(
        finding('CT327', `${name}.${key}: it must be given and may be null, which no form can send. Make it optional.`),
      );
    }
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  const newest = frozenCopy(objectOf(properties, needed));
  const { fields, unsayable } = olderFields(properties, needed);
  const older = { schema: frozenCopy(objectOf(fields, needed)), unsayable };
  return Object.freeze({
    schemaFor: (version: string) => (version < RICH_FORMS ? older : { schema: newest, unsayable: [] }),
    validate: (content: unknown, limits?: Partial<ValidationLimits>) =>
      (limits === undefined ? input : input.withLimits(limits)).validate(content),
    warnings: Object.keys(properties)
      .filter((key) => SECRET.test(key))
      .map((key) => `${name}.${key}: clients may keep what a form is filled with. Ask for secrets with elicitUrl.`),
  });
}

function olderFields(
  properties: Readonly<Record<string, JsonSchema>>,
  needed: readonly string[],
): { fields: Record<string, JsonSchema>; unsayable: readonly string[] } {
  const fields: Record<string, JsonSchema> = {};
  const unsayable: string[] = [];
  for (const [key, field] of Object.entries(properties)) {
    const older = olderField(field);
    if (older !== undefined) fields[key] = older;
    else if (needed.includes(key)) unsayable.push(key);
  }
  return { fields, unsayable };
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>, needed: readonly string[]): JsonSchema {
  const required = needed.filter((key) => key in properties);
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}
