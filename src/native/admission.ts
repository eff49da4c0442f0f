import { LOG_LEVELS } from '../core/context.js';
import { ErrorCode } from '../core/errors.js';
import { isRecord } from '../core/guards.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { Feature } from './capabilities.js';
import type { Engine } from './engine.js';
import { type Era, envelopeFault, MetaKey, metaOf, MODERN, versionFault } from './era.js';
import {
  failure,
  invalidParams,
  type JsonRpcFailure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  methodNotFound,
  type Params,
} from './messages.js';
import type { Method, RunningMethod, SessionState } from './method.js';
import { type ActiveRequest, type Carrier, type Peer, requestClass, SILENT } from './request.js';
import { type Revision, revisionOf } from './revisions.js';

/** A request that may run. */
export interface Admitted {
  readonly method: RunningMethod;
  readonly active: ActiveRequest;
}

/** Where a request of a handshake revision comes from: a session, or an endpoint that keeps none. */
export interface Conversation {
  readonly session: (SessionState & Offering) | undefined;
  /** `undefined` before `initialize`. */
  readonly revision: Revision | undefined;
  readonly peer: Peer;
  readonly info: RequestInfo;
  readonly carrier: Carrier;
  /** Asked only by what needs it. */
  readonly principal: () => Principal;
}

/** A session remembers what its client was told. */
interface Offering {
  offers(feature: Feature): boolean;
}

const MODERN_REVISION = revisionOf(MODERN);

/** Judges requests before anything runs: finds the method, and makes what it runs in. */
export class Admission {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** What runs for a modern request, or what is wrong with it, in the order of the protocol: envelope, version, method, then what the method needs. */
  modern(
    message: JsonRpcRequest,
    info: RequestInfo,
    principal: Principal,
    carrier: Carrier,
  ): Admitted | JsonRpcFailure {
    const fault = envelopeFault(message) ?? versionFault(message);
    if (fault !== undefined) return fault;
    const method = this.#find(message, 'modern');
    if (method === undefined || !('run' in method) || !this.#offers(method)) return methodNotFound(message);
    const meta = metaOf(message) as Params;
    const logLevel = levelOf(meta[MetaKey.LogLevel]);
    if (logLevel < 0) return invalidParams(message.id, `"${MetaKey.LogLevel}" must be one of ${LOG_LEVELS.join(', ')}`);
    const peer: Peer = { id: undefined, clientCapabilities: meta[MetaKey.ClientCapabilities] as Params, logLevel };
    const clientInfo = meta[MetaKey.ClientInfo];
    const known = info.clientInfo === undefined && isRecord(clientInfo) ? info.with({ clientInfo }) : info;
    return { method, active: this.#activate(message, MODERN_REVISION, principal, known, peer, carrier) };
  }

  /** The same for a request of a handshake revision, which may also be answered at once. */
  handshake(message: JsonRpcRequest, from: Conversation): Admitted | JsonRpcResponse {
    const { session, revision, peer, info, carrier } = from;
    const method = this.#find(message, 'handshake');
    if (revision === undefined && method?.early !== true) {
      return failure(message.id, ErrorCode.InvalidRequest, 'Invalid request: send "initialize" first.');
    }
    if (method === undefined || !this.#offers(method, session)) return methodNotFound(message);
    if ('answer' in method) {
      return method.answer(this.#engine, message, session, from.principal) ?? methodNotFound(message);
    }
    return { method, active: this.#activate(message, revision as Revision, from.principal(), info, peer, carrier) };
  }

  #find({ method: name }: JsonRpcRequest, era: Era): Method | undefined {
    const method = this.#engine.methods.get(name);
    return method?.eras.includes(era) === true ? method : undefined;
  }

  #offers({ feature }: Method, session?: Offering): boolean {
    return feature === undefined || session?.offers(feature) === true || this.#engine.capabilities.has(feature);
  }

  #activate(
    message: JsonRpcRequest,
    revision: Revision,
    principal: Principal,
    info: RequestInfo,
    peer: Peer,
    carrier: Carrier,
  ): ActiveRequest {
    return new (requestClass(message))(this.#engine.layer, message, revision, principal, info, peer, carrier);
  }
}

/** Nothing is sent to a client that did not ask, so the level that lets nothing pass stands for none. */
function levelOf(level: unknown): number {
  return level === undefined ? SILENT : LOG_LEVELS.indexOf(level as (typeof LOG_LEVELS)[number]);
}
