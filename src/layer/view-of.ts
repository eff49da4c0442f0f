import type { Policy } from '../core/ports.js';
import type { Principal } from '../core/principal.js';

/** What is the same for callers who are shown the same; `undefined` when nothing can be shared or kept. */
export function viewOf(policy: Policy, principal: Principal): string | undefined {
  const scope = policy.scopeOf(principal);
  const { version } = policy;
  return version === undefined || scope === undefined ? scope : JSON.stringify([version, scope]);
}
