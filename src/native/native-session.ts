import { ErrorCode } from '../core/errors.js';
import type { Change } from '../core/ports.js';
import { type Principal, RequestInfo, type TransportKind } from '../core/principal.js';
import { mayHear } from '../layer/may-hear.js';
import type { Admission, Admitted } from './admission.js';
import { answerBatch, isBatch } from './batch.js';
import { bitOf, type Feature } from './capabilities.js';
import { classify } from './classify.js';
import { ClientRequests, type ClientRequestOptions } from './client-requests.js';
import type { Engine } from './engine.js';
import {
  failure,
  invalidRequest,
  isRequestId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  kindOf,
  type Params,
  type Reply,
} from './messages.js';
import type { SessionState } from './method.js';
import type { Carrier, Exchange, Peer } from './request.js';
import type { Revision } from './revisions.js';
import { RunningRequests } from './running.js';

/** What a conversation is made of. */
export interface SessionInit {
  readonly transport: TransportKind;
  /** Takes what belongs to no request, in order. Must not throw when the client has gone. */
  readonly send: (message: JsonRpcMessage) => void;
  /** Whom the whole conversation belongs to. Default: what the resolver says, once it is needed. */
  readonly principal?: Principal | undefined;
  /** What is known of the connection. Default: its transport. */
  readonly info?: RequestInfo | undefined;
  /** Names the session to handlers. */
  readonly id?: string | undefined;
  /** Whether a second request under an id that still runs is refused. Default: on everything but HTTP, where each request has an exchange of its own. */
  readonly uniqueIds?: boolean | undefined;
}

/** What a session needs of the server it belongs to. */
export interface SessionHost {
  readonly engine: Engine;
  readonly admission: Admission;
  forget(session: NativeSession): void;
}

const NOTHING: Promise<undefined> = Promise.resolve(undefined);
const NO_CAPABILITIES: Params = Object.freeze({});

/**
 * One conversation: a process on stdio, a session over HTTP, a client in memory. Modern requests that arrive among
 * the others are answered too, each on its own.
 */
export class NativeSession implements Peer, SessionState {
  readonly id: string | undefined;
  /** What the client said it can do; empty before `initialize`. */
  clientCapabilities: Params = NO_CAPABILITIES;
  /** The index in `LOG_LEVELS` from which log messages are sent. */
  logLevel: number;
  /** The resources whose changes the client wants to hear of, and who asked. */
  subscriptions: Map<string, Principal> | undefined;
  /** Whether the client said that it is ready: nothing is sent on the server's own account before. */
  initialized = false;
  readonly #host: SessionHost;
  readonly #send: (message: JsonRpcMessage) => void;
  readonly #uniqueIds: boolean;
  readonly #transport: TransportKind;
  readonly #given: Principal | undefined;
  #principal: Principal | undefined;
  #info: RequestInfo;
  #revision: Revision | undefined;
  /** What the client was told is offered, as bits. */
  #offered = 0;
  #running: RunningRequests | undefined;
  #asked: ClientRequests | undefined;
  #closed = false;

  /**
   * Made by `NativeMcpServer.createSession`.
   *
   * @internal
   */
  constructor(host: SessionHost, init: SessionInit) {
    this.#host = host;
    this.#send = init.send;
    this.#given = init.principal;
    this.#info = init.info ?? new RequestInfo({ transport: init.transport, sessionId: init.id });
    this.#uniqueIds = init.uniqueIds ?? init.transport !== 'http';
    this.#transport = init.transport;
    this.id = init.id;
    this.logLevel = host.engine.options.logLevel;
  }

  /** The version that was agreed on; `undefined` before `initialize`. */
  get protocolVersion(): string | undefined {
    return this.#revision?.version;
  }

  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** What the client says of itself: never trust it. */
  get clientInfo(): Params | undefined {
    return this.#info.clientInfo;
  }

  get principal(): Principal {
    return (this.#principal ??= this.#given ?? this.#host.engine.principalOf(this.#info));
  }

  /** How many requests of the client run now. */
  get runningCount(): number {
    return this.#running?.size ?? 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Takes one message, parsed but not checked. Gives what must be sent back, after what `exchange.notify` (or the
   * session's `send`) got before; `undefined` for messages that have no answer: notifications, responses, and requests
   * that were cancelled. Never rejects.
   *
   * @param exchange Where this message's related notifications go, and who sent it, where that differs from the session.
   */
  handle(message: unknown, exchange?: Partial<Exchange>): Promise<Reply | undefined> {
    if (this.#closed) return NOTHING;
    switch (kindOf(message)) {
      case 'request':
        return this.#request(message as JsonRpcRequest, exchange);
      case 'notification':
        this.#notified(message as JsonRpcNotification);
        return NOTHING;
      case 'response':
        this.#asked?.settle(message as JsonRpcResponse);
        return NOTHING;
      case 'batch':
        return this.#batch(message as readonly unknown[], exchange);
      case 'invalid':
        return Promise.resolve(invalidRequest(message));
    }
  }

  /**
   * Asks the client for something, and waits until its response was handled.
   *
   * @throws {ClientRequestError} When the client answers with an error.
   * @throws {TimeoutError} When it takes longer than `timeoutMs`.
   * @throws {CancelledError} When `signal` fires, or the session ends.
   */
  request(method: string, params?: Params, options: ClientRequestOptions = {}): Promise<unknown> {
    return (this.#asked ??= new ClientRequests()).ask(method, params, options.exchange ?? this, options);
  }

  /** Sends what belongs to no request. */
  notify(message: JsonRpcNotification | JsonRpcRequest): void {
    if (!this.#closed) this.#send(message);
  }

  /** Tells the client of a change, if it was told that it would be and is ready. */
  changed({ kind, uri }: Change, message: JsonRpcNotification): void {
    if (!this.initialized) return;
    const wanted = kind === 'resource' ? this.#hears(uri) : (this.#offered & bitOf(kind)) !== 0;
    if (wanted) this.notify(message);
  }

  #hears(uri = ''): boolean {
    const subscriber = this.subscriptions?.get(uri);
    return subscriber !== undefined && mayHear(this.#host.engine.layer, uri, subscriber);
  }

  /** Ends the conversation: what runs is cancelled, what waits for the client is rejected. Once. */
  close(reason?: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#running?.cancelAll(reason);
    this.#asked?.close();
    this.#host.forget(this);
  }

  #request(message: JsonRpcRequest, exchange: Partial<Exchange> | undefined): Promise<JsonRpcResponse | undefined> {
    let admitted: Admitted | JsonRpcResponse;
    try {
      admitted = this.#admit(message, exchange);
    } catch (error) {
      // What decides here besides the engine is the user's: a policy, a middleware.
      return Promise.resolve(this.#host.engine.unexpected(message, error));
    }
    if (!('method' in admitted)) return Promise.resolve(admitted);
    const { method, active } = admitted;
    const running = (this.#running ??= new RunningRequests());
    running.add(active);
    if (exchange !== undefined) exchange.running = active;
    const answer = this.#host.engine.answer(method, active, running);
    // A promise more is what a call in memory would notice.
    return this.#transport === 'http' ? answer.then((given) => given ?? this.#unanswered(message)) : answer;
  }

  /** Over HTTP a client waits for each answer, also where another of its requests ended the session. */
  #unanswered({ id }: JsonRpcRequest): JsonRpcResponse | undefined {
    if (!this.#closed) return undefined;
    return failure(id, ErrorCode.InvalidRequest, 'This was cancelled: its session has ended.');
  }

  /** What runs for a request, or the answer where nothing has to run. */
  #admit(message: JsonRpcRequest, exchange: Partial<Exchange> | undefined): Admitted | JsonRpcResponse {
    if (this.#uniqueIds && this.#running?.has(message.id) === true) {
      return failure(
        message.id,
        ErrorCode.InvalidRequest,
        'Invalid request: another request with this id is still running.',
      );
    }
    const info = exchange?.info ?? this.#info;
    const carrier: Carrier = exchange?.notify === undefined ? this : (exchange as Carrier);
    const principal = (): Principal => exchange?.principal ?? this.principal;
    const { admission } = this.#host;
    if (classify(message) === 'modern') return admission.modern(message, info, principal(), carrier);
    return admission.handshake(message, {
      session: this,
      revision: this.#revision,
      peer: this,
      info,
      carrier,
      principal,
    });
  }

  /** Whether the client was told of a feature. */
  offers(feature: Feature): boolean {
    return (this.#offered & bitOf(feature)) !== 0;
  }

  /** Takes what `initialize` says, once. */
  begin(revision: Revision, capabilities: Params, clientInfo: Params | undefined): void {
    const { capabilities: offered } = this.#host.engine;
    this.#revision = revision;
    this.#offered = offered.listChanged ? offered.mask : 0;
    this.clientCapabilities = capabilities;
    if (clientInfo === undefined) return;
    this.#info = this.#info.with({ clientInfo });
    this.#principal = undefined;
  }

  #notified({ method, params }: JsonRpcNotification): void {
    if (method === 'notifications/initialized') this.initialized = this.#revision !== undefined;
    if (method !== 'notifications/cancelled') return;
    const id = params?.['requestId'];
    const reason = params?.['reason'];
    if (isRequestId(id)) this.#running?.cancel(id, typeof reason === 'string' ? reason : undefined);
  }

  #batch(messages: readonly unknown[], exchange: Partial<Exchange> | undefined): Promise<Reply | undefined> {
    if (!isBatch(messages, this.protocolVersion, this.#host.engine.options.maxBatchMessages))
      return Promise.resolve(invalidRequest(messages));
    const { maxResultChars } = this.#host.engine.layer.options;
    return answerBatch(messages, (message) => this.handle(message, exchange), maxResultChars);
  }
}
