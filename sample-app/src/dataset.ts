import { InvalidArgumentsError, NotFoundError } from 'cartouche';
import type { Asset } from './asset.js';
import { nearest } from './nearest.js';
import { didYouMean } from './roots.js';
import type { Estate } from './state/read.js';

const MAX_CANDIDATES = 10;

/** A state file that was loaded, and what its assets can be called. */
export class Dataset {
  readonly #byReference = new Map<string, Set<Asset>>();
  readonly #byAddress = new Map<string, Asset>();

  /** @param source The path of the file, to show. */
  constructor(
    readonly name: string,
    readonly source: string,
    readonly estate: Estate,
  ) {
    for (const asset of estate.assets) {
      this.#byAddress.set(asset.address, asset);
      for (const reference of [asset.id, asset.arn, asset.name]) {
        if (reference === undefined) continue;
        const known = this.#byReference.get(reference);
        if (known === undefined) this.#byReference.set(reference, new Set([asset]));
        else known.add(asset);
      }
    }
  }

  /** The assets, in the order of the file. */
  get assets(): readonly Asset[] {
    return this.estate.assets;
  }

  /**
   * The asset that `reference` means: an address, an id, an ARN, or a name that only one asset has.
   * @throws {NotFoundError} When there is none; the nearest references are suggested.
   * @throws {InvalidArgumentsError} When several assets have it; they are listed.
   */
  resolve(reference: string): Asset {
    const exact = this.#byAddress.get(reference);
    if (exact !== undefined) return exact;
    const [first, ...others] = this.#byReference.get(reference) ?? [];
    if (first === undefined) {
      const suggestions = nearest(reference, this.references());
      throw new NotFoundError(`No asset "${reference}" in dataset "${this.name}".${didYouMean(suggestions)}`, {
        suggestions,
      });
    }
    if (others.length === 0) return first;
    const addresses = [first, ...others].slice(0, MAX_CANDIDATES).map(({ address }) => address);
    throw new InvalidArgumentsError([
      {
        loc: 'ref',
        msg: `${others.length + 1} assets are called "${reference}": ${addresses.join(', ')}. Use an address`,
        type: 'ambiguous',
      },
    ]);
  }

  /** Everything that {@link resolve} takes and finds exactly one asset for: addresses first. */
  *references(): Generator<string> {
    yield* this.#byAddress.keys();
    for (const [reference, assets] of this.#byReference) if (assets.size === 1) yield reference;
  }
}
