const ENOUGH = 0.3;

/**
 * The candidates that look most like `wanted`, best first. They are compared by the letter pairs they share, in one pass
 * over each: cheap enough for every name in a large estate.
 */
export function nearest(wanted: string, candidates: Iterable<string>, limit = 5): string[] {
  const pairs = new Set(letterPairs(wanted));
  const scores = new Map<string, number>();
  for (const candidate of candidates) {
    let shared = 0;
    for (const pair of letterPairs(candidate)) if (pairs.has(pair)) shared++;
    const score = (2 * shared) / (pairs.size + candidate.length + 1);
    if (score >= ENOUGH) scores.set(candidate, score);
  }
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
  return best.map(([candidate]) => candidate);
}

function* letterPairs(value: string): Generator<string> {
  // The end marks give one-letter names a pair and make beginnings count.
  const padded = ` ${value.toLowerCase()} `;
  for (let at = 0; at < padded.length - 1; at++) yield padded.slice(at, at + 2);
}
