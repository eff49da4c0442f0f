import { isRecord } from '../core/guards.js';
import type { PolicyDocument } from './document.js';

/** Lists that go on where the parent's end; those of a key that begins with `deny` do too, each entry once. */
const JOINED: ReadonlySet<string> = new Set(['rules', 'rateLimits']);

/**
 * A document on top of the one that it extends: scalars and `allow…` lists replace, mappings merge, `deny…` lists unite,
 * rules and rate limits follow those of the parent.
 */
export function mergeDocuments(parent: PolicyDocument, child: PolicyDocument): PolicyDocument {
  return mergeRecords(parent as Record<string, unknown>, child as Record<string, unknown>);
}

function mergeRecords(parent: Record<string, unknown>, child: Record<string, unknown>): Record<string, unknown> {
  // A role may be called as what every object has.
  const merged = new Map(Object.entries(parent));
  for (const [key, value] of Object.entries(child)) {
    if (value !== undefined) merged.set(key, mergeValues(key, merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function mergeValues(key: string, before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) {
    if (JOINED.has(key)) return [...(before as unknown[]), ...(value as unknown[])];
    return key.startsWith('deny') ? [...new Set([...(before as unknown[]), ...(value as unknown[])])] : value;
  }
  return isRecord(before) && isRecord(value) ? mergeRecords(before, value) : value;
}
