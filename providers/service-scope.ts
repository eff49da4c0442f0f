import type { AnyClass } from '../src/core/class.js';
import { readOwnClass } from '../src/core/metadata.js';
import { SERVICE } from '../src/core/records.js';

/** How long an instance lives, as `@McpService` says; `undefined` for a class without it. */
export function serviceScope(cls: AnyClass): 'singleton' | 'request' | undefined {
  const records = readOwnClass(SERVICE, cls);
  return records.length === 0
    ? undefined
    : (records.findLast(({ scope }) => scope !== undefined)?.scope ?? 'singleton');
}
