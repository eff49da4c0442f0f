import { BOUNDS } from '../core/bounds.js';
import type { LRUCache } from 'lru-cache';
import { checkOptions, isCount } from '../core/check-options.js';
import type { CacheEntry, CacheStore } from '../core/stores.js';
import { makeLru } from './lru.js';

/** How much a {@link MemoryCacheStore} keeps. */
export interface MemoryCacheStoreOptions {
  /** Default: 1,000. */
  readonly maxEntries?: number;
  /** All answers together, in characters of JSON. Default: 64 million. */
  readonly maxChars?: number;
}

/** Keeps answers in this process; those that were not asked for the longest go first. */
export class MemoryCacheStore implements CacheStore {
  readonly #entries: LRUCache<string, CacheEntry>;

  /** @throws {ConfigurationError} When an option is wrong. */
  constructor(options: MemoryCacheStoreOptions = {}) {
    checkOptions('MemoryCacheStore', options, { maxEntries: isCount, maxChars: isCount });
    const { maxEntries = BOUNDS.maxCacheEntries.default, maxChars = BOUNDS.maxCacheChars.default } = options;
    this.#entries = makeLru({
      max: maxEntries,
      maxSize: maxChars,
      sizeCalculation: ({ json }, key) => key.length + json.length,
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(namespace: string, key: string): CacheEntry | undefined {
    return this.#entries.get(fullKey(namespace, key));
  }

  /** What is too old is not asked for, and goes when its place is needed. */
  set(namespace: string, key: string, entry: CacheEntry): void {
    this.#entries.set(fullKey(namespace, key), entry);
  }

  clear(namespace: string): void {
    const prefix = fullKey(namespace, '');
    for (const key of [...this.#entries.keys()]) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}

/** As JSON has it, no namespace is the beginning of another. */
function fullKey(namespace: string, key: string): string {
  return `${JSON.stringify(namespace)} ${key}`;
}
