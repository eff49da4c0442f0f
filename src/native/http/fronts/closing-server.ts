import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How long connections that are quiet are kept when the server closes, for what is on its way to be answered. */
export const FAREWELL_MS = 500;

/** No more connections; those that wait for their next request stay, which `server.close()` would reset. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

/** Until nobody is connected any more, or the time is over. Every answer meanwhile says that its connection closes. */
export async function goodbye(server: Server, ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until && (await connectionsOf(server)) > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** How long answers that were given may take to reach their clients. */
export const FLUSH_MS = 2000;

/** Connections that are done close at once; those of slow readers after a while. */
export async function drained(server: Server, closed: Promise<void>): Promise<void> {
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const late = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
