import type { Layer } from '../../src/layer/layer.js';
import type { MemoryOptions } from '../../src/native/memory.js';
import { connectInMemory } from '../../src/native/memory.js';
import type { NativeMcpServer } from '../../src/native/native-server.js';

/** The envelope of a modern request. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A raw client in this process: what it sends is JSON-RPC, what it gets is kept in order. */
export class Conversation {
  readonly #connection;
  /** Everything that came besides answers. */
  readonly messages: any[] = [];
  #lastId = 0;

  constructor(target: Layer | NativeMcpServer, options: Omit<MemoryOptions, 'onMessage'> = {}) {
    this.#connection = connectInMemory(target, { ...options, onMessage: (message) => this.messages.push(message) });
  }

  get session() {
    return this.#connection.session;
  }

  /** Sends anything. */
  send(message: unknown): Promise<any> {
    return this.#connection.send(message);
  }

  request(method: string, params?: object, id: unknown = ++this.#lastId): Promise<any> {
    return this.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
  }

  notify(method: string, params?: object): Promise<any> {
    return this.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
  }

  async result(method: string, params?: object): Promise<any> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async error(method: string, params?: object): Promise<any> {
    const { result, error } = await this.request(method, params);
    if (result !== undefined) throw new Error(`${method} succeeded: ${JSON.stringify(result)}`);
    return error;
  }

  /** The same in the modern era. */
  modern(method: string, params: object = {}, meta: object = {}, id?: unknown): Promise<any> {
    return this.request(method, { ...params, _meta: { ...ENVELOPE, ...meta } }, id);
  }

  async initialize(protocolVersion = '2025-11-25', capabilities: object = {}): Promise<any> {
    const result = await this.result('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'tests', version: '0' },
    });
    await this.notify('notifications/initialized');
    return result;
  }

  close(): void {
    this.#connection.close();
  }
}

/** A conversation that has begun. */
export async function begin(target: Layer | NativeMcpServer, version?: string): Promise<Conversation> {
  const conversation = new Conversation(target);
  await conversation.initialize(version);
  return conversation;
}
