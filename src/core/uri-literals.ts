/** Encodes characters of `encoded` until `literal` occurs first where the value ends, so that a match finds its end. */
export function hideLiteral(encoded: string, literal: string): string {
  const whole = encoded + literal;
  if (literal.includes('%')) return hideAmong(encoded, literal);
  // No such literal begins in what is put in, so one way through the text finds all.
  let text = '';
  let from = 0;
  for (let at = whole.indexOf(literal); at < encoded.length; at = whole.indexOf(literal, at + 1)) {
    text += whole.slice(from, at) + percentOf(whole, at);
    from = at + 1;
  }
  return text + encoded.slice(from);
}

/**
 * The same for a literal that has encoded characters itself, one of which may come of what is put in. Whether it begins
 * at a place depends only on what is behind that, so one way from the end finds all: what is put in begins no literal.
 */
function hideAmong(encoded: string, literal: string): string {
  const first = literal.charAt(0);
  const pieces: string[] = [];
  /** What stands behind `end` by now, as far as a literal reaches. */
  let behind = literal;
  let end = encoded.length;
  for (let at = encoded.lastIndexOf(first); at !== -1; at = at === 0 ? -1 : encoded.lastIndexOf(first, at - 1)) {
    const rest = encoded.slice(at + 1, end);
    const clashes = (first + rest.slice(0, literal.length) + behind).startsWith(literal);
    const piece = (clashes ? percentOf(first, 0) : first) + rest;
    pieces.push(piece);
    behind = (piece.slice(0, literal.length) + behind).slice(0, literal.length);
    end = at;
  }
  return encoded.slice(0, end) + pieces.reverse().join('');
}

function percentOf(text: string, at: number): string {
  return `%${text.charCodeAt(at).toString(16).toUpperCase().padStart(2, '0')}`;
}
