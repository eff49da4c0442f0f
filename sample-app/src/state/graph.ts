import type { Asset } from '../asset.js';
import { keysAgree, parseTarget, type Target } from './address.js';

/** How the dependencies of a state were resolved. */
export interface EdgeCounts {
  /** Entries in the dependency lists of managed instances. */
  readonly listed: number;
  /** Of these, how many point at data sources. */
  readonly toData: number;
  /** Of these, how many name something that has no instance in the file. */
  readonly dangling: number;
  /** Distinct asset-to-asset edges, after `count` and `for_each` on the target side are expanded. */
  readonly pairs: number;
}

/** Every one of `sources` depends on every one of `targets`: what a list shared by all instances of a block means. */
interface Bundle {
  readonly sources: Asset[];
  readonly targets: ReadonlySet<Asset>;
  readonly missing: readonly string[];
  readonly toData: number;
}

/**
 * The dependency edges of one state. They are kept in bundles and never multiplied out: two blocks of a thousand
 * instances are one bundle, not a million pairs.
 */
export class Graph {
  readonly counts: EdgeCounts;
  readonly #bundles = new Map<string, Bundle>();
  readonly #ofAsset = new Map<Asset, Bundle>();

  /** @param nodes Every asset with its dependency list, as absolute addresses. */
  constructor(nodes: readonly { asset: Asset; dependencies: readonly string[] }[]) {
    const index = new TargetIndex(nodes.map(({ asset }) => asset));
    const counts = { listed: 0, toData: 0, dangling: 0, pairs: 0 };
    for (const { asset, dependencies } of nodes) {
      const bundle = this.#bundleFor(dependencies, index);
      bundle.sources.push(asset);
      this.#ofAsset.set(asset, bundle);
      counts.listed += dependencies.length;
      counts.toData += bundle.toData;
      counts.dangling += bundle.missing.length;
      counts.pairs += bundle.targets.size;
    }
    this.counts = counts;
  }

  /** What `asset` depends on. */
  dependenciesOf(asset: Asset): readonly Asset[] {
    return [...(this.#ofAsset.get(asset)?.targets ?? [])];
  }

  /** What depends on `asset`. */
  dependentsOf(asset: Asset): readonly Asset[] {
    return [...this.#bundles.values()].filter(({ targets }) => targets.has(asset)).flatMap(({ sources }) => sources);
  }

  /** What `asset` depends on according to the file, though the file holds no instance of it. */
  missingOf(asset: Asset): readonly string[] {
    return this.#ofAsset.get(asset)?.missing ?? [];
  }

  #bundleFor(dependencies: readonly string[], index: TargetIndex): Bundle {
    const name = dependencies.join('\n');
    const known = this.#bundles.get(name);
    if (known !== undefined) return known;
    const targets = new Set<Asset>();
    const missing: string[] = [];
    let toData = 0;
    for (const entry of dependencies) {
      const target = parseTarget(entry);
      if (target?.isData) {
        toData++;
        continue;
      }
      if (target?.isValue) continue;
      const found = target === undefined ? [] : index.find(target);
      if (found.length === 0) missing.push(entry);
      for (const asset of found) targets.add(asset);
    }
    const bundle = { sources: [], targets, missing, toData };
    this.#bundles.set(name, bundle);
    return bundle;
  }
}

/** Assets by the block they are an instance of. */
class TargetIndex {
  readonly #byBlock = new Map<string, { asset: Asset; target: Target }[]>();

  constructor(assets: readonly Asset[]) {
    for (const asset of assets) {
      const target = parseTarget(asset.address);
      if (target === undefined) continue;
      const block = this.#byBlock.get(target.block);
      if (block === undefined) this.#byBlock.set(target.block, [{ asset, target }]);
      else block.push({ asset, target });
    }
  }

  /** Every instance that `wanted` means; all instances of a module when it names one. */
  find(wanted: Target): Asset[] {
    const candidates =
      wanted.type === undefined
        ? [...this.#byBlock.values()].flat().filter(({ target }) => `${target.module}.`.startsWith(`${wanted.module}.`))
        : (this.#byBlock.get(wanted.block) ?? []);
    return candidates.filter(({ target }) => keysAgree(wanted.keys, target.keys)).map(({ asset }) => asset);
  }
}
