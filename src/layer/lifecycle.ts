import type { Container, Logger } from '../core/ports.js';
import { describe } from './failures.js';
import type { ServiceScopes } from './service-scopes.js';

/** A service that wants to know when serving begins and ends. Both are called once, and awaited. */
export interface Lifecycle {
  onStart?(): void | Promise<void>;
  onStop?(): void | Promise<void>;
}

/** Starts and stops the services of a layer, each once. */
export class ServiceLifecycle {
  readonly #container: Container;
  readonly #scopes: ServiceScopes;
  readonly #logger: Logger;
  readonly #started = new Set<object>();
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(container: Container, scopes: ServiceScopes, logger: Logger) {
    this.#container = container;
    this.#scopes = scopes;
    this.#logger = logger;
  }

  /** @param resolveAll Makes every instance that is shared, so that all of them hear of the start. */
  start(resolveAll: () => Promise<void>): Promise<void> {
    return (this.#starting ??= this.#start(resolveAll));
  }

  async #start(resolveAll: () => Promise<void>): Promise<void> {
    await resolveAll();
    for (const instance of this.#container.singletons?.() ?? []) {
      if (this.#started.has(instance)) continue;
      this.#started.add(instance);
      await (instance as Lifecycle).onStart?.();
    }
  }

  /** Request scopes first, then shared instances, the last made first. An error in one is logged and stops no other. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#attempt('a request scope', () => this.#scopes.closeOpen());
    for (const instance of [...(this.#container.singletons?.() ?? [])].reverse()) {
      await this.#attempt(`${instance.constructor.name}.onStop`, () => (instance as Lifecycle).onStop?.());
    }
    await this.#attempt('the container', () => this.#container.dispose());
  }

  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.error(`${what} failed while closing`, describe(error));
    }
  }
}
