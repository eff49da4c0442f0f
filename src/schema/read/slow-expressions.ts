import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { requireModule } from '../../core/require-module.js';
import { subschemas } from '../raw/walk.js';
import { patternDialect } from './regex-pattern.js';

interface Detector {
  isSafe(
    this: void,
    expression: RegExp,
    options: { readonly maxScore: number; readonly maxSteps: number },
  ): { readonly safe: boolean; readonly score: { readonly infinite: boolean } };
}

/** Enough for the detector to make up its mind about what people write; more would only cost time at start. */
const EFFORT = { maxScore: 30, maxSteps: 3_000 };

const known = new Map<string, boolean>();

/**
 * Whether an expression may take time that grows faster than its text. Asked when a layer is built, and of a detector
 * only where the expression is not plainly harmless: it is loaded for nobody else.
 */
export function mayBeSlow(expression: RegExp): boolean {
  const key = String(expression);
  let slow = known.get(key);
  if (slow === undefined) known.set(key, (slow = !isPlain(expression) && isDetected(expression)));
  return slow;
}

/** Nothing is repeated without end; or, from the start of the text on, a single character or class is. */
function isPlain({ source, flags }: RegExp): boolean {
  const bare = source.replace(/\\[^]/g, 'e').replace(/\[[^\]]*\]/g, 'c');
  const endless = bare.match(/.?(?:[*+]|\{\d+,\})/gs) ?? [];
  if (endless.length === 0) return true;
  return endless.length === 1 && !endless[0].startsWith(')') && /^\^[^|]*$/.test(bare) && !flags.includes('m');
}

function isDetected(expression: RegExp): boolean {
  const { isSafe } = requireModule('redos-detector') as Detector;
  try {
    const { safe, score } = isSafe(expression, EFFORT);
    return !safe && score.infinite;
  } catch {
    // It does not know every kind of expression; the limit on the length of texts holds for all of them.
    return false;
  }
}

/** What is said of such an expression, as "problem. remedy." */
export function slowExpressionProblem(expression: RegExp): string {
  return (
    `the time that ${String(expression)} takes may grow faster than the text it meets. ` +
    'Begin it with ^, and let no two of its repeated parts match the same text.'
  );
}

/** The same for every `pattern` and `patternProperties` of a schema that somebody wrote by hand. */
export function slowPatternProblems(schema: JsonSchema): string[] {
  const patterns = new Set<string>();
  for (const { schema: sub } of subschemas(schema)) {
    if (typeof sub.pattern === 'string') patterns.add(sub.pattern);
    if (isRecord(sub.patternProperties))
      for (const pattern of Object.keys(sub.patternProperties)) patterns.add(pattern);
  }
  return [...patterns].flatMap((pattern) => {
    const dialect = patternDialect(pattern);
    if (dialect === 'invalid') return [];
    const expression = new RegExp(pattern, dialect === 'unicode' ? 'u' : '');
    return mayBeSlow(expression) ? [slowExpressionProblem(expression)] : [];
  });
}
