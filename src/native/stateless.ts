import { LOG_LEVELS } from '../core/context.js';
import { type Principal, RequestInfo } from '../core/principal.js';
import type { Engine, Method } from './engine.js';
import { envelopeFault, MetaKey, metaOf, MODERN, versionFault } from './era.js';
import {
  invalidParams,
  isRecord,
  type JsonRpcFailure,
  type JsonRpcRequest,
  methodNotFound,
  type Params,
} from './messages.js';
import { STATELESS_METHODS } from './methods.js';
import { type ActiveRequest, type Carrier, type Peer, requestClass, SILENT } from './request.js';
import { revisionOf } from './revisions.js';

/** A stateless request that may run. */
export interface Admitted {
  readonly method: Method;
  readonly active: ActiveRequest;
}

const REVISION = revisionOf(MODERN);

/** Judges stateless requests, in the order of the protocol: envelope, version, method, then what the method needs. */
export class Stateless {
  readonly #engine: Engine;
  readonly #methods: ReadonlyMap<string, Method>;

  /** @param listen What answers `subscriptions/listen`. */
  constructor(engine: Engine, listen: Method) {
    this.#engine = engine;
    this.#methods = new Map([...STATELESS_METHODS, ['subscriptions/listen', listen]]);
  }

  /** What runs for a request, or what is wrong with it. */
  admit(message: JsonRpcRequest, info: RequestInfo, principal: Principal, carrier: Carrier): Admitted | JsonRpcFailure {
    const fault = envelopeFault(message) ?? versionFault(message);
    if (fault !== undefined) return fault;
    const method = this.#methods.get(message.method);
    if (method === undefined || (method.feature !== undefined && !this.#engine.capabilities.has(method.feature))) {
      return methodNotFound(message);
    }
    const meta = metaOf(message) as Params;
    const logLevel = levelOf(meta[MetaKey.LogLevel]);
    if (logLevel < 0) return invalidParams(message.id, `"${MetaKey.LogLevel}" must be one of ${LOG_LEVELS.join(', ')}`);
    const peer: Peer = { id: undefined, clientCapabilities: meta[MetaKey.ClientCapabilities] as Params, logLevel };
    const known = withClient(info, meta[MetaKey.ClientInfo]);
    const active = new (requestClass(message))(this.#engine.layer, message, REVISION, principal, known, peer, carrier);
    return { method, active };
  }
}

/** Nothing is sent to a client that did not ask, so the level that lets nothing pass stands for none. */
function levelOf(level: unknown): number {
  return level === undefined ? SILENT : LOG_LEVELS.indexOf(level as (typeof LOG_LEVELS)[number]);
}

/** What is known of a request, with what the client says of itself. */
function withClient(info: RequestInfo, clientInfo: unknown): RequestInfo {
  if (info.clientInfo !== undefined || !isRecord(clientInfo)) return info;
  const { transport, headers, sessionId, accessToken, principal, raw } = info;
  return new RequestInfo({ transport, headers, sessionId, accessToken, principal, raw, clientInfo });
}
