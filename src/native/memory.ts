import { checkOptions, isFunction, isObject, type OptionCheck } from '../core/check-options.js';
import { type Principal, principalProblem, type RequestInfo } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import type { JsonRpcMessage, Reply } from './messages.js';
import { NativeMcpServer } from './native-server.js';
import { serialise } from './prepared.js';
import type { NativeSession } from './native-session.js';

/** How a client in the same process is connected. */
export interface MemoryOptions {
  /** Default: the local user. */
  readonly principal?: Principal | undefined;
  readonly info?: RequestInfo | undefined;
  /** Takes what the server sends on its own account or before an answer: notifications, requests to the client. */
  readonly onMessage?: ((message: JsonRpcMessage) => void) | undefined;
}

const MEMORY_CHECKS: Readonly<Record<keyof MemoryOptions, OptionCheck>> = {
  principal: principalProblem,
  info: isObject,
  onMessage: isFunction,
};

/** A client's end of a conversation in the same process. */
export interface MemoryConnection {
  readonly session: NativeSession;
  /** Sends one message and gives its answer: the server's own objects, which must not be changed. */
  send(message: unknown): Promise<Reply | undefined>;
  /** Ends the conversation, and the server where it was made for it. */
  close(): void;
}

/**
 * Talks with a layer in the same process, in whatever revision the messages ask for. Nothing is turned into JSON.
 *
 * @param target A layer, or a server with options of its own.
 */
export function connectInMemory(target: Layer | NativeMcpServer, options: MemoryOptions = {}): MemoryConnection {
  checkOptions('connectInMemory', options, MEMORY_CHECKS);
  const server = target instanceof NativeMcpServer ? target : new NativeMcpServer(target);
  const { onMessage = () => undefined, principal, info } = options;
  const session = server.createSession({ transport: 'memory', send: onMessage, principal, info });
  return {
    session,
    send: (message) => session.handle(message),
    close: () => {
      session.close();
      if (server !== target) server.close();
    },
  };
}

/** What the official clients take as a transport. */
export interface ClientTransport {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
}

/**
 * A transport for an official client in the same process: `await client.connect(clientTransport(layer))`. Every message
 * goes through JSON, so that a client sees exactly what it would see over a wire.
 */
export function clientTransport(
  target: Layer | NativeMcpServer,
  options: Omit<MemoryOptions, 'onMessage'> = {},
): ClientTransport {
  checkOptions('clientTransport', options, MEMORY_CHECKS);
  let connection: MemoryConnection | undefined;
  const deliver = (reply: JsonRpcMessage | Reply | undefined): void => {
    if (reply !== undefined) transport.onmessage?.(JSON.parse(serialise(reply)) as JsonRpcMessage);
  };
  const transport: ClientTransport = {
    start: () => {
      connection = connectInMemory(target, { ...options, onMessage: deliver });
      return Promise.resolve();
    },
    send: (message) => {
      void connection?.send(JSON.parse(JSON.stringify(message))).then(deliver);
      return Promise.resolve();
    },
    close: () => {
      connection?.close();
      connection = undefined;
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
