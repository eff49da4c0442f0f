import type { Wire } from '../core/content.js';
import { CancelledError } from '../core/errors.js';
import type { Principal, RequestInfo } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import { type Era, MetaKey, MODERN } from '../native/era.js';
import { connectInMemory, type MemoryConnection } from '../native/memory.js';
import type { JsonRpcMessage, JsonRpcResponse, RequestId } from '../native/messages.js';
import { NativeMcpServer } from '../native/native-server.js';
import { serialise } from '../native/prepared.js';
import { ProtocolFailure } from './test-failures.js';

/** Answers what a server asks of its client: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export type Answerer = (method: string, params: Wire) => unknown;

/** How a conversation is held. */
export interface ConversationInit {
  readonly principal: Principal | undefined;
  readonly info: RequestInfo | undefined;
  readonly version: string;
  readonly capabilities: Wire;
  readonly clientInfo: Wire;
  readonly answer: Answerer | undefined;
  readonly onNotification: (method: string, params: Wire) => void;
}

/** How often one request may be asked back. */
const MAX_ROUNDS = 20;

/** The protocol's side of a test client: ids, envelopes, the handshake, and what is asked back. Everything passes through JSON. */
export class Conversation {
  readonly era: Era;
  readonly #layer: Layer;
  readonly #server: NativeMcpServer;
  readonly #init: ConversationInit;
  #connection: MemoryConnection | undefined;
  #opening: Promise<MemoryConnection> | undefined;
  #lastId = 0;

  constructor(layer: Layer, init: ConversationInit) {
    this.#layer = layer;
    this.#server = new NativeMcpServer(layer);
    this.#init = init;
    this.era = init.version === MODERN ? 'modern' : 'handshake';
  }

  /** Sends a request and gives its result. @throws {ProtocolFailure} When it is answered with an error. */
  async request(method: string, params: Wire = {}, signal?: AbortSignal): Promise<Wire> {
    const connection = await this.#open();
    let sent = params;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#exchange(connection, method, sent, signal);
      if (result['resultType'] !== 'input_required') return result;
      sent = { ...params, ...(await this.#answers(result)) };
    }
    throw new Error(`${method}: the server asked ${MAX_ROUNDS} times and is not content.`);
  }

  /** Sends a message that is not answered. */
  async notify(method: string, params: Wire = {}): Promise<void> {
    const connection = await this.#open();
    await connection.send({ jsonrpc: '2.0', method, params });
  }

  /** Opens a stream of changes, in the modern era. */
  async listen(notifications: Wire): Promise<void> {
    this.#listen(await this.#open(), notifications);
  }

  close(): void {
    this.#connection?.close();
    this.#server.close();
  }

  #listen(connection: MemoryConnection, notifications: Wire): void {
    // Answered only when the stream ends.
    void this.#exchange(connection, 'subscriptions/listen', { notifications }).catch(() => undefined);
  }

  #open(): Promise<MemoryConnection> {
    return (this.#opening ??= this.#connect());
  }

  async #connect(): Promise<MemoryConnection> {
    await this.#layer.start();
    const { info, principal } = this.#init;
    const connection = connectInMemory(this.#server, {
      principal,
      info,
      onMessage: (message) => this.#received(message),
    });
    this.#connection = connection;
    if (this.era === 'modern') {
      this.#listen(connection, { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
      return connection;
    }
    const { capabilities, clientInfo, version } = this.#init;
    const { capabilities: offered } = await this.#exchange(connection, 'initialize', {
      protocolVersion: version,
      capabilities,
      clientInfo,
    });
    await connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if ((offered as Wire)['logging'] !== undefined)
      await this.#exchange(connection, 'logging/setLevel', { level: 'debug' });
    return connection;
  }

  async #exchange(connection: MemoryConnection, method: string, params: Wire, signal?: AbortSignal): Promise<Wire> {
    const id = ++this.#lastId;
    const cancel = (): void =>
      void connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    const message = { jsonrpc: '2.0', id, method, params: this.#withEnvelope(params, id) };
    const answering = connection.send(JSON.parse(JSON.stringify(message)));
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const reply = await answering;
      if (reply === undefined) throw new CancelledError();
      return resultOf(method, JSON.parse(serialise(reply)) as JsonRpcResponse);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #withEnvelope(params: Wire, id: RequestId): Wire {
    const { capabilities, clientInfo, version } = this.#init;
    const own = (params['_meta'] ?? {}) as Wire;
    if (this.era === 'handshake') return { ...params, _meta: { progressToken: id, ...own } };
    const envelope = {
      [MetaKey.ProtocolVersion]: version,
      [MetaKey.ClientCapabilities]: capabilities,
      [MetaKey.ClientInfo]: clientInfo,
      [MetaKey.LogLevel]: 'debug',
    };
    return { ...params, _meta: { progressToken: id, ...envelope, ...own } };
  }

  #received(message: JsonRpcMessage): void {
    const {
      id,
      method,
      params = {},
    } = JSON.parse(JSON.stringify(message)) as { id?: RequestId; method?: string; params?: Wire };
    if (method === undefined) return;
    if (id === undefined) this.#init.onNotification(method, params);
    else void this.#reply(id, method, params);
  }

  async #reply(id: RequestId, method: string, params: Wire): Promise<void> {
    let body: Wire;
    try {
      body = { result: await this.#ask(method, params) };
    } catch (error) {
      body = { error: { code: -32603, message: (error as Error).message } };
    }
    await this.#connection?.send(JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, ...body })));
  }

  /** The answers that a modern request is sent again with. */
  async #answers({ inputRequests = {}, requestState }: Wire): Promise<Wire> {
    const inputResponses: Wire = {};
    for (const [key, asked] of Object.entries(inputRequests as Record<string, { method: string; params: Wire }>)) {
      inputResponses[key] = await this.#ask(asked.method, asked.params);
    }
    return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
  }

  #ask(method: string, params: Wire): unknown {
    if (method === 'ping') return {};
    if (this.#init.answer === undefined)
      throw new Error(`The server asks ${method}. Give createTestClient an \`answer\`.`);
    return this.#init.answer(method, params);
  }
}

function resultOf(method: string, reply: JsonRpcResponse): Wire {
  if ('result' in reply) return reply.result;
  const { code, data, message } = reply.error;
  throw new ProtocolFailure(method, code, message, data);
}
