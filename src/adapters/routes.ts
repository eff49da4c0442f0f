import type { Wire } from '../core/content.js';
import { LOG_LEVELS } from '../core/context.js';
import { ErrorCode, errorKind } from '../core/errors.js';
import {
  completionComplete,
  type CompletionRequest,
  completionRequest,
} from '../native/methods/completion-complete.js';
import { loggingSetLevel } from '../native/methods/logging-set-level.js';
import { promptsGet } from '../native/methods/prompts-get.js';
import { resourcesRead } from '../native/methods/resources-read.js';
import { resourcesSubscribe } from '../native/methods/resources-subscribe.js';
import { resourcesUnsubscribe } from '../native/methods/resources-unsubscribe.js';
import { toolsCall } from '../native/methods/tools-call.js';
import type { Principal } from '../core/principal.js';
import { MAX_SUBSCRIPTIONS } from '../native/subscriptions.js';
import type { Exchange } from './dialect.js';
import { HostError, invalidParams, methodNotFound, NOT_OURS } from './host-error.js';
import type { HostRequest } from './host.js';
import { listRoute } from './list-routes.js';
import type { Mount } from './mount.js';
import type { Route, RoutingHost } from './route.js';

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

/** What is reached by the name that stands in its parameters. */
function named(
  method: string,
  part: 'tools' | 'prompts',
  has: (mount: Mount, name: string) => boolean,
  answer: (mount: Mount, asked: NamedRequest) => Promise<Wire | typeof NOT_OURS>,
): Route {
  return {
    method,
    parts: [part],
    async handle(host, request, extra) {
      const { params = {} } = request;
      const { name } = params;
      if (typeof name !== 'string') return toHost(host, request, extra, () => invalidParams('"name" must be text'));
      const result = await firstOwner(
        host,
        (mount) => has(mount, name),
        () => host.claims.has(part, name, request, extra),
        (mount) => answer(mount, { host, name, params, exchange: host.exchange(request, extra) }),
      );
      if (result !== NOT_OURS) return part === 'tools' ? host.project(result) : result;
      return toHost(host, request, extra, () => {
        const exchange = host.exchange(request, extra);
        const meant = host.mounts
          .map((mount) => mount.nearest(part, name, exchange))
          .find((near) => near !== undefined);
        const hint = meant === undefined ? '' : `. Did you mean '${meant}'?`;
        const message = `Unknown ${part === 'tools' ? 'tool' : 'prompt'}: ${name}${hint}`;
        return new HostError(ErrorCode.InvalidParams, message, { name });
      });
    },
  };
}

/** A request for something that a layer has by this name. */
interface NamedRequest {
  readonly host: RoutingHost;
  readonly name: string;
  readonly params: NonNullable<HostRequest['params']>;
  readonly exchange: Exchange;
}

const callTool = named(
  toolsCall.name,
  'tools',
  (mount, name) => mount.hasTool(name),
  (mount, { host, name, params, exchange }) => {
    if (host.handshakeOnly && params['task'] !== undefined) throw taskRefused(name);
    return mount.callTool(name, params, exchange);
  },
);

/** Source: MCP 2025-11-25, "Tool-level negotiation": a tool that says nothing of tasks takes none. */
function taskRefused(name: string): HostError {
  return new HostError(ErrorCode.MethodNotFound, `Tool ${name} does not support task augmentation.`);
}

const getPrompt = named(
  promptsGet.name,
  'prompts',
  (mount, name) => mount.hasPrompt(name),
  (mount, { name, params, exchange }) => mount.getPrompt(name, params['arguments'], exchange),
);

const readResource: Route = {
  method: resourcesRead.name,
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
  method: completionComplete.name,
  parts: ['completions'],
  async handle(host, request, extra) {
    const asked = readable(request.params);
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
function readable(params: HostRequest['params']): CompletionRequest | undefined {
  try {
    return completionRequest(params ?? {});
  } catch (error) {
    if (errorKind(error) === 'InvalidArgumentsError') return undefined;
    throw error;
  }
}

/** Neither SDK has handlers of its own for these, so that a host without them is answered for. */
function subscription(method: string, change: (mount: Mount, uri: string, principal: Principal) => void): Route {
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
          const principal = mount.subscriber(uri, host.exchange(request, extra));
          if (principal === undefined) return Promise.resolve(NOT_OURS);
          change(mount, uri, principal);
          return Promise.resolve({});
        },
      );
      return result === NOT_OURS ? toHost(host, request, extra, () => resourceNotFound(host, uri)) : result;
    },
  };
}

const subscribe = subscription(resourcesSubscribe.name, ({ subscribers }, uri, principal) => {
  if (subscribers.add(uri, principal)) return;
  throw new HostError(ErrorCode.InvalidParams, `More than ${MAX_SUBSCRIPTIONS} subscriptions. Unsubscribe from some.`);
});

const unsubscribe = subscription(resourcesUnsubscribe.name, ({ subscribers }, uri) => subscribers.remove(uri));

const LEVELS = new Set<unknown>(LOG_LEVELS);

/**
 * SDK 1.x sets this handler only for servers that are built with the capability. Where the host has one of its own, the
 * level is noted beside it, since it may keep it where nobody else can see.
 */
const setLevel: Route = {
  method: loggingSetLevel.name,
  parts: ['logging'],
  async handle(host, request, extra) {
    const level = request.params?.['level'];
    const isLevel = LEVELS.has(level);
    const isHosts = host.inner(request.method) !== undefined;
    if (!isHosts && !isLevel) throw invalidParams('"level" must be one of the levels');
    const result = isHosts ? await toHost(host, request, extra, () => methodNotFound(request.method)) : {};
    if (isLevel) {
      const { headers, session } = host.exchange(request, extra);
      host.server._loggingLevels?.set(session ?? headers?.['mcp-session-id'], level as string);
    }
    return result;
  },
};

/** Every method that layers have a part in. */
export const ROUTES: readonly Route[] = Object.freeze([
  listRoute('tools'),
  callTool,
  listRoute('resources'),
  listRoute('templates'),
  readResource,
  listRoute('prompts'),
  getPrompt,
  complete,
  subscribe,
  unsubscribe,
  setLevel,
]);
