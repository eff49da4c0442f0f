import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { forget, isPromise } from '../core/guards.js';
import type { Policy } from '../core/ports.js';
import type { Principal } from '../core/principal.js';

/** What is the same for callers who are shown the same; `undefined` when nothing can be shared or kept. */
export function viewOf(policy: Policy, principal: Principal): string | undefined {
  const scope: unknown = policy.scopeOf(principal);
  if (scope !== undefined && typeof scope !== 'string') {
    if (isPromise(scope)) forget(scope);
    throw new ConfigurationError(
      finding(
        'CT911',
        `policy '${policy.name}': scopeOf returned ${isPromise(scope) ? 'a promise' : 'no text'}. Return text, or undefined.`,
      ),
    );
  }
  const { version } = policy;
  return version === undefined || scope === undefined ? scope : JSON.stringify([version, scope]);
}
