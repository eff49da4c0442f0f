import { errorKind } from '../../core/errors.js';
import { success } from '../messages.js';
import { BOTH, running } from '../method.js';
import { text } from './params.js';

/** Calls a tool. */
export const toolsCall = running({
  name: 'tools/call',
  eras: BOTH,
  feature: 'tools',
  nameParam: 'name',
  headerParams: (layer, name, principal) => {
    const looked = layer.look('tool', name, principal);
    return { params: looked.primitive?.input.headerParams ?? [], looked };
  },
  mayAsk: true,
  run: ({ layer }, { params, context, carrier: { looked } }) =>
    layer.callTool(text(params, 'name'), params['arguments'], { context, looked }),
  result: (host, { revision }, result) => host.finish(revision, revision.toolResult(result.toWire())),
  // Handshake revisions have no code for a capability that is missing: the model is told.
  failed: ({ message, revision }, error) =>
    revision.era === 'handshake' && errorKind(error) === 'MissingCapabilityError'
      ? success(message.id, { content: [{ type: 'text', text: error.message }], isError: true })
      : undefined,
});
