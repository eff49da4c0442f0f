import type { ServerResponse } from 'node:http';

/** A socket, or one stream of HTTP/2: its time runs while nothing of what was written is taken. */
interface Timed {
  readonly timeout?: number | undefined;
  setTimeout(ms: number): unknown;
  on(event: 'timeout', listener: () => void): unknown;
  removeListener(event: 'timeout', listener: () => void): unknown;
  destroy(): unknown;
}

/** The answer that each connection is watched for. */
const WATCHED = new WeakMap<Timed, ServerResponse>();

/**
 * Cuts a client off that takes nothing of a finished answer for `stallMs`; a slow one, that takes a little now and then,
 * is not. To be called when the answer was ended; costs nothing where the network took all of it at once.
 *
 * @param stallMs 0 never cuts.
 */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  if (stallMs === 0 || response.writableLength === 0 || response.destroyed) return;
  const { socket, stream } = response as { socket: Timed | null; stream?: Timed };
  const carrier = stream ?? socket;
  if (carrier !== null) watch(response, carrier, stallMs);
  // Answers to pipelined requests wait for their turn, and whoever is before them is watched.
  else response.once('socket', () => cutWhenStalled(response, stallMs));
}

function watch(response: ServerResponse, carrier: Timed, stallMs: number): void {
  const cut = (): void => void carrier.destroy();
  const before = carrier.timeout ?? 0;
  const over = (): void => {
    carrier.removeListener('timeout', cut);
    // Node sets a time of its own for the next request, unless it is told not to.
    if (WATCHED.get(carrier) === response && carrier.timeout === stallMs) carrier.setTimeout(before);
  };
  WATCHED.set(carrier, response);
  carrier.on('timeout', cut);
  carrier.setTimeout(stallMs);
  response.once('finish', over);
  response.once('close', over);
}
