import type { ServerResponse } from 'node:http';

/** How long a client may go on sending a body that nobody wants, on a connection that is to be closed. */
const LINGER_MS = 2000;

/** Whether the connection is closed behind an answer with these headers. */
export function closesAfter(response: ServerResponse, headers: Readonly<Record<string, string | number>>): boolean {
  // HTTP/2 has nothing of the kind.
  return (response.shouldKeepAlive as boolean | undefined) === false || headers['connection'] === 'close';
}

/**
 * A connection that is closed while its client still sends is reset, and the answer with it. So the rest of the request
 * is taken first, and thrown away.
 */
export function endAfterRequest(response: ServerResponse): void {
  const { req: request } = response;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  timer.unref();
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
