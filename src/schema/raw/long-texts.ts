import type { Issue } from '../../core/errors.js';
import { shortName } from '../base/issues.js';
import type { ValidationLimits } from '../base/limits.js';
import { placeOfText, TextTooLongError, tooLongMessage } from '../base/text-tests.js';

/** The refusal of a value with a text that is too long for an expression; `undefined` for every other error. */
export function textTooLong(error: unknown, value: unknown, limits: ValidationLimits): readonly Issue[] | undefined {
  if (!(error instanceof TextTooLongError)) return undefined;
  const loc = (placeOfText(value, error.text) ?? []).map(shortName).join('.');
  return [{ loc, type: 'string_too_long', msg: tooLongMessage(limits.maxPatternChars) }];
}
