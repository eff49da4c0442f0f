import type { AnyClass } from '../src/core/class.js';
import { lineage, readOwnClass } from '../src/core/metadata.js';
import { SERVICE } from '../src/core/records.js';

/**
 * How long an instance lives, as `@McpService` says; `undefined` for a class without it. A subclass lives as long as its
 * parent, unless it says otherwise: one that was made for a request must not come to be shared by leaving that unsaid.
 */
export function serviceScope(cls: AnyClass): 'singleton' | 'request' | undefined {
  const stated = lineage(cls)
    .flatMap((owner) => readOwnClass(SERVICE, owner))
    .findLast(({ scope }) => scope !== undefined)?.scope;
  if (readOwnClass(SERVICE, cls).length === 0) return stated === 'request' ? 'request' : undefined;
  return stated ?? 'singleton';
}
