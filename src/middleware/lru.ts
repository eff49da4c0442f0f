import { requireModule } from '#require';
import type { LRUCache } from 'lru-cache';

/** A cache that forgets what was not used for the longest, loaded when something first keeps any. */
export function makeLru<V extends object | string>(options: LRUCache.Options<string, V, unknown>): LRUCache<string, V> {
  const { LRUCache: Lru } = requireModule('lru-cache') as typeof import('lru-cache');
  return new Lru(options);
}
