/**
 * How expressions, formats and other validators whose work may grow faster than their text meet a text: only when it is
 * short enough, and once in one validation, however many passes that takes.
 */

/** Thrown where a text that is too long would meet an expression: inside `not`, a plain no would let it through. */
export class TextTooLongError extends Error {
  readonly text: string;

  constructor(text: string) {
    super('A text is too long for an expression.');
    this.text = text;
  }
}

/** Texts up to this many characters are remembered only when they were refused: that is when a second pass comes. */
const SHORT = 64;

let depth = 0;
let longest = Infinity;
let answers: Map<unknown, Map<string, boolean>> | undefined;

/** A validation begins, or a part of one. Each needs its {@link endValidation}. */
export function beginValidation(): void {
  depth++;
}

/** A validation ends. With the outermost, what was remembered is forgotten. */
export function endValidation(): void {
  if (--depth === 0) answers = undefined;
}

/** Runs what may call {@link testShortText}, with the longest text that expressions may meet there. */
export function withLongestText<T>(maxChars: number, run: () => T): T {
  const outer = longest;
  longest = maxChars;
  try {
    return run();
  } finally {
    longest = outer;
  }
}

/**
 * The answer of a test that depends on nothing but the text, asked once in one validation.
 *
 * @param key What the test is known by.
 */
export function testOnce(key: unknown, text: string, test: (text: string) => boolean): boolean {
  const known = answers?.get(key)?.get(text);
  if (known !== undefined) return known;
  const answer = test(text);
  if (depth > 0 && (!answer || text.length > SHORT)) remember(key, text, answer);
  return answer;
}

/** As {@link testOnce}. @throws {TextTooLongError} When the text is longer than {@link withLongestText} allows. */
export function testShortText(key: unknown, text: string, test: (text: string) => boolean): boolean {
  if (text.length > longest) throw new TextTooLongError(text);
  return testOnce(key, text, test);
}

function remember(key: unknown, text: string, answer: boolean): void {
  answers ??= new Map();
  let known = answers.get(key);
  if (known === undefined) answers.set(key, (known = new Map<string, boolean>()));
  known.set(text, answer);
}

/** What is said of a text that no expression may meet. */
export function tooLongMessage(maxChars: number): string {
  return `must be at most ${maxChars} characters long`;
}

/** Where in a JSON value a text stands, as a value or as a key; `undefined` when it is not there. */
export function placeOfText(value: unknown, text: string): readonly string[] | undefined {
  if (value === text) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (key === text) return [key];
    const below = placeOfText(item, text);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

/** Whether a text is over the `maxLength` of its schema, which refuses it: no expression beside it needs to. */
export function isOver(text: string, maxLength: unknown): boolean {
  return typeof maxLength === 'number' && text.length > maxLength && Array.from(text).length > maxLength;
}
