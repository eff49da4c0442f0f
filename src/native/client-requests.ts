import { CancelledError, isLayerError, McpLayerError, TimeoutError } from '../core/errors.js';
import { type JsonRpcRequest, type JsonRpcResponse, notification, type Params, type RequestId } from './messages.js';
import type { Carrier } from './request.js';

/** How a client is asked for something. */
export interface ClientRequestOptions {
  /** Withdraws the request: the client is told, and the promise is rejected. */
  readonly signal?: AbortSignal | undefined;
  /** How long the client may take. Default: no limit but the caller's own. */
  readonly timeoutMs?: number | undefined;
  /** Where the request goes: to the request that it belongs to, or to the session where there is none. */
  readonly exchange?: Carrier | undefined;
}

/** What a client answered when it refused, or could not do, what it was asked. `code` and `data` are the client's. */
export class ClientRequestError extends McpLayerError {
  constructor(message: string, code: number, data: unknown) {
    super(message, data, { code });
    this.name = 'ClientRequestError';
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What one handshake client was asked and has not answered yet. The ids are the server's own. */
export class ClientRequests {
  readonly #waiting = new Map<RequestId, Waiting>();
  #lastId = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a request and waits for {@link settle}.
   *
   * @throws {ClientRequestError} When the client answers with an error.
   * @throws {TimeoutError} When it takes too long.
   * @throws {CancelledError} When `signal` fires, or the session ends.
   */
  ask(method: string, params: Params | undefined, carrier: Carrier, options: ClientRequestOptions): Promise<unknown> {
    const { signal, timeoutMs } = options;
    if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const end = <T>(finish: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', withdraw);
          this.#waiting.delete(id);
          finish(value);
        };
      };
      const fail = end(reject);
      const giveUp = (error: Error, reason: string): void => {
        fail(error);
        carrier.notify(notification('notifications/cancelled', { requestId: id, reason }));
      };
      const withdraw = (): void => giveUp(asError(signal?.reason), 'The server no longer needs the answer.');
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(
              () =>
                giveUp(
                  new TimeoutError(`The client did not answer ${method} within ${timeoutMs} ms.`),
                  'The time is up.',
                ),
              timeoutMs,
            );
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#waiting.set(id, { resolve: end(resolve), reject: fail });
      const message: JsonRpcRequest =
        params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
      try {
        carrier.notify(message);
      } catch (error) {
        fail(asError(error));
      }
    });
  }

  /** Takes a client's answer. One that nobody waits for is ignored. */
  settle(response: JsonRpcResponse): void {
    const waiting = response.id === null ? undefined : this.#waiting.get(response.id);
    if (waiting === undefined) return;
    if ('result' in response) waiting.resolve(response.result);
    else waiting.reject(new ClientRequestError(response.error.message, response.error.code, response.error.data));
  }

  /** Rejects everything that still waits. */
  close(): void {
    for (const { reject } of [...this.#waiting.values()])
      reject(new CancelledError('The session ended before the client answered.'));
  }
}

function asError(reason: unknown): Error {
  return isLayerError(reason) ? reason : new CancelledError();
}
