import { success } from '../messages.js';
import type { DirectMethod } from '../method.js';

/** Says that somebody is there. */
export const ping = {
  name: 'ping',
  eras: ['handshake'],
  early: true,
  answer: (_host, { id }) => success(id, {}),
} as const satisfies DirectMethod;
