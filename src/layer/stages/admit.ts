import { AccessDeniedError } from '../../core/errors.js';
import { ALLOW_ALL } from '../../core/ports.js';
import type { Stage } from '../call-state.js';

/** Asks the policy: may this caller, and not too often? */
export const admit: Stage = {
  name: 'admit',
  summary: 'the policy decides: access, then rate limits',
  applies: (_spec, { policy }) => policy !== ALLOW_ALL,
  run(call) {
    const { policy } = call.runtime.options;
    const decision = policy.decide(call.found().spec, call.principal);
    if (!decision.allowed) {
      throw new AccessDeniedError(`Access denied: ${call.name}`, { policy: policy.name, reason: decision.reason });
    }
    return call.admitNow();
  },
};
