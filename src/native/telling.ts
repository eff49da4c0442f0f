import { describeThrown } from '../core/describe-thrown.js';
import type { ExtensionFilter, ExtensionRequest, ExtensionResult, ExtensionStream } from '../core/extension.js';
import type { Wire } from '../core/content.js';
import { type JsonRpcNotification, notification, type Params } from './messages.js';
import type { ActiveRequest } from './request.js';

/** What extensions know of the keys of filters. */
export interface FilterSource {
  /** Whether a key is an extension's. */
  hears(key: string): boolean;
  filter(
    key: string,
    active: ActiveRequest,
  ): { readonly filter: ExtensionFilter; readonly request: ExtensionRequest } | undefined;
}

/** What extensions tell on one listen stream: held back until the stream is acknowledged, and nothing after its end. */
export class Telling {
  /** The parts of the filter that extensions honour. */
  readonly honoured: Wire = {};
  readonly #active: ActiveRequest;
  readonly #tag: Wire;
  readonly #listeners: (() => void)[] = [];
  #held: JsonRpcNotification[] | undefined = [];
  #over = false;

  constructor(active: ActiveRequest, tag: Wire) {
    this.#active = active;
    this.#tag = tag;
  }

  /**
   * Lets extensions judge the keys of a filter that are theirs.
   *
   * @throws {MissingCapabilityError} When the client did not declare the extension whose key it uses.
   */
  async judge(keys: readonly string[], filter: Params, source: FilterSource): Promise<void> {
    try {
      for (const key of keys) {
        const judge = source.filter(key, this.#active);
        if (judge === undefined) continue;
        const honoured = await judge.filter(filter[key], this.#streamFor(judge.request));
        if (honoured !== undefined) this.honoured[key] = honoured;
      }
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Called once the stream is acknowledged. */
  begin(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const message of held) this.#send(message);
  }

  /** Called when the stream ends, whoever ended it. */
  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#listeners) this.#attempt(listener);
  }

  #streamFor(request: ExtensionRequest): ExtensionStream {
    return {
      request,
      notify: (method: string, params: ExtensionResult = {}) => {
        const meta = { ...(params['_meta'] as Wire | undefined), ...this.#tag };
        this.#send(notification(method, { ...params, _meta: meta }));
      },
      onEnd: (listener) => {
        if (this.#over) this.#attempt(listener);
        else this.#listeners.push(listener);
      },
    };
  }

  #send(message: JsonRpcNotification): void {
    if (this.#over || this.#active.cancelled) return;
    if (this.#held === undefined) this.#active.carrier.notify(message);
    else this.#held.push(message);
  }

  #attempt(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#active.layer.logger.error('an extension failed at the end of a stream', describeThrown(error));
    }
  }
}
