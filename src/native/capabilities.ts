import type { Wire } from '../core/content.js';
import type { PrimitiveKind } from '../core/ports.js';
import { isIncluded } from '../layer/filters.js';
import type { Layer } from '../layer/layer.js';
import { kindOf } from '../registry/kinds.js';
import type { Era } from './era.js';

const NONE = (): undefined => undefined;

/** What a server may offer, besides what every server does. */
export type Feature = 'tools' | 'resources' | 'prompts' | 'completions';

/** The features, in the order of their bits in {@link Capabilities.mask}. */
export const FEATURES: readonly Feature[] = Object.freeze(['tools', 'resources', 'prompts', 'completions']);

const KINDS_OF: Readonly<Record<Feature, readonly PrimitiveKind[]>> = {
  tools: ['tool'],
  resources: ['resource', 'template'],
  prompts: ['prompt'],
  completions: ['prompt', 'template'],
};

/** What the operator decides. */
export interface CapabilityOptions {
  /** Whether clients are told when a list changes. */
  readonly listChanged: boolean;
  /** Whether clients may subscribe to single resources. */
  readonly subscribe: boolean;
  /** Offered also while there is nothing of the kind yet. */
  readonly features: readonly Feature[];
}

/**
 * The one model behind `initialize` and `server/discover`. A feature is offered once the layer has something of its
 * kind, or when the options name it, and from then on: a server whose last tool goes away lists no tools, and does not
 * forget the method.
 */
export class Capabilities {
  readonly #layer: Layer;
  readonly #options: CapabilityOptions;
  readonly #extensions: (era: Era) => Wire | undefined;
  #mask = 0;

  /** @param extensions What is offered besides, by the ids of extensions. */
  constructor(layer: Layer, options: CapabilityOptions, extensions: (era: Era) => Wire | undefined = NONE) {
    this.#layer = layer;
    this.#options = options;
    this.#extensions = extensions;
    for (const feature of options.features) this.#mask |= bitOf(feature);
  }

  get listChanged(): boolean {
    return this.#options.listChanged;
  }

  get subscribe(): boolean {
    return this.#options.subscribe;
  }

  /** Whether a feature is offered now. */
  has(feature: Feature): boolean {
    const bit = bitOf(feature);
    if ((this.#mask & bit) === 0 && this.#exists(feature)) this.#mask |= bit;
    return (this.#mask & bit) !== 0;
  }

  /** What is offered now, as bits, so that a session can keep what it was told in a number. */
  get mask(): number {
    for (const feature of FEATURES) this.has(feature);
    return this.#mask;
  }

  /**
   * What is offered now, as clients are told. Logging always is: any handler may log.
   *
   * @param era Whose extensions are told of; none without one.
   * @param pushes Whether anything can be sent that nobody asked for.
   */
  toWire(era?: Era, { pushes }: { readonly pushes: boolean } = { pushes: true }): Record<string, unknown> {
    const listChanged = this.listChanged && pushes ? { listChanged: true } : {};
    const extensions = era && this.#extensions(era);
    return {
      logging: {},
      ...(this.has('completions') ? { completions: {} } : {}),
      ...(this.has('prompts') ? { prompts: listChanged } : {}),
      ...(this.has('resources')
        ? { resources: { ...(this.subscribe && pushes ? { subscribe: true } : {}), ...listChanged } }
        : {}),
      ...(this.has('tools') ? { tools: listChanged } : {}),
      ...(extensions === undefined ? {} : { extensions }),
    };
  }

  #exists(feature: Feature): boolean {
    const { registry, options } = this.#layer;
    return KINDS_OF[feature].some((kind) => {
      for (const spec of registry.of(kind).values()) {
        if (isIncluded(spec, options) && (feature !== 'completions' || kindOf(spec).isCompleted(spec))) return true;
      }
      return false;
    });
  }
}

/** The bit of a feature in a mask. */
export function bitOf(feature: Feature): number {
  return 1 << FEATURES.indexOf(feature);
}
