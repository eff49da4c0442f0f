import type { LRUCache } from 'lru-cache';
import { requireModule } from '../core/require-module.js';

/**
 * A cache that forgets what was not used for the longest, loaded when something first keeps any. Of the last versions that
 * ask nothing of Node.js: a bundle that is an ES module has no `require` for that.
 */
export function makeLru<V extends object | string>(options: LRUCache.Options<string, V, unknown>): LRUCache<string, V> {
  const { LRUCache: Lru } = requireModule('lru-cache') as typeof import('lru-cache');
  return new Lru(options);
}
