import { BOUNDS } from '../core/bounds.js';
import type { Layer } from '../layer/layer.js';

const WARNED = new WeakMap<Layer, Set<string>>();

/** How many different warnings are remembered; a host with endless clashes is warned about again from then on. */
const MAX_KEYS = BOUNDS.hostWarnings.default;

/** Warns of something once in a layer's life: hosts that make a server per request would repeat it with every one. */
export function warnOnce(layer: Layer, key: string, message: string): void {
  const warned = WARNED.get(layer) ?? new Set<string>();
  WARNED.set(layer, warned);
  if (warned.has(key)) return;
  if (warned.size >= MAX_KEYS) warned.clear();
  warned.add(key);
  layer.logger.warn(`registerInto: ${message}`);
}
