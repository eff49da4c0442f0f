/** What a client said it can do. Source: MCP, `ClientCapabilities`; members of no known name are allowed. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

/** How a request to a client ends early. */
export interface ClientCallOptions {
  /** Withdraws the request. */
  readonly signal: AbortSignal;
  /** How long the client may take. */
  readonly timeoutMs: number;
}

/** A client that can be asked while its request waits: every handshake revision, and answers given inside the process. */
export interface HandshakeClient {
  readonly era: 'handshake';
  /** The revision that was agreed on. */
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  /**
   * Sends one request on the stream of the client's own request and waits for the result.
   *
   * @throws {TimeoutError} When the client takes longer than `timeoutMs`.
   * @throws {CancelledError} When `signal` fires, or the client goes away.
   * @throws {McpLayerError} When the client answers with an error; `code` and `message` are the client's.
   */
  request(method: string, params: Readonly<Record<string, unknown>>, options: ClientCallOptions): Promise<unknown>;
}

/** A client that is asked by an answer, and answers with its next request. Source: MCP 2026-07-28, "Multi round-trip requests". */
export interface ModernClient {
  readonly era: 'modern';
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  /** The request's `inputResponses`, as they came. */
  readonly inputResponses: unknown;
  /** The request's `requestState`, as it came. */
  readonly requestState: unknown;
}

/** The client behind one request, as far as it can be asked. A carrier that knows of none leaves it out. */
export type ClientPort = HandshakeClient | ModernClient;
