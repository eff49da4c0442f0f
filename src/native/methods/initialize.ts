import { ErrorCode } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import { negotiate } from '../era.js';
import { failure, invalidParams, type Params, success } from '../messages.js';
import type { DirectMethod } from '../method.js';
import { revisionOf } from '../revisions.js';

const NOTHING: Params = Object.freeze({});

/** Opens a conversation: agrees on a revision, and says what is offered. */
export const initialize = {
  name: 'initialize',
  eras: ['handshake'],
  early: true,
  answer: (host, { id, params }, session) => {
    if (session?.revision !== undefined)
      return failure(id, ErrorCode.InvalidRequest, 'Invalid request: this session is initialized already.');
    const { protocolVersion, capabilities = NOTHING, clientInfo } = params ?? NOTHING;
    if (typeof protocolVersion !== 'string') return invalidParams(id, '"protocolVersion" must be text');
    if (!isRecord(capabilities)) return invalidParams(id, '"capabilities" must be an object');
    if (clientInfo !== undefined && !isRecord(clientInfo)) return invalidParams(id, '"clientInfo" must be an object');
    const revision = revisionOf(negotiate(protocolVersion));
    session?.begin(revision, capabilities, clientInfo);
    const { instructions } = host.options;
    return success(id, {
      protocolVersion: revision.version,
      capabilities: host.capabilities.toWire('handshake', { pushes: session !== undefined }),
      serverInfo: host.identity(revision),
      ...(instructions === undefined ? {} : { instructions }),
    });
  },
} as const satisfies DirectMethod;
