import { createServer, type IncomingMessage, request as nodeRequest, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpOptions, McpLayer } from 'cartouche';

/** One HTTP request of a test. */
export interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  /** An object is sent as JSON, text and bytes as they are. */
  body?: unknown;
}

/** A whole answer. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The one JSON value of the answer: its body, or the last message of its stream. */
  json: any;
  /** The messages of a stream, in order; of a JSON answer, that one. */
  messages: any[];
}

/** An event as it came. */
export interface SseEvent {
  id?: string;
  event?: string;
  data?: string;
  retry?: number;
  comment?: string;
}

/** An answer that is read piece by piece. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** The next event that is no comment; `undefined` at the end. */
  next(): Promise<SseEvent | undefined>;
  /** The next message. */
  message(): Promise<any>;
  /** The next block, comments too. */
  block(): Promise<SseEvent | undefined>;
  /** Ends the connection from the client's side. */
  close(): void;
}

/** A served layer, as a client reaches it. */
export interface Target {
  readonly name: string;
  readonly sessionCount: number;
  send(sent: Sent): Promise<Answer>;
  open(sent: Sent): Promise<OpenAnswer>;
  /** Lets nothing more in, and waits for what runs. */
  drain?(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const DEFAULTS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A modern request with everything it needs; `more` goes into its `_meta`. */
export function modern(method: string, params: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Sent {
  const name = params['name'] ?? params['uri'];
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, ...more } } },
  };
}

export function initialize(protocolVersion = '2025-11-25', id: unknown = 0): Record<string, unknown> {
  const clientInfo = { name: 'test', version: '1' };
  return { jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

/** A handshake client, once it is ready. */
export async function handshake(
  target: Target,
  protocolVersion = '2025-11-25',
  headers: Record<string, string> = {},
): Promise<{ id: string; headers: Record<string, string> }> {
  const answer = await target.send({ headers, body: initialize(protocolVersion) });
  const id = String(answer.headers['mcp-session-id']);
  const own = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion };
  await target.send({ headers: own, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return { id, headers: own };
}

/** Serves a layer through `nodeHandler`, on a port of the loopback. */
export async function nodeTarget(layer: McpLayer, options: HttpOptions = {}): Promise<Target> {
  const handler = layer.nodeHandler(options);
  const server = createServer((request, response) => handler(request, response));
  return {
    ...(await serverTarget(server, 'node')),
    get sessionCount() {
      return handler.sessionCount;
    },
    drain: (graceMs) => handler.close(graceMs),
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A client of a server that is not listening yet. */
export async function serverTarget(server: ReturnType<typeof createServer>, name: string): Promise<Target> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portTarget((server.address() as AddressInfo).port, name);
}

/** A client of whatever listens on a port. */
export function portTarget(port: number, name: string): Target {
  const start = ({ method = 'POST', path = '/mcp', headers = {}, body }: Sent): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const bytes = encode(body);
      const own = clean({ ...(method === 'POST' ? DEFAULTS : {}), ...headers });
      if (bytes !== undefined && own['transfer-encoding'] === undefined) own['content-length'] ??= String(bytes.length);
      const request = nodeRequest({ port, host: '127.0.0.1', method, path, headers: own, agent: false }, resolve);
      request.on('error', reject);
      request.end(bytes);
    });
  return {
    name,
    sessionCount: 0,
    async send(sent) {
      const response = await start(sent);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return whole(
        response.statusCode ?? 0,
        response.headers as Record<string, string>,
        Buffer.concat(chunks).toString(),
      );
    },
    async open(sent) {
      const response = await start(sent);
      const close = (): void => void response.destroy();
      response.on('error', () => undefined);
      return reading(response.statusCode ?? 0, response.headers as Record<string, string>, response, close);
    },
    close: () => Promise.resolve(),
  };
}

/** Serves a layer through `fetchHandler`, without a socket. */
export function fetchTarget(layer: McpLayer, options: HttpOptions = {}): Promise<Target> {
  const handler = layer.fetchHandler(options);
  const start = async (
    { method = 'POST', path = '/mcp', headers = {}, body }: Sent,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const own = clean({ ...(method === 'POST' ? DEFAULTS : {}), ...headers });
    const url = `http://${own['host'] ?? '127.0.0.1:3000'}${path}`;
    return handler(new Request(url, { method, headers: own, body: encode(body) ?? null, signal: signal ?? null }));
  };
  return Promise.resolve({
    name: 'fetch',
    get sessionCount() {
      return handler.sessionCount;
    },
    async send(sent) {
      const response = await start(sent);
      return whole(response.status, Object.fromEntries(response.headers), await response.text());
    },
    async open(sent) {
      const controller = new AbortController();
      const response = await start(sent, controller.signal);
      const reader = response.body?.getReader();
      const source = (async function* () {
        for (;;) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
          if (done || value === undefined) return;
          yield Buffer.from(value);
        }
      })();
      const close = (): void => {
        controller.abort();
        void reader?.cancel().catch(() => undefined);
      };
      return reading(response.status, Object.fromEntries(response.headers), source, close);
    },
    drain: (graceMs) => handler.close(graceMs),
    close: () => handler.close(),
  });
}

/** Both front ends, for `describe.each`. */
export const FRONTS = [
  ['node', nodeTarget],
  ['fetch', fetchTarget],
] as const;

function encode(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

function clean(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function whole(status: number, headers: Record<string, string | undefined>, text: string): Answer {
  const messages =
    headers['content-type'] === 'text/event-stream'
      ? eventsOf(text).flatMap(messageOf)
      : text === ''
        ? []
        : [parsed(text)];
  return { status, headers, text, messages, json: messages.at(-1) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function messageOf({ data }: SseEvent): unknown[] {
  return data === undefined || data === '' ? [] : [JSON.parse(data)];
}

function eventsOf(text: string): SseEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map(readBlock);
}

function readBlock(block: string): SseEvent {
  const event: Record<string, string | number> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === '') event['comment'] = value;
    else event[name] = name === 'retry' ? Number(value) : value;
  }
  return event;
}

function reading(
  status: number,
  headers: Record<string, string | undefined>,
  source: AsyncIterable<unknown>,
  close: () => void,
): OpenAnswer {
  const iterator = source[Symbol.asyncIterator]();
  let buffered = '';
  const block = async (): Promise<SseEvent | undefined> => {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end >= 0) {
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return readBlock(text);
      }
      const { done, value } = await iterator.next().catch(() => ({ done: true, value: undefined }));
      if (done === true) return undefined;
      buffered += String(value);
    }
  };
  const next = async (): Promise<SseEvent | undefined> => {
    for (;;) {
      const event = await block();
      if (event === undefined || event.data !== undefined || event.retry !== undefined) return event;
    }
  };
  const message = async (): Promise<any> => {
    for (;;) {
      const event = await next();
      if (event === undefined) return undefined;
      if (event.data !== undefined && event.data !== '') return JSON.parse(event.data);
    }
  };
  return { status, headers, block, next, message, close };
}

export type { IncomingMessage, ServerResponse, Socket };
