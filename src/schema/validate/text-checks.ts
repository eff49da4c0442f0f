import type { Check } from '../read/model.js';
import { textLength } from '../read/text-length.js';

/** class-validator's validators that look at a text once, and that are used on long ones. */
const LINEAR: ReadonlySet<string> = new Set(
  (
    'isString isDefined isNotEmpty isIn isNotIn isEnum equals notEquals minLength maxLength isLength isArray ' +
    'contains notContains isJson isBase64 isByteLength isLowercase isUppercase isAscii isAlpha isAlphanumeric isHexadecimal'
  ).split(' '),
);

/** Whether a validator's work is known to grow no faster than its text. */
export function isLinear({ genuine, name }: Check): boolean {
  return genuine && LINEAR.has(name);
}

/** Whether one of these validators refuses a text for its length; a text that is too long meets no expression. */
export function isOverLength(checks: readonly Check[], each: boolean, text: string): boolean {
  return checks.some((check) => {
    if (check.each !== each || check.validateIf !== undefined) return false;
    const max = longestOf(check);
    return max !== undefined && text.length > max && textLength(text) > max;
  });
}

function longestOf({ genuine, name, constraints }: Check): number | undefined {
  if (!genuine || (name !== 'maxLength' && name !== 'isLength')) return undefined;
  const max = name === 'maxLength' ? constraints[0] : constraints[1];
  return typeof max === 'number' ? max : undefined;
}
