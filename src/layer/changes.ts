import type { Change, ChangeKind, Logger } from '../core/ports.js';
import { describeThrown } from '../core/describe-thrown.js';

/** Tells listeners what changed. Changes of one moment are told once each, after the code that made them. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #pending = new Map<string, Change>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(kind: ChangeKind, uri?: string): void {
    if (this.#pending.size === 0) queueMicrotask(() => this.#flush());
    this.#pending.set(`${kind} ${uri ?? ''}`, uri === undefined ? { kind } : { kind, uri });
  }

  #flush(): void {
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    for (const change of changes) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(change);
        } catch (error) {
          this.#logger.error('a change listener threw', describeThrown(error));
        }
      }
    }
  }
}
