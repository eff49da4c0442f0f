import { BOUNDS } from '../../core/bounds.js';
import { notOneOfMessage } from '../base/issues.js';
import type { Check } from '../read/model.js';

const PLACEHOLDER = '[value]';
const MAX_MESSAGE_CHARS = BOUNDS.messageChars.default;

/**
 * What is said when a validator refuses: the author's message, else the validator's own. Never a value of the input,
 * never the source text of a function, never nothing.
 */
export function failureMessage(check: Check, property: string, className: string, value: unknown): string {
  const built = check.message === undefined ? builtInMessage(check, value) : undefined;
  if (built !== undefined) return built;
  const text = authorMessage(check, property, className);
  if (text === undefined || text.trim() === '') return `Invalid value (${check.name})`;
  const constraints = check.constraints.map(constraintText);
  return text
    .replace(/^(?:each value in )?\$property /, '')
    .replace(/\$constraint(\d+)/g, (token, index: string) => constraints[Number(index) - 1] ?? token)
    .replace(/\$value/g, PLACEHOLDER)
    .replace(/\$property/g, () => property)
    .replace(/\$target/g, () => className)
    .slice(0, MAX_MESSAGE_CHARS);
}

/** Messages that need the value to be worded, in words of ours that do not show it. */
function builtInMessage(check: Check, value: unknown): string | undefined {
  if (!check.genuine) return undefined;
  if (check.name === 'isLength') {
    const [min, max] = check.constraints as [number, number | undefined];
    return max === undefined ? `must be at least ${min} characters long` : `must be ${min} to ${max} characters long`;
  }
  if (check.name === 'isIn' && Array.isArray(check.constraints[0])) return notOneOfMessage(value, check.constraints[0]);
  return undefined;
}

function authorMessage(check: Check, property: string, className: string): string | undefined {
  const args = {
    targetName: className,
    property,
    object: {},
    value: undefined,
    constraints: check.constraints.map((constraint) =>
      typeof constraint === 'function' ? constraintText(constraint) : constraint,
    ),
  };
  try {
    const { message } = check;
    if (typeof message === 'string') return message;
    const text: unknown =
      typeof message === 'function'
        ? (message as (a: typeof args) => unknown)(args)
        : check.validator().defaultMessage?.(args);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

function constraintText(constraint: unknown): string {
  if (typeof constraint === 'function') return computed(constraint as () => unknown);
  if (constraint instanceof Date) return constraint.toISOString();
  if (Array.isArray(constraint)) return constraint.map(constraintText).join(', ');
  if (constraint instanceof RegExp) return String(constraint);
  return typeof constraint === 'object' && constraint !== null ? JSON.stringify(constraint) : String(constraint);
}

/** A bound that is computed at run time (@MinDate(() => …)) is shown as what it is now. */
function computed(bound: () => unknown): string {
  try {
    const value = bound();
    return value instanceof Date ? value.toISOString() : 'the computed bound';
  } catch {
    return 'the computed bound';
  }
}
