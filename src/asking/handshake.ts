import type { HandshakeClient } from '../core/client-port.js';
import { AskingError, errorKind, isLayerError, McpLayerError, TimeoutError } from '../core/errors.js';
import type { Prepared } from './questions.js';

/** What limits a question to a client that waits. */
export interface AskLimits {
  readonly site: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Sends one question and waits for the result, the time-out or the end of the call, whichever comes first, however the
 * carrier behaves.
 *
 * @throws {AskingError} When the client answers with an error.
 * @throws {TimeoutError} When it takes too long.
 * @throws {CancelledError} When the call was cancelled, or the client has gone.
 */
export async function askHandshake(
  client: HandshakeClient,
  { method, timeoutMs: own }: Prepared,
  params: Readonly<Record<string, unknown>>,
  { signal, site, timeoutMs: general }: AskLimits,
): Promise<unknown> {
  signal.throwIfAborted();
  const timeoutMs = own ?? general;
  const limit = new AbortController();
  const withdraw = (): void => limit.abort(signal.reason);
  const timer = setTimeout(() => {
    limit.abort(new TimeoutError(`${site}: the client did not answer ${method} within ${timeoutMs} ms.`));
  }, timeoutMs);
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    const answer = client.request(method, params, { signal: limit.signal, timeoutMs });
    return await Promise.race([answer, whenAborted(limit.signal)]);
  } catch (error) {
    throw limit.signal.aborted ? (limit.signal.reason as Error) : refusal(error, site, method);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', withdraw);
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** What the client said when it would or could not answer. Its words go back to where they came from. */
function refusal(error: unknown, site: string, method: string): Error {
  const kind = errorKind(error);
  if (isLayerError(error) && (kind === 'CancelledError' || kind === 'TimeoutError' || kind === 'AskingError'))
    return error;
  const { code, message } = (error ?? {}) as Partial<McpLayerError>;
  const said = typeof message === 'string' ? `: ${message}` : '.';
  return new AskingError(
    `${site}: the client refused ${method}${said}`,
    'refused',
    typeof code === 'number' ? { code } : undefined,
  );
}
