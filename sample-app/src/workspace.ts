import { basename, resolve } from 'node:path';
import { InvalidArgumentsError, NotFoundError, ToolError } from 'cartouche';
import { DATASET_NAME_RULE, isDatasetName } from './dataset-name.js';
import { Dataset } from './dataset.js';
import { nearest } from './nearest.js';
import { AllowedRoots, didYouMean } from './roots.js';
import { readStateFile, type Confirm } from './state/read.js';

/** What a workspace may do. */
export interface WorkspaceOptions {
  /** The directories that agents may load state files from. Default: none. */
  readonly roots?: readonly string[];
  /** Larger state files are refused. Default: 100 MB. */
  readonly maxStateBytes?: number;
}

const DEFAULT_MAX_STATE_BYTES = 100_000_000;

/** The datasets that are loaded, and which of them is meant when none is named. */
export class Workspace {
  readonly roots: AllowedRoots;
  readonly #maxStateBytes: number;
  readonly #datasets = new Map<string, Dataset>();
  #active: string | undefined;

  constructor(options: WorkspaceOptions = {}) {
    this.roots = new AllowedRoots(options.roots ?? []);
    this.#maxStateBytes = options.maxStateBytes ?? DEFAULT_MAX_STATE_BYTES;
  }

  /** The loaded datasets, oldest first. */
  get datasets(): readonly Dataset[] {
    return [...this.#datasets.values()];
  }

  /** The name of the dataset that is meant when none is named. */
  get active(): string | undefined {
    return this.#active;
  }

  /**
   * The dataset of this name, or the active one.
   * @throws {NotFoundError} When there is no such dataset, or none at all.
   */
  dataset(name?: string): Dataset {
    // Forms send what was left out as ''.
    const wanted = name || this.#active;
    const found = wanted === undefined ? undefined : this.#datasets.get(wanted);
    if (found !== undefined) return found;
    if (!name) throw new NotFoundError('No dataset is loaded. Load a state file first.');
    const suggestions = nearest(name, this.#datasets.keys());
    throw new NotFoundError(`No dataset "${name}".${didYouMean(suggestions)}`, { suggestions });
  }

  /** The names of datasets that start like this. */
  datasetsLike(partial: string): string[] {
    return [...this.#datasets.keys()].filter((name) => name.toLowerCase().startsWith(partial.toLowerCase()));
  }

  /** The references of the active dataset that contain this text, those that start with it first. */
  referencesLike(partial: string): string[] {
    const wanted = partial.toLowerCase();
    const found = [...this.dataset().references()].filter((reference) => reference.toLowerCase().includes(wanted));
    const starts = (reference: string): number => Number(!reference.toLowerCase().startsWith(wanted));
    return found.sort((a, b) => starts(a) - starts(b));
  }

  /** Loads a state file that an agent asks for: only from inside the allowed roots. Errors as of {@link load}. */
  async loadAllowed(path: string, options: { name?: string; replace?: boolean } = {}): Promise<Dataset> {
    const located = await this.roots.locate(path);
    return this.#load(located, options, (file) => this.roots.confirm(file, path));
  }

  /**
   * Loads a state file and makes it the active dataset.
   * @param options `name`: default the file's own, without its endings; `replace`: whether it may take a name in use.
   * @throws {ToolError} When the file is not a state that can be read, or the name is in use.
   */
  async load(path: string, options: { name?: string; replace?: boolean } = {}): Promise<Dataset> {
    return this.#load(resolve(path), options);
  }

  async #load(path: string, options: { name?: string; replace?: boolean }, confirm?: Confirm): Promise<Dataset> {
    const name = options.name ?? nameFor(path);
    if (!isDatasetName(name)) {
      throw new InvalidArgumentsError([{ loc: 'name', msg: DATASET_NAME_RULE, type: 'pattern' }]);
    }
    this.#refuseTaken(name, options.replace);
    const dataset = new Dataset(name, path, await readStateFile(path, this.#maxStateBytes, confirm));
    // Somebody else may have taken the name while the file was read.
    this.#refuseTaken(name, options.replace);
    this.#datasets.delete(name);
    this.#datasets.set(name, dataset);
    this.#active = name;
    return dataset;
  }

  /**
   * Forgets a dataset. When it was the active one, the one loaded last becomes active.
   * @throws {NotFoundError} When there is no such dataset.
   */
  unload(name: string): void {
    this.#datasets.delete(this.dataset(name).name);
    if (this.#active === name) this.#active = [...this.#datasets.keys()].at(-1);
  }

  #refuseTaken(name: string, replace = false): void {
    if (!replace && this.#datasets.has(name)) {
      throw new ToolError(`Dataset "${name}" is loaded already. Choose another name, or replace it.`);
    }
  }
}

function nameFor(path: string): string {
  const plain = basename(path).replace(/(?:\.tfstate)?(?:\.json)?$/i, '');
  return plain.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '').slice(0, 64) || 'state'; // prettier-ignore
}
