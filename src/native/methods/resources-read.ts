import { ErrorCode, errorKind } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import { sayable } from '../failures.js';
import { failure } from '../messages.js';
import { BOTH, running } from '../method.js';
import { text } from './params.js';

/** Reads a resource, listed or of a template. */
export const resourcesRead = running({
  name: 'resources/read',
  eras: BOTH,
  feature: 'resources',
  nameParam: 'uri',
  cacheable: 'personal',
  mayAsk: true,
  run: ({ layer }, { params, context }) => layer.readResource(text(params, 'uri'), { context }),
  result: (host, { revision }, contents) =>
    host.cacheable(revision, 'resources/read', {
      contents: contents.map((entry) => revision.contents(entry.toWire())),
    }),
  failed: (active, error) => {
    if (errorKind(error) !== 'NotFoundError') return undefined;
    const { layer, message, params, revision } = active;
    const data = sayable(layer, message.method, error.data);
    const code = revision.era === 'modern' ? ErrorCode.InvalidParams : ErrorCode.ResourceNotFound;
    return failure(message.id, code, error.message, { uri: params['uri'], ...(isRecord(data) ? data : {}) });
  },
});
