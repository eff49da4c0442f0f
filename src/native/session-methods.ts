import { LOG_LEVELS, type LogLevel } from '../core/context.js';
import { ErrorCode } from '../core/errors.js';
import type { Principal } from '../core/principal.js';
import type { Engine } from './engine.js';
import {
  failure,
  invalidParams,
  type JsonRpcRequest,
  type JsonRpcResponse,
  methodNotFound,
  success,
} from './messages.js';

/** How many resources one session may subscribe to. */
const MAX_SUBSCRIPTIONS = 1000;

/** The part of a session that its client can set. */
export interface SessionState {
  /** The index in `LOG_LEVELS` from which log messages are sent. */
  logLevel: number;
  /** The resources whose changes the client wants to hear of. */
  subscriptions: Set<string> | undefined;
}

/** Answers what changes the session itself and runs no handler; `undefined` for every other method. */
export function answerForSession(
  engine: Engine,
  session: SessionState,
  message: JsonRpcRequest,
  principal: Principal,
): JsonRpcResponse | undefined {
  switch (message.method) {
    case 'logging/setLevel':
      return setLevel(session, message);
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      if (!engine.capabilities.subscribe || !engine.capabilities.has('resources')) return methodNotFound(message);
      return message.method === 'resources/subscribe'
        ? subscribe(engine, session, message, principal)
        : unsubscribe(session, message);
    default:
      return undefined;
  }
}

function setLevel(session: SessionState, { id, params }: JsonRpcRequest): JsonRpcResponse {
  const level = LOG_LEVELS.indexOf(params?.['level'] as LogLevel);
  if (level < 0) return invalidParams(id, `"level" must be one of ${LOG_LEVELS.join(', ')}`);
  session.logLevel = level;
  return success(id, {});
}

function subscribe(
  { layer }: Engine,
  session: SessionState,
  { id, params }: JsonRpcRequest,
  principal: Principal,
): JsonRpcResponse {
  const uri = params?.['uri'];
  if (typeof uri !== 'string') return invalidParams(id, '"uri" must be text');
  if (layer.findResource(uri, principal) === undefined) {
    return failure(id, ErrorCode.ResourceNotFound, `Resource not found: ${uri}`, { uri });
  }
  const subscriptions = (session.subscriptions ??= new Set());
  if (subscriptions.size >= MAX_SUBSCRIPTIONS && !subscriptions.has(uri)) {
    return invalidParams(id, `a session may subscribe to ${MAX_SUBSCRIPTIONS} resources; unsubscribe from one first`);
  }
  subscriptions.add(uri);
  return success(id, {});
}

function unsubscribe(session: SessionState, { id, params }: JsonRpcRequest): JsonRpcResponse {
  const uri = params?.['uri'];
  if (typeof uri !== 'string') return invalidParams(id, '"uri" must be text');
  session.subscriptions?.delete(uri);
  return success(id, {});
}
