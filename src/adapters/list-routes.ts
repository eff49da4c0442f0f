import type { Wire } from '../core/content.js';
import { ErrorCode } from '../core/errors.js';
import type { ListName } from '../layer/catalog.js';
import { LISTS } from '../registry/kinds.js';
import { LIST_SHAPES, type ListShape } from '../native/lists.js';
import { invalidParams, methodNotFound } from './host-error.js';
import { LIST_METHODS } from '../native/methods/index.js';
import type { HostRequest } from './host.js';
import type { Mount } from './mount.js';
import type { Route, RoutingHost } from './route.js';
import { warnOnce } from './warn-once.js';

/** A page of a list as a host sends it. */
type Page = Readonly<Record<string, unknown>>;

/** Lists what the host has, then what the layers have. A host's pages stay its pages: ours follow on the last. */
export function listRoute(name: ListName): Route {
  const shape = LIST_SHAPES[name];
  return {
    method: LIST_METHODS[name],
    parts: [name],
    async handle(host, request, extra) {
      const cursor = request.params?.['cursor'];
      const page = await hostPage(host, request, extra);
      if (page === undefined && cursor !== undefined) throw invalidParams('there is no page with this "cursor"');
      const entries = (page?.[shape.key] ?? []) as readonly Wire[];
      const isLast = page?.['nextCursor'] === undefined;
      if (page !== undefined) host.claims.saw(shape, entries, cursor === undefined && isLast);
      if (!isLast) return page;
      const ours = await ourEntries(host, shape, request, extra);
      if (ours.length === 0) {
        if (page !== undefined) return page;
        // The server has no such lists, and what is not advertised is not there.
        if (host.server._capabilities[LISTS[name].change] === undefined) throw methodNotFound(request.method);
      }
      const isPrivate = host.isModern && host.mounts.some((mount) => mount.varies);
      // A host's own hint, such as "public", would let one caller's list be shown to another.
      return { ...page, [shape.key]: [...entries, ...ours], ...(isPrivate ? { ttlMs: 0, cacheScope: 'private' } : {}) };
    },
  };
}

/** The host's part; `undefined` when it has no such method. */
async function hostPage(host: RoutingHost, request: HostRequest, extra: unknown): Promise<Page | undefined> {
  const inner = host.inner(request.method);
  if (inner === undefined) return undefined;
  try {
    return (await inner(request, extra)) as Page;
  } catch (error) {
    // A gateway's fallback handler knows only some methods.
    if ((error as { code?: unknown } | null)?.code === ErrorCode.MethodNotFound) return undefined;
    throw error;
  }
}

/** What the layers add, without what the host has, or an earlier layer. */
async function ourEntries(
  host: RoutingHost,
  shape: ListShape,
  request: HostRequest,
  extra: unknown,
): Promise<readonly Wire[]> {
  const ours: Wire[] = [];
  const names = new Set<string>();
  const mounts = host.mounts.filter((mount) => mount.includes(shape.list));
  if (mounts.length === 0) return ours;
  const isTaken = await host.claims.taken(shape.list, request, extra);
  const exchange = host.exchange(request, extra);
  for (const mount of mounts) {
    for (const entry of await mount.list(shape.list, exchange)) {
      const id = String(entry[shape.identity]);
      if (isTaken(id)) clash(mount, shape, id, 'the host has one, which stays');
      else if (names.has(id)) clash(mount, shape, id, 'another layer has one, which was first');
      else {
        names.add(id);
        ours.push(entry);
      }
    }
  }
  return ours;
}

function clash({ layer }: Mount, { identity, list }: ListShape, id: string, problem: string): void {
  const remedy = identity === 'name' ? 'Give the layer a prefix' : 'Give the layer a URI scheme of its own';
  warnOnce(layer, `${list} ${id}`, `${list} '${id}': ${problem}. ${remedy}.`);
}
