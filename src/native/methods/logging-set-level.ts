import { LOG_LEVELS, type LogLevel } from '../../core/context.js';
import { invalidParams, success } from '../messages.js';
import type { DirectMethod } from '../method.js';

/** Says from which level a session is told what handlers log. Without a session there is nothing to remember it in. */
export const loggingSetLevel = {
  name: 'logging/setLevel',
  eras: ['handshake'],
  answer: (_host, { id, params }, session) => {
    const level = LOG_LEVELS.indexOf(params?.['level'] as LogLevel);
    if (level < 0) return invalidParams(id, `"level" must be one of ${LOG_LEVELS.join(', ')}`);
    if (session !== undefined) session.logLevel = level;
    return success(id, {});
  },
} as const satisfies DirectMethod;
