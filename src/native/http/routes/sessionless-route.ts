import { answerBatch, isBatch } from '../../batch.js';
import { BATCH_VERSION, HANDSHAKE_VERSIONS, type HandshakeVersion } from '../../era.js';
import { invalidRequest, type JsonRpcRequest, type JsonRpcResponse, kindOf } from '../../messages.js';
import type { Passed } from './gate.js';
import type { RouteHost } from './route-host.js';
import type { Accepted } from '../wire/media-types.js';
import { PostExchange } from '../answers/post-exchange.js';
import { sendEmpty, sendFailure } from '../wire/replies.js';

/**
 * Serves the handshake revisions without sessions: any process answers any request, nothing is remembered, and nothing is
 * sent but answers and what belongs to them.
 */
export class SessionlessRoute {
  readonly #host: RouteHost;

  constructor(host: RouteHost) {
    this.#host = host;
  }

  post(passed: Passed, accepted: Accepted): Promise<unknown> | undefined {
    const { request, reply, info, principal, message, kind } = passed;
    if (kind === 'notification' || kind === 'response') {
      sendEmpty(reply, 202);
      return undefined;
    }
    const version = versionOf(passed.version);
    if (kind === 'batch' && !isBatch(message, version, this.#host.options.maxBatchMessages)) {
      sendFailure(request, reply, 400, invalidRequest(message));
      return undefined;
    }
    const exchange = new SessionlessExchange(info, principal, reply, accepted, this.#host);
    const max = this.#host.layer.options.maxResultChars;
    const answer =
      kind === 'batch'
        ? answerBatch(message as readonly unknown[], (member) => this.#member(member, version, exchange), max)
        : this.#host.server.handleSessionless(message as JsonRpcRequest, version, exchange);
    return answer.then((outcome) => exchange.answer(outcome));
  }

  async #member(
    message: unknown,
    version: HandshakeVersion,
    exchange: SessionlessExchange,
  ): Promise<JsonRpcResponse | undefined> {
    const kind = kindOf(message);
    if (kind === 'notification' || kind === 'response') return undefined;
    if (kind !== 'request') return invalidRequest(message);
    return this.#host.server.handleSessionless(message as JsonRpcRequest, version, exchange);
  }
}

/** In the handshake revisions a lost connection withdraws nothing. */
class SessionlessExchange extends PostExchange {
  protected override disconnected(): void {
    this.channel?.lose();
  }
}

/** Clients before 2025-06-18 do not say which revision they speak. Source: MCP 2025-11-25, "Protocol version header". */
function versionOf(header: string | undefined): HandshakeVersion {
  return HANDSHAKE_VERSIONS.find((version) => version === header) ?? BATCH_VERSION;
}
