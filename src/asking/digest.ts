import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.js';

/** A digest of a value as JSON has it, as 22 letters and digits; the order of keys does not matter. */
export function digestOf(value: unknown): string {
  const plain = (JSON.stringify(value) as string | undefined) ?? '';
  // What nests too deep to be put in order is taken as it is.
  const text = plain === '' ? '' : (canonicalJson(JSON.parse(plain)) ?? plain);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
