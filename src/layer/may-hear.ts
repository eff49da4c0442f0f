import { describeThrown } from '../core/describe-thrown.js';
import { ALLOW_ALL } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { Layer } from './layer.js';

/** Whether a caller may hear of what is under a URI, by what the policy says now; one that fails says no. */
export function mayHear(layer: Layer, uri: string, principal: Principal): boolean {
  // Where everybody sees everything, what is gone is news too.
  if (layer.policy === ALLOW_ALL) return true;
  try {
    return layer.findResource(uri, principal) !== undefined;
  } catch (error) {
    layer.logger.error('a policy failed over who may hear of a resource', { uri, ...describeThrown(error) });
    return false;
  }
}
