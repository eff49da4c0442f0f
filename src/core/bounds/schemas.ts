import { bound } from './bound.js';

/** What schemas may be, and what is checked against them. */
export const SCHEMA_BOUNDS = {
  maxDepth: bound('validationLimits', 100, 'levels of arguments', 'the stack', 'an error result'),
  maxItems: bound('validationLimits', 100_000, 'elements of one list, set or map', 'time', 'an error result'),
  maxPatternChars: bound(
    'validationLimits',
    10_000,
    'characters of a text that meets an expression, a format or the like',
    'everybody from waiting for an expression whose work grows faster than its text',
    'an error result',
  ),
  maxIssues: bound('validationLimits', 50, 'problems that a refusal tells of', 'the answer', 'the rest is left out'),
  uniqueItems: bound(
    'none',
    1000,
    'elements of a list that must not repeat, where no code can be generated',
    'time',
    'an error result',
  ),
  numberChars: bound('none', 64, 'characters of a text that is taken for a number', 'time', 'it is none'),
  dateChars: bound('none', 64, 'characters of a text that is taken for a date', 'time', 'it is none'),
  messageChars: bound('none', 500, "characters of a validator's message", 'the answer', 'cut'),
  issueNameChars: bound('none', 64, 'characters of an unknown key in a refusal', 'the answer', 'cut'),
  listedValues: bound('none', 20, 'allowed values that a refusal lists', 'the answer', 'the rest is counted'),
  schemaLevels: bound('none', 200, 'levels of a raw schema', 'the stack', 'a finding when the layer is built'),
  schemaParts: bound(
    'none',
    50_000,
    'parts of a raw schema',
    'memory, and models',
    'a finding when the layer is built',
  ),
  classParts: bound(
    'none',
    10_000,
    "parts of a class's schema",
    'memory, and models',
    'a finding when the layer is built',
  ),
  partsInPlace: bound(
    'none',
    500,
    "parts of a class's schema with nothing in `$defs`",
    'listings from doubling with every level',
    'what repeats moves to `$defs`',
  ),
} as const;
