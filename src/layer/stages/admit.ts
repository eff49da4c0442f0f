import { ALLOW_ALL } from '../../core/ports.js';
import type { Stage } from '../call-state.js';

/** Asks the policy: may this caller, and not too often? */
export const admit: Stage = {
  name: 'admit',
  summary: 'the policy decides: access, then rate limits',
  applies: (_spec, { policy }) => policy !== ALLOW_ALL,
  run: (call) => call.admit(),
};
