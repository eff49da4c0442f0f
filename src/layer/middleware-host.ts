import type { MiddlewareHost } from '../core/middleware.js';
import type { Registry } from '../registry/registry.js';
import { type Catalog, isSeen } from './catalog.js';
import type { Layer } from './layer.js';
import { viewOf } from './view-of.js';

/** What a middleware is handed of the layer that it is used in. */
export function middlewareHost(
  layer: Layer & { readonly registry: Registry },
  catalog: Catalog,
  name: string,
): MiddlewareHost {
  const { clock, logger, options, registry } = layer;
  return {
    layer,
    metaPrefix: options.metaPrefix,
    stores: options.stores,
    logger,
    clock,
    onChange: (listener) => layer.onChange(listener),
    canSee: (primitive, principal) => isSeen(catalog.decide(primitive, principal)),
    viewOf: (principal) => viewOf(options.policy, principal),
    addResource: (uri, given, read) => {
      const own = { uri, name, category: 'operations', sensitivity: 'internal', capabilities: [] } as const;
      registry.resource({ ...given, ...own }, read);
    },
  };
}
