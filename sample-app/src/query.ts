import { createHash } from 'node:crypto';
import { InvalidArgumentsError } from 'cartouche';
import type { Asset, Provider } from './asset.js';
import { regionName } from './state/region.js';

/** The fields that assets are counted by. */
export const GROUP_FIELDS = ['provider', 'type', 'region', 'account'] as const;

/** One of {@link GROUP_FIELDS}. */
export type GroupField = (typeof GROUP_FIELDS)[number];

/** The fields that results are sorted by. */
export const SORT_FIELDS = ['address', 'name', 'type', 'provider', 'region'] as const;

/** One of {@link SORT_FIELDS}. */
export type SortField = (typeof SORT_FIELDS)[number];

/** How an asset without a region or an account is counted and asked for. */
export const NONE = '(none)';

/** What to look for. Everything given must hold. */
export interface AssetFilter {
  /** Words, in any case, each somewhere in the name, type, address, id, ARN or a tag. */
  readonly query?: string;
  readonly provider?: Provider;
  readonly type?: string;
  /** `(none)` for assets whose region is not known. */
  readonly region?: string;
  readonly account?: string;
  /** A module's path, with or without keys; its child modules are included. */
  readonly module?: string;
  /** `key` or `key=value`. */
  readonly tag?: string;
}

/** How many assets there are of each value of `field`, the most frequent first. */
export function countBy(assets: readonly Asset[], field: GroupField): Record<string, number> {
  const counts = new Map<string, number>();
  for (const asset of assets) {
    const value = asset[field] ?? NONE;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || compare(a, b)));
}

/** The assets that match, sorted; equal ones by address. */
export function select(assets: readonly Asset[], filter: AssetFilter, sort: SortField, descending: boolean): Asset[] {
  const words = filter.query?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const direction = descending ? -1 : 1;
  return assets
    .filter((asset) => matches(asset, filter) && containsAll(asset, words))
    .sort((a, b) => direction * compare(a[sort] ?? '', b[sort] ?? '') || compare(a.address, b.address));
}

/**
 * Marks a place in one listing: "`offset` results of this search over these data were seen". It goes stale when the
 * data or the search change, since the place would then be another.
 */
export class Cursor {
  readonly #listing: string;

  /** @param listing Everything the listing depends on: the digest of the data, the filter, the order. */
  constructor(...listing: readonly unknown[]) {
    this.#listing = createHash('sha256').update(JSON.stringify(listing)).digest('base64url').slice(0, 16);
  }

  /** The text to hand out. */
  write(offset: number): string {
    return Buffer.from(`${this.#listing}.${offset}`).toString('base64url');
  }

  /**
   * The offset in a cursor that was handed out.
   * @throws {InvalidArgumentsError} When it belongs to another listing or is none.
   */
  read(cursor: string): number {
    const [, listing, offset] = /^([\w-]{16})\.(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    if (listing === undefined)
      throw refusal('not a cursor of this server. Leave it out to start again', 'invalid_cursor');
    if (listing !== this.#listing) {
      throw refusal('stale: the data or the filters changed. Leave it out to start again', 'stale_cursor');
    }
    return Number(offset);
  }
}

function refusal(msg: string, type: string): InvalidArgumentsError {
  return new InvalidArgumentsError([{ loc: 'cursor', msg, type }]);
}

function matches(asset: Asset, { provider, type, region, account, module, tag }: AssetFilter): boolean {
  // An empty filter is one that was not meant.
  return (
    (!provider || asset.provider === provider) &&
    (!type || asset.type === type) &&
    (!region || (asset.region ?? NONE) === regionName(region)) &&
    (!account || (asset.account ?? NONE) === account) &&
    (!module || isInModule(asset.module, module)) &&
    (!tag || hasTag(asset.tags, tag))
  );
}

function isInModule(actual: string | undefined, wanted: string): boolean {
  if (actual === undefined) return false;
  const paths = [actual, actual.replace(/\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]/g, '')];
  return paths.some((path) => `${path}.`.startsWith(`${wanted}.`));
}

function hasTag(tags: Asset['tags'], wanted: string): boolean {
  const [key = '', ...value] = wanted.split('=');
  return Object.hasOwn(tags, key) && (value.length === 0 || tags[key] === value.join('='));
}

function containsAll(asset: Asset, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const tags = Object.entries(asset.tags).map(([key, value]) => `${key}=${value}`);
  const haystack = [asset.name, asset.type, asset.address, asset.id, asset.arn, ...tags].join('\n').toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
