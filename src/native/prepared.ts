import { ErrorCode } from '../core/errors.js';
import { failure, type JsonRpcMessage, type Reply } from './messages.js';

/** The JSON of prepared results, once it was asked for. */
const PREPARED = new WeakMap<object, string | undefined>();

/**
 * Marks a result that many answers share, so that it is turned into JSON once. The result must never change again.
 */
export function prepare<T extends object>(result: T): T {
  PREPARED.set(result, undefined);
  return Object.freeze(result);
}

/** The JSON of a prepared result; `undefined` for any other. */
export function preparedJson(result: object): string | undefined {
  let json = PREPARED.get(result);
  if (json === undefined && PREPARED.has(result)) {
    json = JSON.stringify(result);
    PREPARED.set(result, json);
  }
  return json;
}

/** Writes a result now, for {@link serialise} to find, and gives its length; 0 for what JSON cannot say. */
export function writeResult(result: object): number {
  try {
    const json = preparedJson(result) ?? JSON.stringify(result);
    PREPARED.set(result, json);
    return json.length;
  } catch {
    return 0;
  }
}

/**
 * A message or batch as JSON. Prepared results are not turned into JSON again. What JSON cannot say (a bigint that a
 * middleware put into `_meta`) becomes an error answer instead of an exception.
 */
export function serialise(reply: JsonRpcMessage | Reply): string {
  if (isBatch(reply)) return `[${reply.map(serialise).join(',')}]`;
  try {
    if ('result' in reply) {
      const json = preparedJson(reply.result);
      if (json !== undefined) return `{"jsonrpc":"2.0","id":${JSON.stringify(reply.id)},"result":${json}}`;
    }
    return JSON.stringify(reply);
  } catch {
    const id = 'id' in reply ? reply.id : null;
    return JSON.stringify(failure(id, ErrorCode.InternalError, 'The result cannot be sent: JSON cannot say it.'));
  }
}

function isBatch(reply: JsonRpcMessage | Reply): reply is Extract<Reply, readonly unknown[]> {
  return Array.isArray(reply);
}
