import { ErrorCode } from '../../core/errors.js';
import { failure, invalidParams, success } from '../messages.js';
import type { DirectMethod } from '../method.js';
import { MAX_SUBSCRIPTIONS } from '../subscriptions.js';

/** Asks to be told when a resource changes. */
export const resourcesSubscribe = {
  name: 'resources/subscribe',
  eras: ['handshake'],
  feature: 'resources',
  answer: ({ layer, capabilities }, { id, params }, session, principal) => {
    if (session === undefined || !capabilities.subscribe) return undefined;
    const uri = params?.['uri'];
    if (typeof uri !== 'string') return invalidParams(id, '"uri" must be text');
    const subscriber = principal();
    if (layer.findResource(uri, subscriber) === undefined) {
      return failure(id, ErrorCode.ResourceNotFound, `Resource not found: ${uri}`, { uri });
    }
    const subscriptions = (session.subscriptions ??= new Map());
    if (subscriptions.size >= MAX_SUBSCRIPTIONS && !subscriptions.has(uri)) {
      return invalidParams(id, `a session may subscribe to ${MAX_SUBSCRIPTIONS} resources; unsubscribe from one first`);
    }
    subscriptions.set(uri, subscriber);
    return success(id, {});
  },
} as const satisfies DirectMethod;
