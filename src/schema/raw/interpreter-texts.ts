import { isOver, testShortText, TextTooLongError } from '../base/text-tests.js';

/** The name that a `pattern` is known by among the interpreter's formats, which are all of it that can be replaced. */
export const PATTERN_FORMAT = 'cartouche-pattern';

type Formats = Record<string, (text: string) => boolean>;

const guarded = new WeakSet<Formats>();
let current: GuardedPattern | undefined;

/** A `format` that says its name when it is looked up, and which expression is meant. */
class GuardedPattern {
  readonly #expression: RegExp;
  readonly #test = (text: string): boolean => this.#expression.test(text);

  readonly #maxLength: unknown;

  constructor(pattern: string, maxLength: unknown) {
    this.#maxLength = maxLength;
    this.#expression = new RegExp(pattern, 'u');
  }

  test(text: string): boolean {
    return isOver(text, this.#maxLength) || testShortText(String(this.#expression), text, this.#test);
  }

  toString(): string {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the look-up tells nothing else of who asks.
    current = this;
    return PATTERN_FORMAT;
  }
}

/** Replaces `pattern` in a copy of a schema, because the interpreter would run it on a text of any length. */
export function guardPattern(schema: Record<string, unknown>, pattern: string): void {
  delete schema.pattern;
  const others = Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : [];
  schema.allOf = [...others, { format: new GuardedPattern(pattern, schema.maxLength) }];
}

/** Lets the interpreter's formats measure a text before they read it. Nothing changes for whoever else uses them. */
export function guardFormats(formats: Formats): void {
  if (guarded.has(formats)) return;
  guarded.add(formats);
  for (const [name, test] of Object.entries(formats)) {
    formats[name] = (text) => testShortText(`format ${name}`, text, test);
  }
  formats[PATTERN_FORMAT] = (text) => current?.test(text) ?? false;
}

/** @throws {TextTooLongError} When an object has a key that no expression may meet. */
export function refuseLongKeys(value: unknown, maxChars: number): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key.length > maxChars) throw new TextTooLongError(key);
    refuseLongKeys(item, maxChars);
  }
}
