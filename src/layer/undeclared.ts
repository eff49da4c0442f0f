import type { Registry } from '../registry/registry.js';
import { isIncluded } from './filters.js';
import type { ResolvedOptions } from './options.js';

/** How many names a warning spells out. */
const MAX_NAMED = 10;

/** Warns of tools that declare no capabilities: nothing can be concluded of them, which few authors mean. */
export class UndeclaredWarning {
  readonly #registry: Registry;
  readonly #options: ResolvedOptions;
  #isGiven = false;

  constructor(registry: Registry, options: ResolvedOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** Warns when there is something to warn of, once: when the layer is built, or of what was added until it starts. */
  give(): void {
    if (this.#isGiven) return;
    // The read-only filter leaves them out, which is a reason to say so.
    const unfiltered = { ...this.#options, readOnly: false };
    const served = [...this.#registry.tools.values()].filter((spec) => isIncluded(spec, unfiltered));
    const undeclared = served.filter(({ declared }) => !declared);
    if (undeclared.length === 0) return;
    this.#isGiven = true;
    const names = undeclared.slice(0, MAX_NAMED).map(({ name }) => name);
    const more = undeclared.length > names.length ? `, and ${undeclared.length - names.length} more` : '';
    this.#options.logger.warn(
      `McpLayer: ${undeclared.length} of ${served.length} tools declare no capabilities: ${names.join(', ')}${more}. ` +
        'Clients, cache, retry and readOnly take them for tools that may do anything. ' +
        'Give them capabilities ([] for one that touches nothing), or set defaultCapabilities on the class or the layer ' +
        "(['read_state'] where all of them only read).",
    );
  }
}
