import { BOUNDS } from '../core/bounds.js';

/** How many single resources one client may be told of: a session's subscriptions, a stream's filter, a mounted host's. */
export const MAX_SUBSCRIPTIONS = BOUNDS.subscriptions.default;
