import type { LayerHandle } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import type { Extension } from '../core/extension.js';
import type { Logger } from '../core/ports.js';

/** Starts and stops the extensions of a layer, each once. */
export class ExtensionLifecycle {
  readonly #extensions: readonly Extension[];
  readonly #logger: Logger;
  readonly #started = new Set<Extension>();
  #starting: Promise<void> | undefined;

  constructor(extensions: readonly Extension[], logger: Logger) {
    this.#extensions = extensions;
    this.#logger = logger;
  }

  start(layer: LayerHandle): Promise<void> {
    return (this.#starting ??= this.#start(layer));
  }

  /** The last extension first. An error in one is logged and stops no other. */
  async close(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    for (const extension of [...this.#extensions].reverse()) {
      // What was never started has nothing to stop.
      if (extension.start !== undefined && !this.#started.has(extension)) continue;
      try {
        await extension.close?.();
      } catch (error) {
        this.#logger.error(`the extension ${extension.id} failed to close`, describeThrown(error));
      }
    }
  }

  async #start(layer: LayerHandle): Promise<void> {
    for (const extension of this.#extensions) {
      this.#started.add(extension);
      await extension.start?.(layer);
    }
  }
}
