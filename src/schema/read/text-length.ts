/**
 * The length of a text as class-validator counts it: a surrogate pair is one character, and a variation selector
 * belongs to the character before it. Source: validator 13.15, `isLength`.
 */
export function textLength(text: string): number {
  let count = text.length;
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isSelector = code === 0xfe0f || code === 0xfe0e;
    if (isSelector && i > 0 && previous !== 0xfe0f && previous !== 0xfe0e) count--;
    if (code >= 0xdc00 && code <= 0xdfff && previous >= 0xd800 && previous <= 0xdbff) count--;
    previous = code;
  }
  return count;
}
