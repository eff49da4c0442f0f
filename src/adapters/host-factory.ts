import type { Layer } from '../layer/layer.js';
import type { MountOptions } from './options.js';
import { registerInto } from './register-into.js';

/**
 * Mounts a layer in every server that a factory makes. What the factory returned is what is returned: the SDK's entries
 * ask for its very class.
 */
export function hostFactory<A extends readonly unknown[], S extends object | Promise<object>>(
  layer: Layer,
  makeServer: (...args: A) => S,
  options?: MountOptions,
): (...args: A) => S {
  return (...args) => {
    const made = makeServer(...args);
    if (!(made instanceof Promise)) {
      registerInto(layer, made, options);
      return made;
    }
    return made.then((server: object) => {
      registerInto(layer, server, options);
      return server;
    }) as S;
  };
}
