import type { Wire } from '../core/content.js';
import type { Looked } from '../core/context.js';
import type { McpLayerError } from '../core/errors.js';
import type { Principal } from '../core/principal.js';
import type { ListName } from '../layer/catalog.js';
import type { Layer } from '../layer/layer.js';
import type { HeaderParam } from '../schema/hosts/header-params.js';
import type { Capabilities, Feature } from './capabilities.js';
import type { Era } from './era.js';
import type { Lists } from './lists.js';
import type { JsonRpcRequest, JsonRpcResponse, Params } from './messages.js';
import type { ActiveRequest } from './request.js';
import type { Revision } from './revisions.js';

/** What methods need of the server that they run in. */
export interface MethodHost {
  readonly layer: Layer;
  readonly capabilities: Capabilities;
  readonly lists: Lists;
  readonly options: { readonly instructions: string | undefined };
  readonly listening: Listening;
  /** Who the server is, as far as a revision can say it. */
  identity(revision: Revision): Wire;
  /** Adds to a new result what all results of its revision carry. */
  finish(revision: Revision, result: Wire): Wire;
  /** The same for answers that clients may keep. */
  cacheable(revision: Revision, method: string, result: Wire): Wire;
}

/** The open streams of a server. */
export interface Listening {
  /** Resolves when the stream is to end. */
  open(host: MethodHost, active: ActiveRequest): Promise<void>;
}

/** The part of a session that its client can set. */
export interface SessionState {
  /** What was agreed on; `undefined` before `initialize`. */
  readonly revision: Revision | undefined;
  /** The index in `LOG_LEVELS` from which log messages are sent. */
  logLevel: number;
  /** The resources whose changes the client wants to hear of. */
  subscriptions: Map<string, Principal> | undefined;
  /** Takes what `initialize` says. */
  begin(revision: Revision, capabilities: Params, clientInfo: Params | undefined): void;
}

/** The arguments of one request that clients repeat in headers. */
export interface RepeatedParams {
  readonly params: readonly HeaderParam[];
  /**
   * What the name was looked up as to know them: `run` finds it at its carrier.
   *
   * @internal
   */
  readonly looked?: Looked | undefined;
}

/** Whether every caller gets the same answer, or each its own. */
export type Cacheable = 'shared' | 'personal';

/** What is known of a method without running it. */
export interface MethodFacts {
  readonly name: string;
  readonly eras: readonly Era[];
  /** The method is unknown where this is not offered. */
  readonly feature?: Feature | undefined;
  /** The parameter that the header `Mcp-Name` repeats. Source: MCP 2026-07-28, "Required headers". */
  readonly nameParam?: string | undefined;
  /** The parameters that have headers of their own. Source: MCP 2026-07-28, "Custom headers from tool parameters". */
  readonly headerParams?: (layer: Layer, name: string, principal: Principal) => RepeatedParams;
  /** Clients may keep the answer. Source: MCP 2026-07-28, "Caching". */
  readonly cacheable?: Cacheable | undefined;
  /** The answer is a stream of events, and says nothing at its end. */
  readonly streams?: boolean | undefined;
  /** The client may be asked for input instead of being answered. Source: MCP 2026-07-28, "Multi round-trip requests". */
  readonly mayAsk?: boolean | undefined;
  /** The list that is answered with. */
  readonly list?: ListName | undefined;
  /** May come before `initialize`. */
  readonly early?: boolean | undefined;
}

/** A method that runs something: it can be cancelled, and has a context. What it throws is answered as `toResponse` says. */
export interface RunningMethod<T = unknown> extends MethodFacts {
  /** Does the work. */
  readonly run: (host: MethodHost, active: ActiveRequest) => T | Promise<T>;
  /** Makes the finished result of what the work gave. */
  readonly result: (host: MethodHost, active: ActiveRequest, value: T) => Wire;
  /** The method's own answer to an error; `undefined` leaves it to the rest. */
  readonly failed?: (active: ActiveRequest, error: McpLayerError) => JsonRpcResponse | undefined;
}

/** A method that concerns the conversation itself, and is answered at once. */
export interface DirectMethod extends MethodFacts {
  /**
   * @param session Where something can be remembered; `undefined` where no session is kept.
   * @returns `undefined` where the method is unknown.
   */
  readonly answer: (
    host: MethodHost,
    message: JsonRpcRequest,
    session: SessionState | undefined,
    principal: () => Principal,
  ) => JsonRpcResponse | undefined;
}

/** One thing that clients can ask for. */
export type Method = RunningMethod | DirectMethod;

/** A method whose two steps agree on what the first one gives; name and cacheability stay known to the compiler. */
export function running<T, const N extends string, const C extends Cacheable | undefined = undefined>(
  method: RunningMethod<T> & { readonly name: N; readonly cacheable?: C },
): RunningMethod & { readonly name: N; readonly cacheable: C } {
  return method as unknown as RunningMethod & { readonly name: N; readonly cacheable: C };
}

/** Both eras. */
export const BOTH: readonly Era[] = Object.freeze(['handshake', 'modern']);
