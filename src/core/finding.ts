import type { FindingCode } from './finding-codes.js';

const CODE = / \[(CT\d{3})\]$/;

/** A finding with its code at the end: "site: problem. remedy. [CT101]". What stands before it can be added later. */
export function finding(code: FindingCode, text: string): string {
  return `${text} [${code}]`;
}

/** The code at the end of a finding; `CT000` where there is none, which is one of the user's own code. */
export function codeOf(text: string): string {
  return CODE.exec(text)?.[1] ?? 'CT000';
}

/** A finding without its code, to be said within another one. */
export function withoutCode(text: string): string {
  return text.replace(CODE, '');
}
