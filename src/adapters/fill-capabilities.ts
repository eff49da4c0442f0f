import type { Capabilities, ProtocolServer } from './host.js';

/** What was added to a server's capabilities: a name, with the keys of it, or with nothing when all of it was added. */
export type Filled = Map<string, Set<string> | undefined>;

/**
 * Advertises `wanted` wherever the host has not decided.
 *
 * @param before What was added already.
 * @param isForced Whether `listChanged` is advertised against the host's own choice.
 * @returns What was added in all, and the names that were new.
 */
export function fillCapabilities(
  server: ProtocolServer,
  wanted: Record<string, unknown>,
  before: Filled,
  isForced: boolean,
): { readonly filled: Filled; readonly added: readonly string[] } {
  const filled: Filled = new Map(before);
  const addition: Capabilities = {};
  const added: string[] = [];
  for (const [name, value] of Object.entries(wanted as Capabilities)) {
    if (value === undefined) continue;
    const own = server._capabilities[name];
    if (own === undefined) {
      addition[name] = value;
      filled.set(name, undefined);
      added.push(name);
      continue;
    }
    const keys = Object.keys(value).filter(
      (key) => own[key] === undefined || (isForced && key === 'listChanged' && own[key] === false),
    );
    if (keys.length === 0) continue;
    addition[name] = Object.fromEntries(keys.map((key) => [key, value[key]]));
    added.push(...keys.map((key) => `${name}.${key}`));
    if (!filled.has(name)) filled.set(name, new Set());
    for (const key of keys) filled.get(name)?.add(key);
  }
  if (added.length > 0) register(server, addition);
  return { filled, added };
}

/** Once connected, the SDK refuses to be told more; what has not been asked for yet can still be answered. */
function register(server: ProtocolServer, addition: Capabilities): void {
  if (server.transport === undefined) {
    server.registerCapabilities(addition);
    return;
  }
  const merged: Capabilities = { ...server._capabilities };
  for (const [name, value] of Object.entries(addition)) merged[name] = { ...merged[name], ...value };
  server._capabilities = merged;
}

/** Takes back what was filled, where the host has not come to rely on it. */
export function releaseCapabilities(server: ProtocolServer, filled: Filled): void {
  const left: Capabilities = { ...server._capabilities };
  for (const [name, keys] of filled) {
    if (keys === undefined) {
      delete left[name];
      continue;
    }
    left[name] = Object.fromEntries(Object.entries(left[name] ?? {}).filter(([key]) => !keys.has(key)));
  }
  server._capabilities = left;
}
