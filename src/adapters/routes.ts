import type { Wire } from '../core/content.js';
import { ErrorCode } from '../core/errors.js';
import type { ListName } from '../layer/catalog.js';
import type { CompletionReference } from '../layer/layer-core.js';
import { LIST_SHAPES, type ListShape } from '../native/lists.js';
import { isRecord } from '../native/messages.js';
import type { Exchange } from './dialect.js';
import { HostError, invalidParams, methodNotFound, NOT_OURS } from './host-error.js';
import { type HostClaims, LIST_METHODS } from './host-claims.js';
import type { HostRequest, ProtocolServer, RawHandler } from './host.js';
import type { CompletionRequest, Mount } from './mount.js';
import type { Mountable } from './options.js';

/** What a route needs to know of the server it stands in. */
export interface RoutingHost {
  readonly server: ProtocolServer;
  readonly mounts: readonly Mount[];
  readonly claims: HostClaims;
  readonly handshakeOnly: boolean;
  readonly isModern: boolean;
  /** What this server's client subscribed to of ours. */
  readonly subscriptions: Set<string>;
  inner(method: string): RawHandler | undefined;
  exchange(request: HostRequest, extra: unknown): Exchange;
  project(result: Wire): Wire;
  warnOnce(key: string, message: string): void;
}

/** One method that layers have a part in. */
export interface Route {
  readonly method: string;
  /** Any of them brings the method along. */
  readonly parts: readonly Mountable[];
  readonly handle: (host: RoutingHost, request: HostRequest, extra: unknown) => unknown;
}

/** How many resources one client may subscribe to. */
const MAX_SUBSCRIPTIONS = 10_000;

/** What nobody owns is the host's to answer; without a host's handler, `otherwise` is thrown. */
function toHost(host: RoutingHost, request: HostRequest, extra: unknown, otherwise: () => HostError): unknown {
  const inner = host.inner(request.method);
  if (inner === undefined) throw otherwise();
  return inner(request, extra);
}

/**
 * Lets the first layer answer that has something by this name, unless the host has it. A layer that has it, but not for
 * this caller, has taken note, and the answer is that for any name that is not there.
 */
async function firstOwner(
  host: RoutingHost,
  has: (mount: Mount) => boolean,
  isHosts: () => boolean | Promise<boolean>,
  answer: (mount: Mount) => Promise<Wire | typeof NOT_OURS>,
): Promise<Wire | typeof NOT_OURS> {
  for (const mount of host.mounts) {
    if (!has(mount)) continue;
    const claimed = isHosts();
    if (claimed === true || (claimed !== false && (await claimed))) return NOT_OURS;
    const result = await answer(mount);
    if (result !== NOT_OURS) return result;
  }
  return NOT_OURS;
}

const callTool: Route = {
  method: 'tools/call',
  parts: ['tools'],
  async handle(host, request, extra) {
    const { params = {} } = request;
    const { name } = params;
    if (typeof name !== 'string') return toHost(host, request, extra, () => invalidParams('"name" must be text'));
    const result = await firstOwner(
      host,
      (mount) => mount.hasTool(name),
      () => host.claims.has('tools', name, request, extra),
      (mount) => {
        if (host.handshakeOnly && params['task'] !== undefined) throw taskRefused(name);
        return mount.callTool(name, params, host.exchange(request, extra));
      },
    );
    if (result !== NOT_OURS) return host.project(result);
    return toHost(
      host,
      request,
      extra,
      () => new HostError(ErrorCode.InvalidParams, `Unknown tool: ${name}`, { name }),
    );
  },
};

/** Source: MCP 2025-11-25, "Tool-level negotiation": a tool that says nothing of tasks takes none. */
function taskRefused(name: string): HostError {
  return new HostError(ErrorCode.MethodNotFound, `Tool ${name} does not support task augmentation.`);
}

const getPrompt: Route = {
  method: 'prompts/get',
  parts: ['prompts'],
  async handle(host, request, extra) {
    const { params = {} } = request;
    const { name } = params;
    if (typeof name !== 'string') return toHost(host, request, extra, () => invalidParams('"name" must be text'));
    const result = await firstOwner(
      host,
      (mount) => mount.hasPrompt(name),
      () => host.claims.has('prompts', name, request, extra),
      (mount) => mount.getPrompt(name, params['arguments'], host.exchange(request, extra)),
    );
    if (result !== NOT_OURS) return result;
    return toHost(
      host,
      request,
      extra,
      () => new HostError(ErrorCode.InvalidParams, `Unknown prompt: ${name}`, { name }),
    );
  },
};

const readResource: Route = {
  method: 'resources/read',
  parts: ['resources', 'templates'],
  async handle(host, request, extra) {
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return toHost(host, request, extra, () => invalidParams('"uri" must be text'));
    const result = await firstOwner(
      host,
      (mount) => mount.hasUri(uri),
      () => host.claims.hasUri(uri, request, extra),
      (mount) => mount.readResource(uri, host.exchange(request, extra)),
    );
    if (result !== NOT_OURS) return result;
    return toHost(host, request, extra, () => resourceNotFound(host, uri));
  },
};

function resourceNotFound({ handshakeOnly }: RoutingHost, uri: string): HostError {
  const code = handshakeOnly ? ErrorCode.ResourceNotFound : ErrorCode.InvalidParams;
  return new HostError(code, `Resource not found: ${uri}`, { uri });
}

const complete: Route = {
  method: 'completion/complete',
  parts: ['completions'],
  async handle(host, request, extra) {
    const asked = completionRequest(request.params);
    if (asked !== undefined) {
      const { reference } = asked;
      const isPrompt = reference.type === 'ref/prompt';
      const result = await firstOwner(
        host,
        (mount) => (isPrompt ? mount.hasPrompt(reference.name) : mount.hasTemplate(reference.uri)),
        () =>
          isPrompt
            ? host.claims.has('prompts', reference.name, request, extra)
            : host.claims.has('templates', reference.uri, request, extra),
        (mount) => mount.complete(asked, host.exchange(request, extra)),
      );
      if (result !== NOT_OURS) return result;
    }
    if (host.inner(request.method) !== undefined)
      return toHost(host, request, extra, () => methodNotFound(request.method));
    if (asked === undefined) throw invalidParams('"ref" and "argument" are needed');
    return { completion: { values: [], total: 0, hasMore: false } };
  },
};

/** `undefined` for what does not ask for anything that could be completed. */
function completionRequest(params: HostRequest['params']): CompletionRequest | undefined {
  const { argument, context, ref } = params ?? {};
  if (!isRecord(argument) || !isRecord(ref)) return undefined;
  const { name, value } = argument;
  if (typeof name !== 'string' || typeof value !== 'string') return undefined;
  const { name: prompt, type, uri } = ref;
  let reference: CompletionReference;
  if (type === 'ref/prompt' && typeof prompt === 'string') reference = { type, name: prompt };
  else if (type === 'ref/resource' && typeof uri === 'string') reference = { type, uri };
  else return undefined;
  const known = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const given = Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return { reference, argument: { name, value }, given };
}

/** Neither SDK has handlers of its own for these, so that a host without them is answered for. */
function subscription(method: string, change: (host: RoutingHost, uri: string) => void): Route {
  return {
    method,
    parts: ['subscriptions'],
    async handle(host, request, extra) {
      const uri = request.params?.['uri'];
      if (typeof uri !== 'string') return toHost(host, request, extra, () => invalidParams('"uri" must be text'));
      const result = await firstOwner(
        host,
        (mount) => mount.includes('subscriptions') && mount.hasUri(uri),
        () => host.claims.hasUri(uri, request, extra),
        (mount) => {
          if (!mount.sees(uri, host.exchange(request, extra))) return Promise.resolve(NOT_OURS);
          change(host, uri);
          return Promise.resolve({});
        },
      );
      return result === NOT_OURS ? toHost(host, request, extra, () => resourceNotFound(host, uri)) : result;
    },
  };
}

const subscribe = subscription('resources/subscribe', ({ subscriptions }, uri) => {
  if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
    throw new HostError(
      ErrorCode.InvalidParams,
      `More than ${MAX_SUBSCRIPTIONS} subscriptions. Unsubscribe from some.`,
    );
  }
  subscriptions.add(uri);
});

const unsubscribe = subscription('resources/unsubscribe', ({ subscriptions }, uri) => {
  subscriptions.delete(uri);
});

const LEVELS = new Set<unknown>(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);

/**
 * SDK 1.x sets this handler only for servers that are built with the capability. Where the host has one of its own, the
 * level is noted beside it, since it may keep it where nobody else can see.
 */
const setLevel: Route = {
  method: 'logging/setLevel',
  parts: ['logging'],
  async handle(host, request, extra) {
    const level = request.params?.['level'];
    const isLevel = LEVELS.has(level);
    const isHosts = host.inner(request.method) !== undefined;
    if (!isHosts && !isLevel) throw invalidParams('"level" is none of the levels');
    const result = isHosts ? await toHost(host, request, extra, () => methodNotFound(request.method)) : {};
    if (isLevel) {
      const { headers, session } = host.exchange(request, extra);
      host.server._loggingLevels?.set(session ?? headers?.['mcp-session-id'], level as string);
    }
    return result;
  },
};

/** A page of a list as a host sends it. */
type Page = Readonly<Record<string, unknown>>;

function list(name: ListName): Route {
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
        if (host.server._capabilities[name === 'templates' ? 'resources' : name] === undefined)
          throw methodNotFound(request.method);
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
      if (isTaken(id))
        host.warnOnce(`${shape.list} ${id}`, `${shape.list} '${id}': the host has one, which stays. ${remedy(shape)}`);
      else if (names.has(id))
        host.warnOnce(
          `${shape.list} ${id}`,
          `${shape.list} '${id}': another layer has one, which was first. ${remedy(shape)}`,
        );
      else {
        names.add(id);
        ours.push(entry);
      }
    }
  }
  return ours;
}

function remedy({ identity }: ListShape): string {
  return identity === 'name' ? 'Give the layer a prefix.' : 'Give the layer a URI scheme of its own.';
}

/** Every method that layers have a part in. */
export const ROUTES: readonly Route[] = Object.freeze([
  list('tools'),
  callTool,
  list('resources'),
  list('templates'),
  readResource,
  list('prompts'),
  getPrompt,
  complete,
  subscribe,
  unsubscribe,
  setLevel,
]);
