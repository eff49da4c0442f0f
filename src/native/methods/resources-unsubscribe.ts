import { invalidParams, success } from '../messages.js';
import type { DirectMethod } from '../method.js';

/** Asks to be told no longer. */
export const resourcesUnsubscribe = {
  name: 'resources/unsubscribe',
  eras: ['handshake'],
  feature: 'resources',
  answer: ({ capabilities }, { id, params }, session) => {
    if (session === undefined || !capabilities.subscribe) return undefined;
    const uri = params?.['uri'];
    if (typeof uri !== 'string') return invalidParams(id, '"uri" must be text');
    session.subscriptions?.delete(uri);
    return success(id, {});
  },
} as const satisfies DirectMethod;
