import type { Buffer } from 'node:buffer';

/** A JSON-RPC message, as tests read it. */
export type Message = Record<string, any>;

/** What tests drive hosts with: the wire itself, since SDK clients hide what they strip. */
export interface Wire {
  readonly era: 'handshake' | 'modern';
  /** Notifications that arrived, whichever way. */
  readonly notifications: Message[];
  request(method: string, params?: Message, options?: RequestOptions): Promise<Message>;
  notify(method: string, params?: Message): Promise<void>;
  /** Sends a request, and cancels it once `when` resolves. Resolves when the cancellation was sent. */
  cancelled(method: string, params: Message, when: Promise<void>): Promise<void>;
  /** Opens what carries news outside requests; resolves when it is open. */
  listen(uris: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** What a transport in memory says beside the message. */
  readonly extra?: unknown;
}

/** A validated token of one OAuth client, as an SDK's HTTP entries pass it on. */
export function tokenOf(sub: string): Message {
  return { token: 't', clientId: 'app', scopes: ['read'], extra: { sub, iss: 'https://as.example' } };
}

/** The shape both SDKs ask of a transport. The class name is one they know as a transport within the process. */
export class InMemoryTransport {
  onmessage?: (message: Message, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
  readonly sent: Message[] = [];
  #receive: (message: Message) => void = () => undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: Message): Promise<void> {
    this.#receive(JSON.parse(JSON.stringify(message)) as Message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  onsend(receive: (message: Message) => void): void {
    this.#receive = receive;
  }
}

/** A transport of a class that nothing is known of. */
export class CarrierPigeon extends InMemoryTransport {}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'wire', version: '0' },
};

/** Talks to a server over a pair within the process. */
export class MemoryWire implements Wire {
  readonly notifications: Message[] = [];
  readonly transport: InMemoryTransport;
  initialized: Message = {};
  readonly #extra: unknown;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  constructor(
    transport = new InMemoryTransport(),
    extra?: unknown,
    readonly era: 'handshake' | 'modern' = 'handshake',
  ) {
    this.transport = transport;
    this.#extra = extra;
    transport.onsend((message) => {
      if (message['method'] !== undefined && message['id'] === undefined) this.notifications.push(message);
      else if (message['method'] === undefined) this.#waiting.get(message['id'] as number)?.(message);
      else this.#answer(message);
    });
  }

  async initialize(): Promise<void> {
    this.initialized = await this.request('initialize', INITIALIZE);
    await this.notify('notifications/initialized');
  }

  request(method: string, params?: Message, { extra = this.#extra }: RequestOptions = {}): Promise<Message> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      const sent = this.era === 'modern' ? withEnvelope(params) : params;
      this.transport.onmessage?.({ jsonrpc: '2.0', id, method, ...(sent && { params: sent }) }, extra);
    });
  }

  notify(method: string, params?: Message): Promise<void> {
    this.transport.onmessage?.({ jsonrpc: '2.0', method, ...(params && { params }) }, this.#extra);
    return Promise.resolve();
  }

  async cancelled(method: string, params: Message, when: Promise<void>): Promise<void> {
    const id = this.#lastId + 1;
    void this.request(method, params);
    await when;
    await this.notify('notifications/cancelled', { requestId: id, reason: 'test' });
  }

  async listen(uris: readonly string[]): Promise<void> {
    if (this.era === 'handshake') return;
    void this.request('subscriptions/listen', { notifications: everything(uris) });
    await settled();
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Clients of the handshake era can be asked; this one says yes to everything. */
  #answer({ id }: Message): void {
    this.transport.onmessage?.({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'wire' } } });
  }
}

/** What answers one HTTP request. */
export type Fetch = (request: Request) => Promise<Response>;

const META = 'io.modelcontextprotocol/';

/** Parameters with what every modern request says of itself. */
function withEnvelope(params: Message = {}): Message {
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientCapabilities`]: { elicitation: { form: {} } },
      [`${META}clientInfo`]: INITIALIZE.clientInfo,
      [`${META}logLevel`]: 'info',
      ...(params['_meta'] as Message | undefined),
    },
  };
}

function everything(resourceSubscriptions: readonly string[]): Message {
  return { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions };
}
const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Talks HTTP, to a URL or straight to a handler. */
export class HttpWire implements Wire {
  readonly notifications: Message[] = [];
  session: string | undefined;
  lastStatus = 0;
  /** The first event that had an id, on whichever stream. */
  firstEvent: string | undefined;
  readonly #open = new Set<AbortController>();
  readonly #saw = (eventId: string): void => {
    this.firstEvent ??= eventId;
  };
  #lastId = 0;

  constructor(
    readonly era: 'handshake' | 'modern',
    readonly fetch: Fetch,
    readonly url = 'http://127.0.0.1/mcp',
    readonly headers: Record<string, string> = {},
  ) {}

  async initialize(): Promise<Message> {
    const answer = await this.request('initialize', INITIALIZE);
    await this.notify('notifications/initialized');
    return answer;
  }

  async request(method: string, params: Message = {}, options: RequestOptions = {}): Promise<Message> {
    const id = ++this.#lastId;
    const controller = new AbortController();
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, controller, options);
    this.session = response.headers.get('mcp-session-id') ?? this.session;
    for await (const message of messages(response, this.#saw)) {
      if (message['id'] === id && message['method'] === undefined) return message;
      if (message['id'] !== undefined && message['method'] !== undefined) void this.#answer(message);
      else this.notifications.push(message);
    }
    return { error: { code: response.status, message: 'no answer' } };
  }

  async notify(method: string, params: Message = {}): Promise<void> {
    const response = await this.#post({ jsonrpc: '2.0', method, params }, new AbortController(), {});
    await response.text();
  }

  async cancelled(method: string, params: Message, when: Promise<void>): Promise<void> {
    const controller = new AbortController();
    const id = ++this.#lastId;
    const answer = this.#post({ jsonrpc: '2.0', id, method, params }, controller, {}).catch(() => undefined);
    await when;
    if (this.era === 'handshake' && this.session !== undefined)
      await this.notify('notifications/cancelled', { requestId: id });
    else {
      controller.abort();
      await (await answer)?.body?.cancel().catch(() => undefined);
    }
  }

  async listen(uris: readonly string[]): Promise<void> {
    const controller = new AbortController();
    this.#open.add(controller);
    let response: Response;
    if (this.era === 'handshake') {
      const headers = { accept: 'text/event-stream', ...this.#sessionHeaders(), ...this.headers };
      response = await this.fetch(new Request(this.url, { headers, signal: controller.signal }));
      void this.#follow(response);
      return;
    }
    const body = {
      jsonrpc: '2.0',
      id: `listen-${++this.#lastId}`,
      method: 'subscriptions/listen',
      params: { notifications: everything(uris) },
    };
    response = await this.#post(body, controller, {});
    const acknowledged = new Promise<void>((resolve) => void this.#follow(response, resolve));
    await acknowledged;
  }

  /** What a client is sent that resumes the stream of {@link firstEvent}; its status, where it is sent nothing. */
  async resumed(headers: Record<string, string> = {}): Promise<number | readonly Message[]> {
    const controller = new AbortController();
    const response = await this.fetch(
      new Request(this.url, {
        headers: {
          accept: 'text/event-stream',
          'last-event-id': this.firstEvent ?? '',
          ...this.#sessionHeaders(),
          ...this.headers,
          ...headers,
        },
        signal: controller.signal,
      }),
    );
    if (response.status !== 200) return response.status;
    const found: Message[] = [];
    const reading = (async () => {
      for await (const message of messages(response)) found.push(message);
    })().catch(() => undefined);
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 200))]);
    controller.abort();
    await reading;
    return found;
  }

  close(): Promise<void> {
    for (const controller of this.#open) controller.abort();
    return Promise.resolve();
  }

  /** This client says yes to everything it is asked. */
  async #answer({ id }: Message): Promise<void> {
    const result = { action: 'accept', content: { name: 'wire' } };
    const response = await this.#post({ jsonrpc: '2.0', id, result }, new AbortController(), {});
    await response.text();
  }

  async #follow(response: Response, onFirst?: () => void): Promise<void> {
    try {
      for await (const message of messages(response, this.#saw)) {
        this.notifications.push(message);
        onFirst?.();
      }
    } catch {
      // Closed by this side.
    }
  }

  #sessionHeaders(): Record<string, string> {
    return this.session === undefined ? {} : { 'mcp-session-id': this.session, 'mcp-protocol-version': '2025-11-25' };
  }

  async #post(message: Message, controller: AbortController, options: RequestOptions): Promise<Response> {
    const body = structuredClone(message);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#sessionHeaders(),
    };
    if (this.era === 'modern') {
      body['params'] = withEnvelope(body['params'] as Message);
      headers['mcp-protocol-version'] = '2026-07-28';
      headers['mcp-method'] = body['method'] as string;
      const name = NAMED[body['method'] as string];
      if (name !== undefined) headers['mcp-name'] = String(body['params'][name]);
    }
    const response = await this.fetch(
      new Request(this.url, {
        method: 'POST',
        headers: { ...headers, ...this.headers, ...options.headers },
        body: JSON.stringify(body),
        signal: controller.signal,
      }),
    );
    this.lastStatus = response.status;
    return response;
  }
}

/** The JSON-RPC messages of a response, one body or a stream of events. */
async function* messages(response: Response, saw?: (eventId: string) => void): AsyncGenerator<Message> {
  if (!response.headers.get('content-type')?.includes('event-stream')) {
    const text = await response.text();
    if (text.trim().startsWith('{')) yield JSON.parse(text) as Message;
    return;
  }
  let pending = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Buffer>) {
    pending += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = /\r?\n\r?\n/.exec(pending);
      if (end === null) break;
      const lines = pending.slice(0, end.index).split(/\r?\n/);
      const data = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      const id = lines.find((line) => line.startsWith('id:'));
      if (id !== undefined) saw?.(id.slice(3).trim());
      pending = pending.slice(end.index + end[0].length);
      if (data !== '') yield JSON.parse(data) as Message;
    }
  }
}

/** Lets everything that is due be delivered. */
export async function settled(turns = 5): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until `condition` holds. @throws {Error} When it does not within five seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
