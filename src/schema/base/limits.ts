import { BOUNDS } from '../../core/bounds.js';

/** How much of an input is looked at before it is refused. */
export interface ValidationLimits {
  /** Levels of nesting. Default: 100. */
  readonly maxDepth: number;
  /** Elements of one array, set or map. Default: 100,000. */
  readonly maxItems: number;
  /**
   * Characters of a text that meets a regular expression, a format, or another validator whose work may grow faster
   * than its text. Default: 10,000.
   */
  readonly maxPatternChars: number;
  /** Problems that are reported. Default: 50. */
  readonly maxIssues: number;
}

/** What holds where no limit is given. */
export const DEFAULT_LIMITS: ValidationLimits = Object.freeze({
  maxDepth: BOUNDS.maxDepth.default,
  maxItems: BOUNDS.maxItems.default,
  maxPatternChars: BOUNDS.maxPatternChars.default,
  maxIssues: BOUNDS.maxIssues.default,
});

/** Makes something for limits, once for each: two layers with limits of their own may share what they check. */
export function onceForEach<T>(
  make: (limits: Partial<ValidationLimits>) => T,
): (limits: Partial<ValidationLimits>) => T {
  let made: WeakMap<Partial<ValidationLimits>, T> | undefined;
  return (limits) => {
    let one = made?.get(limits);
    // Nearly nobody asks: ten thousand tools need no ten thousand maps.
    if (one === undefined) (made ??= new WeakMap()).set(limits, (one = make(limits)));
    return one;
  };
}

/** Whether a JSON value nests at most `levels` deep. Looks at every element once and stops at the first that is too deep. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels <= 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && !isShallow(item, levels - 1)) return false;
    return true;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object' && !isShallow(item, levels - 1)) return false;
  }
  return true;
}
