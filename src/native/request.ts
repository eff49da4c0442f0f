import type { ClientCallOptions, HandshakeClient, ModernClient } from '../core/client-port.js';
import {
  controlOf,
  LOG_LEVELS,
  type Looked,
  type LogLevel,
  type NotificationSink,
  type ToolContext,
} from '../core/context.js';
import { AskingError, CancelledError } from '../core/errors.js';
import { toJsonValueOr, whyUnsaid } from '../core/json-value.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { metaOf } from './era.js';
import {
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  notification,
  type Params,
  progressParams,
} from './messages.js';
import type { Revision } from './revisions.js';

/** Takes what a request sends before its answer. */
export interface Carrier {
  /**
   * Takes what belongs to this request and goes out before its answer: progress, log messages, listen events and, on
   * handshake sessions, requests to the client. Never called after the answer was given.
   */
  notify(message: JsonRpcNotification | JsonRpcRequest): void;
  /**
   * What the request's name was looked up as, where headers had to be compared.
   *
   * @internal
   */
  readonly looked?: Looked | undefined;
}

/** How one request reached the engine, as its carrier sees it. */
export interface Exchange extends Carrier {
  readonly info: RequestInfo;
  readonly principal: Principal;
  /** Set by the engine while the request runs, so that the carrier can cancel it (the client went away). */
  running?: Cancellable | undefined;
}

/** Something that runs and can be told to stop. */
export interface Cancellable {
  /** Ends the work; no answer is given. Does nothing once the answer was given. */
  cancel(reason?: string): void;
}

/** The peer that one request talks with: a session, or the one exchange of a modern request. */
export interface Peer {
  /** Names the session, where there is one. */
  readonly id: string | undefined;
  readonly clientCapabilities: Params;
  /** The index in `LOG_LEVELS` from which log messages are sent. */
  readonly logLevel: number;
  /** Asks the client while its request waits; only a session can. */
  request?(method: string, params: Params, options: PeerRequestOptions): Promise<unknown>;
}

/** How a peer is asked on behalf of one of its own requests. */
export interface PeerRequestOptions {
  readonly signal: AbortSignal;
  /** Where the request goes: beside the answer of the client's own. */
  readonly exchange: Carrier;
}

/** The level that lets nothing pass. */
export const SILENT = LOG_LEVELS.length;

const NO_PARAMS: Params = Object.freeze({});

/** One request while it runs: where its notifications go, and how it is cancelled. */
export class ActiveRequest implements NotificationSink, Cancellable {
  cancelled = false;
  /** Other running requests of the same id, where the transport allows them. */
  older: ActiveRequest | undefined;
  newer: ActiveRequest | undefined;
  #context: ToolContext | undefined;
  #onCancel: (() => void) | undefined;

  constructor(
    readonly layer: Layer,
    readonly message: JsonRpcRequest,
    readonly revision: Revision,
    readonly principal: Principal,
    readonly info: RequestInfo,
    readonly peer: Peer,
    readonly carrier: Carrier,
  ) {}

  get params(): Params {
    return this.message.params ?? NO_PARAMS;
  }

  /** The context that the layer runs this request in. */
  get context(): ToolContext {
    return (this.#context ??= this.layer.context({
      principal: this.principal,
      requestId: this.message.id,
      session: this.peer.id,
      meta: metaOf(this.message),
      info: this.info,
      sink: this,
      client: this.revision.era === 'modern' ? new AskedByResult(this) : new AskedOnSession(this),
    }));
  }

  cancel(reason?: string): void {
    if (this.cancelled) return;
    this.cancelled = true;
    if (this.#context !== undefined) controlOf(this.#context).abort(new CancelledError(reason));
    this.#onCancel?.();
  }

  /** Called when the request is cancelled; for what runs without a context. */
  whenCancelled(listener: () => void): void {
    this.#onCancel = listener;
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (this.cancelled || LOG_LEVELS.indexOf(level) < this.peer.logLevel) return;
    const params = { level, ...(logger === undefined ? {} : { logger }), data: toJsonValueOr(data, whyUnsaid) ?? null };
    this.carrier.notify(notification('notifications/message', params));
  }
}

/** The client behind a request. */
abstract class AskedClient {
  constructor(protected readonly active: ActiveRequest) {}

  get version(): string {
    return this.active.revision.version;
  }

  get capabilities(): Params {
    return this.active.peer.clientCapabilities;
  }
}

/** The client of a modern request: it answers with its next request. */
class AskedByResult extends AskedClient implements ModernClient {
  readonly era = 'modern';

  get inputResponses(): unknown {
    return this.active.params['inputResponses'];
  }

  get requestState(): unknown {
    return this.active.params['requestState'];
  }
}

/** The client of a session: it is asked on the stream of its own request. */
class AskedOnSession extends AskedClient implements HandshakeClient {
  readonly era = 'handshake';

  request(method: string, params: Params, { signal }: ClientCallOptions): Promise<unknown> {
    const { carrier, peer } = this.active;
    return peer.request === undefined
      ? Promise.reject(new AskingError('This connection carries no requests to its client.', 'no-client'))
      : peer.request(method, params, { signal, exchange: carrier });
  }
}

/** A request whose client asked for progress. */
class ProgressRequest extends ActiveRequest {
  progress(progress: number, total: number | undefined, message: string | undefined): void {
    if (this.cancelled || !Number.isFinite(progress)) return;
    const params = progressParams(metaOf(this.message)?.['progressToken'], progress, total, message);
    this.carrier.notify(notification('notifications/progress', this.revision.progress(params)));
  }
}

/** The class for a request: only one whose client asked can report progress. */
export function requestClass(message: JsonRpcRequest): typeof ActiveRequest {
  const token = metaOf(message)?.['progressToken'];
  return isRequestId(token) || typeof token === 'number' ? ProgressRequest : ActiveRequest;
}
