import { LOG_LEVELS, type LogLevel } from '../core/context.js';
import type { Engine } from './engine.js';
import type { HandshakeVersion } from './era.js';
import {
  invalidParams,
  type JsonRpcRequest,
  type JsonRpcResponse,
  methodNotFound,
  type Params,
  success,
} from './messages.js';
import { HANDSHAKE_METHODS } from './methods.js';
import { type Exchange, type Peer, requestClass } from './request.js';
import { revisionOf } from './revisions.js';
import type { Admitted } from './stateless.js';

const NO_CAPABILITIES: Params = Object.freeze({});

/** What a request of a handshake revision is answered by where no session is kept: nothing is remembered from one to the next. */
export class Sessionless {
  readonly #engine: Engine;
  readonly #peer: Peer;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#peer = { id: undefined, clientCapabilities: NO_CAPABILITIES, logLevel: engine.options.logLevel };
  }

  /** What runs for a request, or the answer where nothing has to run. */
  admit(message: JsonRpcRequest, version: HandshakeVersion, exchange: Exchange): Admitted | JsonRpcResponse {
    switch (message.method) {
      case 'ping':
        return success(message.id, {});
      case 'logging/setLevel':
        if (LOG_LEVELS.includes(message.params?.['level'] as LogLevel)) return success(message.id, {});
        return invalidParams(message.id, `"level" must be one of ${LOG_LEVELS.join(', ')}`);
      default: {
        const method = HANDSHAKE_METHODS.get(message.method);
        if (method === undefined || (method.feature !== undefined && !this.#engine.capabilities.has(method.feature))) {
          return methodNotFound(message);
        }
        const { info, principal } = exchange;
        const { layer } = this.#engine;
        const active = new (requestClass(message))(
          layer,
          message,
          revisionOf(version),
          principal,
          info,
          this.#peer,
          exchange,
        );
        return { method, active };
      }
    }
  }
}
