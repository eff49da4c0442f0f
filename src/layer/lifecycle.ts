import type { Container } from '../core/container.js';
import { describeThrown } from '../core/describe-thrown.js';
import type { Logger } from '../core/ports.js';
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
    await this.#container.start?.();
    for (const instance of this.#container.instances?.() ?? []) {
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
    for (const scope of this.#scopes.open) await this.#attempt('a request scope', () => scope.dispose());
    for (const instance of [...(this.#container.instances?.() ?? [])].reverse()) {
      const service = instance as Lifecycle;
      // What was never started has nothing to stop.
      if (service.onStart !== undefined && !this.#started.has(instance)) continue;
      await this.#attempt(`${nameOf(instance)}.onStop`, () => service.onStop?.());
    }
    await this.#attempt('the container', () => this.#container.dispose());
  }

  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.error(`${what} failed while closing`, describeThrown(error));
    }
  }
}

function nameOf(instance: { readonly constructor?: { readonly name: string } }): string {
  return instance.constructor?.name ?? 'a service';
}
