import { describeThrown } from '../core/describe-thrown.js';
import type { Change } from '../core/ports.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { LayerCore } from '../layer/layer-core.js';
import { Engine } from './engine.js';
import type { HandshakeVersion } from './era.js';
import { changeNotification, ListenStreams } from './listen.js';
import type { JsonRpcRequest, JsonRpcResponse } from './messages.js';
import type { NativeServerOptions } from './options.js';
import type { Exchange } from './request.js';
import { NativeSession, type SessionHost, type SessionInit } from './native-session.js';
import { Sessionless } from './sessionless.js';
import { Stateless } from './stateless.js';

const BRAND = Symbol.for('cartouche.NativeMcpServer');

/**
 * Speaks MCP for one layer, in every revision, over whatever carries messages: {@link createSession} and
 * {@link NativeSession.handle} are all a transport needs.
 *
 * A carrier parses, calls `handle`, and writes what it gets: first what `send` and `exchange.notify` were given, in that
 * order, then the reply. `serialise` turns replies into JSON.
 */
export class NativeMcpServer {
  /** Shared between loaded copies of this package, unlike `instanceof`. */
  readonly [BRAND] = true;
  readonly layer: LayerCore;
  readonly #engine: Engine;
  readonly #listen = new ListenStreams();
  readonly #stateless: Stateless;
  readonly #sessionless: Sessionless;
  readonly #sessions = new Set<NativeSession>();
  readonly #host: SessionHost;
  readonly #unfollow: () => void;
  #closed = false;

  /** @throws {ConfigurationError} With every option that cannot be used. */
  constructor(layer: LayerCore, options: NativeServerOptions = {}) {
    this.layer = layer;
    this.#engine = new Engine(layer, options);
    this.#stateless = new Stateless(this.#engine, this.#listen.method);
    this.#sessionless = new Sessionless(this.#engine);
    this.#host = {
      engine: this.#engine,
      stateless: this.#stateless,
      forget: (session) => this.#sessions.delete(session),
    };
    this.#unfollow = layer.onChange((change) => this.#changed(change));
  }

  /** How many conversations are open. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** How many `subscriptions/listen` streams are open. */
  get listenCount(): number {
    return this.#listen.size;
  }

  /** Begins a conversation. The carrier closes it when its connection ends. */
  createSession(init: SessionInit): NativeSession {
    const session = new NativeSession(this.#host, init);
    this.#sessions.add(session);
    return session;
  }

  /**
   * Answers one stateless request, whatever its carrier; `undefined` when it was cancelled. Never rejects. The envelope
   * is judged here; a carrier with headers compares them before, between `envelopeFault` and `versionFault`.
   */
  async handleStateless(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse | undefined> {
    const admitted = this.#stateless.admit(message, exchange.info, exchange.principal, exchange);
    if (!('method' in admitted)) return admitted;
    exchange.running = admitted.active;
    return this.#engine.answer(admitted.method, admitted.active);
  }

  /**
   * Answers one request of a handshake revision for a carrier that keeps no sessions; `undefined` when it was cancelled.
   * Never rejects. `initialize` needs a session, if a short one.
   */
  async handleSessionless(
    message: JsonRpcRequest,
    version: HandshakeVersion,
    exchange: Exchange,
  ): Promise<JsonRpcResponse | undefined> {
    const admitted = this.#sessionless.admit(message, version, exchange);
    if (!('method' in admitted)) return admitted;
    exchange.running = admitted.active;
    return this.#engine.answer(admitted.method, admitted.active);
  }

  /** Who a request comes from: the resolver's answer, or the default. */
  principalOf(info: RequestInfo): Principal {
    return this.#engine.principalOf(info);
  }

  /** Ends every listen stream with its result. */
  endStreams(): void {
    this.#listen.close();
  }

  /** Ends every stream and conversation, and no longer follows the layer. The layer stays open. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unfollow();
    this.endStreams();
    for (const session of [...this.#sessions]) session.close();
  }

  #changed(change: Change): void {
    const onError = (error: unknown): void => {
      this.layer.logger.error('a client could not be told of a change', describeThrown(error));
    };
    const message = changeNotification(change);
    if (message === undefined) return;
    for (const session of this.#sessions) {
      try {
        session.changed(change, message);
      } catch (error) {
        onError(error);
      }
    }
    this.#listen.changed(change, onError);
  }
}
