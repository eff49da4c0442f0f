import type { Layer } from '../layer/layer.js';

const STARTS = new WeakMap<Layer, Promise<void> | true>();

/** Starts a layer's services, as serving does; `undefined` once they run. A start that failed fails every request. */
export function ready(layer: Layer): Promise<void> | undefined {
  let start = STARTS.get(layer);
  if (start === undefined) {
    start = layer.start();
    STARTS.set(layer, start);
    start.then(
      () => STARTS.set(layer, true),
      (error: unknown) => layer.logger.error('a service of a mounted layer failed to start', { error: String(error) }),
    );
  }
  return start === true ? undefined : start;
}
