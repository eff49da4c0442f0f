import { describeThrown } from '../core/describe-thrown.js';
import type { Change } from '../core/ports.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { type Admitted, Admission } from './admission.js';
import { Engine } from './engine.js';
import type { HandshakeVersion } from './era.js';
import { changeNotification } from './listen.js';
import type { JsonRpcRequest, JsonRpcResponse } from './messages.js';
import type { MethodFacts } from './method.js';
import type { NativeServerOptions } from './options.js';
import type { Exchange, Peer } from './request.js';
import { revisionOf } from './revisions.js';
import { NativeSession, type SessionHost, type SessionInit } from './native-session.js';

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
  readonly layer: Layer;
  readonly #engine: Engine;
  readonly #admission: Admission;
  /** The peer of requests that no session stands behind. */
  readonly #stranger: Peer;
  readonly #sessions = new Set<NativeSession>();
  readonly #host: SessionHost;
  readonly #unfollow: () => void;
  #closed = false;

  /** @throws {ConfigurationError} With every option that cannot be used. */
  constructor(layer: Layer, options: NativeServerOptions = {}) {
    this.layer = layer;
    this.#engine = new Engine(layer, options);
    this.#admission = new Admission(this.#engine);
    this.#stranger = { id: undefined, clientCapabilities: {}, logLevel: this.#engine.options.logLevel };
    this.#host = {
      engine: this.#engine,
      admission: this.#admission,
      forget: (session) => this.#sessions.delete(session),
    };
    const unfollow = layer.onChange((change) => this.#changed(change));
    const unlink = layer.onClose(() => this.close());
    this.#unfollow = () => {
      unfollow();
      unlink();
    };
  }

  /** How many conversations are open. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** How many `subscriptions/listen` streams are open. */
  get listenCount(): number {
    return this.#engine.listening.size;
  }

  /** Begins a conversation. The carrier closes it when its connection ends. */
  createSession(init: SessionInit): NativeSession {
    const session = new NativeSession(this.#host, init);
    this.#sessions.add(session);
    return session;
  }

  /**
   * Answers one modern request, whatever its carrier; `undefined` when it was cancelled. Never rejects. The envelope
   * is judged here; a carrier with headers compares them before, between `envelopeFault` and `versionFault`.
   */
  handleModern(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse | undefined> {
    return this.#run(message, exchange, () =>
      this.#admission.modern(message, exchange.info, exchange.principal, exchange),
    );
  }

  /**
   * Answers one request of a handshake revision for a carrier that keeps no sessions; `undefined` when it was cancelled.
   * Never rejects. Nothing is remembered from one to the next, so `initialize` says what is offered and no more.
   */
  handleSessionless(
    message: JsonRpcRequest,
    version: HandshakeVersion,
    exchange: Exchange,
  ): Promise<JsonRpcResponse | undefined> {
    const { info, principal } = exchange;
    return this.#run(message, exchange, () =>
      this.#admission.handshake(message, {
        session: undefined,
        revision: revisionOf(version),
        peer: this.#stranger,
        info,
        carrier: exchange,
        principal: () => principal,
      }),
    );
  }

  /**
   * What is known of a method that is served, those of extensions too.
   *
   * @internal
   */
  methodOf(name: string): MethodFacts | undefined {
    return this.#engine.methods.get(name);
  }

  #run(
    message: JsonRpcRequest,
    exchange: Exchange,
    admit: () => Admitted | JsonRpcResponse,
  ): Promise<JsonRpcResponse | undefined> {
    let admitted: Admitted | JsonRpcResponse;
    try {
      admitted = admit();
    } catch (error) {
      // What decides here besides the engine is the user's: a policy, an extension's settings.
      return Promise.resolve(this.#engine.unexpected(message, error));
    }
    if (!('method' in admitted)) return Promise.resolve(admitted);
    exchange.running = admitted.active;
    return this.#engine.answer(admitted.method, admitted.active);
  }

  /** Who a request comes from: the resolver's answer, or the default. */
  principalOf(info: RequestInfo): Principal {
    return this.#engine.principalOf(info);
  }

  /** Ends every listen stream with its result. */
  endStreams(): void {
    this.#engine.listening.close();
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
    this.#engine.listening.changed(change, this.layer, onError);
  }
}
