import { tagOf } from '../listen.js';
import { running } from '../method.js';

/** Opens a stream: acknowledges first, then tells of changes; answered when the server ends it. */
export const subscriptionsListen = running({
  name: 'subscriptions/listen',
  eras: ['modern'],
  streams: true,
  run: (host, active) => host.listening.open(host, active),
  result: (host, active) => host.finish(active.revision, { _meta: tagOf(active) }),
});
