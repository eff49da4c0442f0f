import { CAPABILITIES, type Capability } from '../core/capabilities.js';
import type { Primitive } from '../core/ports.js';

const ALL_BUT_REVEAL: ReadonlySet<Capability> = new Set(CAPABILITIES.filter((capability) => capability !== 'reveal'));

/**
 * What a primitive is taken to be capable of: a tool that does not say may do anything. Only what policies themselves hide
 * cannot be shown by accident, so nothing has `reveal` that does not declare it.
 */
export function capabilitiesOf({ capabilities, declared, kind }: Primitive): ReadonlySet<Capability> {
  return kind === 'tool' && !declared ? ALL_BUT_REVEAL : capabilities;
}
