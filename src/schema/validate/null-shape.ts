import { DEFAULT_LIMITS } from '../base/limits.js';
import type { Shape } from '../read/model.js';
import { issuesOfSchema } from '../raw/shape.js';

/** Whether null is a value of this shape; elsewhere, null for a property that may be absent means that it is. */
export function takesNull({ kind, nullable, values, keywords }: Shape): boolean {
  if (kind === 'raw') return issuesOfSchema(keywords, null, DEFAULT_LIMITS).length === 0;
  return nullable || (kind === 'any' && values?.includes(null) === true);
}
