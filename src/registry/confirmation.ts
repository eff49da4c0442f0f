import { BOUNDS } from '../core/bounds.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { JsonSchema } from '../core/json-schema.js';
import type { ToolOptions } from '../core/records.js';
import { nearest } from '../core/nearest.js';
import { toWireObject } from '../schema/wire/dto-wire.js';

/** What a person is asked before a tool runs with these arguments. */
export type Confirmation = (args: unknown) => string;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** How much of one argument is shown: enough to recognise it, too little to bury the question. */
const MAX_SHOWN_CHARS = BOUNDS.confirmationChars.default;

/**
 * Makes the question of a tool's `confirm`.
 *
 * @throws {ConfigurationError} When it names an argument that the tool does not have.
 */
export function compileConfirmation(confirm: ToolOptions['confirm'], input: JsonSchema, site: string): Confirmation {
  if (typeof confirm === 'function') return confirm as Confirmation;
  if (typeof confirm !== 'string' || confirm.trim() === '') {
    throw new ConfigurationError(
      finding('CT222', `${site}: confirm is neither text nor a function. Pass one, such as 'Delete {name}?'.`),
    );
  }
  const known = Object.keys(input.properties ?? {});
  const findings = [...confirm.matchAll(PLACEHOLDER)]
    .map(([, name = '']) => name)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      const remedy = meant === undefined ? `It has ${known.join(', ') || 'none'}` : `Did you mean {${meant}}?`;
      return finding(
        'CT223',
        `${site}: confirm names {${name}}, which is not one of its arguments. ${remedy}${meant === undefined ? '.' : ''}`,
      );
    });
  if (findings.length > 0) throw new ConfigurationError(findings);
  return (args) => {
    const values = toWireObject(args) as Readonly<Record<string, unknown>>;
    return confirm.replace(PLACEHOLDER, (_text, name: string) => shown(values[name]));
  };
}

/** A value on one line: what an agent passes must not look like a part of the question. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return '(none)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}
