import { describeThrown } from '../core/describe-thrown.js';
import type { Logger } from '../core/ports.js';

/** What carries requests to a layer, and ends with it. */
export class Carriers {
  readonly #ends = new Set<() => void>();

  /** @returns What takes it out again. */
  add(end: () => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** Ends each. One that throws keeps none of the others. */
  endAll(logger: Logger): void {
    for (const end of [...this.#ends]) {
      try {
        end();
      } catch (error) {
        logger.error('what was made from the layer failed to close', describeThrown(error));
      }
    }
  }
}
