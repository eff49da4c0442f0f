/**
 * A regular expression as a JSON Schema `pattern`: ECMA-262 with the `u` flag and no others.
 *
 * @returns `undefined` when no such pattern means the same.
 */
export function toPattern(expression: RegExp): string | undefined {
  const { source, flags } = expression;
  if (/[myv]/.test(flags)) return undefined;
  const translated = translate(source, {
    ignoreCase: flags.includes('i'),
    dotAll: flags.includes('s'),
    unicode: flags.includes('u'),
  });
  return translated !== undefined && compiles(translated) ? translated : undefined;
}

/** A `pattern` that matches where `text` occurs. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Whether a `pattern` is a regular expression at all, and whether it is one under the `u` flag. */
export function patternDialect(pattern: string): 'unicode' | 'legacy' | 'invalid' {
  if (compiles(pattern)) return 'unicode';
  try {
    new RegExp(pattern);
    return 'legacy';
  } catch {
    return 'invalid';
  }
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

interface Reading {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
}

// One token: an escape, a group opener with its name, or a single character.
const TOKEN =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pPk][{<][^}>]*[}>]|[^])|\(\?<[A-Za-z_$][^>]*>|[^]/gu;

function translate(source: string, reading: Reading): string | undefined {
  let out = '';
  let inClass = false;
  const tokens = source.match(TOKEN) ?? [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (!inClass && token === '[') inClass = true;
    else if (inClass && token === ']') inClass = false;
    else if (inClass && tokens[i + 1] === '-' && i + 2 < tokens.length && tokens[i + 2] !== ']') {
      const range = translateRange(token, tokens[i + 2] ?? '', reading);
      if (range === undefined) return undefined;
      out += range;
      i += 2;
      continue;
    }
    const piece = translateToken(token, inClass, reading);
    if (piece === undefined) return undefined;
    out += piece;
  }
  return out;
}

function translateToken(token: string, inClass: boolean, reading: Reading): string | undefined {
  if (token.startsWith('\\')) return translateEscape(token, inClass, reading);
  if (token === '.' && !inClass) return reading.dotAll ? '[\\s\\S]' : '.';
  if (token.length > 2 || !reading.ignoreCase) return token;
  const variants = caseVariants(token);
  if (variants === undefined) return undefined;
  if (variants.length < 2) return token;
  return inClass ? variants.join('') : `[${variants.join('')}]`;
}

function translateEscape(token: string, inClass: boolean, reading: Reading): string | undefined {
  const code = /^\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))$/.exec(token);
  if (code !== null) {
    const text = String.fromCodePoint(parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16));
    return reading.ignoreCase && caseVariants(text)?.length !== 1 ? undefined : token;
  }
  const rest = token.slice(1);
  // Under `u` a backslash may stand before syntax characters only; elsewhere it means nothing.
  if (rest.length === 1 && !/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(rest)) return inClass && rest === '-' ? token : rest;
  return token;
}

function translateRange(from: string, to: string, reading: Reading): string | undefined {
  if (from.startsWith('\\') || to.startsWith('\\')) {
    return reading.ignoreCase ? undefined : `${from}-${to}`;
  }
  const range = `${from}-${to}`;
  if (!reading.ignoreCase) return range;
  let out = range;
  const first = from.codePointAt(0) ?? 0;
  const last = to.codePointAt(0) ?? 0;
  if (last > 0x7f) return undefined;
  if (/^[a-z]-[a-z]$/.test(range)) return range + range.toUpperCase();
  if (/^[A-Z]-[A-Z]$/.test(range)) return range.toLowerCase() + range;
  for (let code = first; code <= last; code++) {
    const character = String.fromCodePoint(code);
    for (const variant of caseVariants(character) ?? []) {
      const at = variant.codePointAt(0) ?? 0;
      if (at < first || at > last) out += variant;
    }
  }
  return out;
}

const ONE_CHARACTER = /^[^]$/u;

/** The character and its other cases, lower case first; `undefined` when its cases are not single characters. */
function caseVariants(character: string): string[] | undefined {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  if (lower === upper) return [character];
  if (!ONE_CHARACTER.test(lower) || !ONE_CHARACTER.test(upper)) return undefined;
  return [...new Set([lower, upper])];
}
