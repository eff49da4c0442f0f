import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';

/**
 * The arguments with JSON text parsed where the schema declares nothing but an array or an object, for hosts that send
 * nested values as text. A property that may be a text stays one.
 */
export function parseDeclaredText(schema: JsonSchema, value: unknown): unknown {
  const properties = schema.properties;
  if (!isRecord(value) || !isRecord(properties)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, declared] of Object.entries(properties)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof given !== 'string' || !isRecord(declared)) continue;
    const parsed = parse(given, declared.type);
    if (parsed === undefined) continue;
    copy ??= { ...value };
    copy[key] = parsed;
  }
  return copy ?? value;
}

function parse(text: string, type: unknown): unknown {
  if (type !== 'array' && type !== 'object') return undefined;
  try {
    const parsed = JSON.parse(text) as unknown;
    return (type === 'array' ? Array.isArray(parsed) : isRecord(parsed)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
