/** A character, any one character, any text, or one of a set. */
type Token = string | typeof ONE | typeof ANY | CharacterSet;

const ONE = Symbol('?');
const ANY = Symbol('*');

interface CharacterSet {
  readonly negated: boolean;
  /** Each character stands for itself; a range for what lies between. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/**
 * One glob: `*` is any text, `/` and `:` included, `?` one character, `[a-c]` one of a set, `[!a-c]` one of the others.
 * It fits whole texts, case matters, and a `[` without an end stands for itself. Time is at worst the product of both
 * lengths.
 */
export class Glob {
  readonly text: string;
  readonly #tokens: readonly Token[];
  /** Where there is nothing to match but characters, most of them by far. */
  readonly #isLiteral: boolean;

  constructor(text: string) {
    this.text = text;
    this.#tokens = tokensOf(text);
    this.#isLiteral = this.#tokens.every((token) => typeof token === 'string');
  }

  matches(text: string): boolean {
    return this.#isLiteral ? text === this.text : this.#walk(Array.from(text));
  }

  /** Two pointers and the last `*`: what an earlier one could have taken, the last one can take as well. */
  #walk(characters: readonly string[]): boolean {
    const tokens = this.#tokens;
    let at = 0;
    let token = 0;
    let star = -1;
    let resume = 0;
    while (at < characters.length) {
      const wanted = tokens[token];
      if (wanted === ANY) {
        star = token++;
        resume = at;
      } else if (wanted !== undefined && fits(wanted, characters[at] as string)) {
        at++;
        token++;
      } else if (star === -1) {
        return false;
      } else {
        token = star + 1;
        at = ++resume;
      }
    }
    while (tokens[token] === ANY) token++;
    return token === tokens.length;
  }
}

/**
 * Globs of which one has to match. One with a leading `!` takes out what it matches, wherever it stands; a list of only
 * such matches nothing.
 */
export class GlobList {
  readonly #wanted: readonly Glob[];
  readonly #unwanted: readonly Glob[];

  constructor(globs: readonly string[]) {
    this.#wanted = globs.filter((glob) => !glob.startsWith('!')).map((glob) => new Glob(glob));
    this.#unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => new Glob(glob.slice(1)));
  }

  matches(text: string): boolean {
    return this.find(text) !== undefined;
  }

  /** The glob that lets a text in. */
  find(text: string): string | undefined {
    if (this.#unwanted.some((glob) => glob.matches(text))) return undefined;
    return this.#wanted.find((glob) => glob.matches(text))?.text;
  }
}

function fits(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if (typeof token === 'symbol') return true;
  return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.negated;
}

function tokensOf(text: string): Token[] {
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    if (character === '*') {
      // Several are as one.
      if (tokens.at(-1) !== ANY) tokens.push(ANY);
    } else if (character === '?') {
      tokens.push(ONE);
    } else if (character === '[') {
      const end = endOfSet(characters, i);
      tokens.push(end === -1 ? '[' : setOf(characters.slice(i + 1, end)));
      if (end !== -1) i = end;
    } else {
      tokens.push(character);
    }
  }
  return tokens;
}

/** A `]` that stands first is one of the set. */
function endOfSet(characters: readonly string[], start: number): number {
  const first = start + (characters[start + 1] === '!' ? 2 : 1);
  return characters.indexOf(']', first + 1);
}

function setOf(inside: readonly string[]): CharacterSet {
  const negated = inside[0] === '!';
  const characters = negated ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let i = 0; i < characters.length; i++) {
    const from = characters[i] as string;
    const to = characters[i + 1] === '-' ? characters[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return { negated, ranges };
}
