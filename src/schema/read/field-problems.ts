import { finding } from '../../core/finding.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { nearest } from '../../core/nearest.js';
import { checkRawSchema } from '../raw/checks.js';
import { KNOWN_KEYWORDS } from './keywords.js';

const TEXTS = ['title', 'description'];

/**
 * What is wrong with the keywords of `@Field`, `@Describe` or `@Arg`, each as "problem. remedy." Keywords of one's own
 * are allowed, so one that nobody knows is a mistake only where it is near to one of JSON Schema.
 */
export function fieldProblems(keywords: unknown): string[] {
  if (typeof keywords !== 'object' || keywords === null || Array.isArray(keywords)) {
    return [finding('CT101', 'what @Field is given must be JSON Schema keywords. Pass an object.')];
  }
  const given = keywords as JsonSchema;
  const misspelt = Object.keys(given).flatMap((key) => {
    const meant = KNOWN_KEYWORDS.has(key) || key.startsWith('x-') ? undefined : nearest(key, LONG_KEYWORDS);
    if (meant === undefined || key.length < MIN_LENGTH) return [];
    return [finding('CT102', `no keyword '${key}'. Did you mean '${meant}'? One of your own begins with 'x-'.`)];
  });
  const texts = TEXTS.filter((key) => given[key] !== undefined && typeof given[key] !== 'string').map((key) =>
    finding('CT103', `${key} must be text. Pass a string.`),
  );
  return [...misspelt, ...texts, ...checkRawSchema(given)];
}

/** Short names are near to everything. */
const MIN_LENGTH = 4;
const LONG_KEYWORDS = [...KNOWN_KEYWORDS].filter((keyword) => keyword.length >= MIN_LENGTH);
