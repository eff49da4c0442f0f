import type { Looked } from '../../../core/context.js';
import { ErrorCode } from '../../../core/errors.js';
import { envelopeFault, MODERN } from '../../era.js';
import { idOf, invalidRequest, type JsonRpcNotification, type JsonRpcRequest } from '../../messages.js';
import type { Passed } from './gate.js';
import type { RouteHost } from './route-host.js';
import { headerFault, nameOf, notificationHeaderFault, parameterFault } from '../wire/request-headers.js';
import type { Accepted } from '../wire/media-types.js';
import { type Answering, PostExchange } from '../answers/post-exchange.js';
import { sendEmpty, sendFailure, sendFault, modernStatus } from '../wire/replies.js';

/** Serves POSTs of the modern era: each request is judged on its own, and ends with its connection. */
export class ModernRoute {
  readonly #host: RouteHost;
  /** A listen stream is one in every response mode. */
  readonly #listening: Answering;

  constructor(host: RouteHost) {
    this.#host = host;
    this.#listening = {
      heartbeat: host.heartbeat,
      responseMode: 'sse',
      failed: (error) => host.failed(error),
    };
  }

  post(passed: Passed, accepted: Accepted): Promise<unknown> | undefined {
    const { request, reply, kind, message } = passed;
    switch (kind) {
      case 'request':
        return this.#request(passed, accepted, message as JsonRpcRequest);
      case 'notification': {
        const fault = notificationHeaderFault((message as JsonRpcNotification).method, request.headers);
        if (fault === undefined) sendEmpty(reply, 202);
        else
          sendFault(request, reply, {
            status: 400,
            code: ErrorCode.HeaderMismatch,
            message: `Header mismatch: ${fault}.`,
          });
        return undefined;
      }
      case 'response':
        // Servers of this era ask nothing, so there is nothing to answer.
        sendFault(request, reply, {
          status: 400,
          message: 'Invalid request: no response is awaited.',
          id: idOf(message),
        });
        return undefined;
      case 'batch': {
        const problem = `batches are no part of ${MODERN}; send one message at a time`;
        sendFault(request, reply, { status: 400, message: `Invalid request: ${problem}.` });
        return undefined;
      }
      default:
        sendFailure(request, reply, 400, invalidRequest(message));
        return undefined;
    }
  }

  #request(passed: Passed, accepted: Accepted, message: JsonRpcRequest): Promise<unknown> | undefined {
    const { request, reply, info, principal } = passed;
    const { layer, server } = this.#host;
    const method = server.methodOf(message.method);
    const name = nameOf(method, message);
    const fault = envelopeFault(message) ?? headerFault(method, message, request.headers);
    if (fault !== undefined) {
      sendFailure(request, reply, 400, fault);
      return undefined;
    }
    const listens = method?.streams === true;
    let looked: Looked | undefined;
    if (method?.headerParams !== undefined) {
      const repeated = method.headerParams(layer, name ?? '', principal);
      looked = repeated.looked;
      const mismatch =
        repeated.params.length === 0 ? undefined : parameterFault(message, request.headers, repeated.params);
      if (mismatch !== undefined) {
        sendFailure(request, reply, 400, mismatch);
        return undefined;
      }
    } else if (listens && !accepted.events) {
      sendFault(request, reply, {
        status: 406,
        message: 'This is answered with text/event-stream. Accept it.',
        id: message.id,
      });
      return undefined;
    }
    const exchange = new PostExchange(info, principal, reply, accepted, listens ? this.#listening : this.#host);
    if (exchange.over) return undefined;
    exchange.looked = looked;
    return server.handleModern(message, exchange).then((response) => {
      exchange.answer(
        response,
        response !== undefined && 'error' in response ? modernStatus(response.error.code) : 200,
      );
    });
  }
}
