import { BATCH_VERSION, classify, HANDSHAKE_VERSIONS, type HandshakeVersion } from '../../era.js';
import {
  invalidRequest,
  isRecord,
  type JsonRpcRequest,
  type JsonRpcResponse,
  kindOf,
  type MessageKind,
  type Reply,
  success,
} from '../../messages.js';
import type { Admitted, RouteHost } from './route-host.js';
import type { Accepted } from '../wire/media-types.js';
import { PostExchange } from '../answers/post-exchange.js';
import { sendEmpty, sendFailure } from '../wire/replies.js';

/**
 * Serves the handshake revisions without sessions: any process answers any request, nothing is remembered, and nothing is
 * sent but answers and what belongs to them.
 */
export class SessionlessRoute {
  readonly #host: RouteHost;

  constructor(host: RouteHost) {
    this.#host = host;
  }

  post({ request, reply, info }: Admitted, accepted: Accepted, message: unknown, kind: MessageKind): void {
    if (kind === 'notification' || kind === 'response') {
      sendEmpty(reply, 202);
      return;
    }
    const version = versionOf(request.headers['mcp-protocol-version']?.trim());
    if (kind === 'batch' && !isBatch(message, version)) {
      sendFailure(request, reply, 400, invalidRequest(message));
      return;
    }
    const principal = this.#host.server.principalOf(info);
    const exchange = new SessionlessExchange(info, principal, reply, accepted, this.#host);
    const answer =
      kind === 'batch'
        ? this.#batch(message as readonly unknown[], version, exchange)
        : this.#answer(message as JsonRpcRequest, version, exchange);
    void answer.then((outcome) => exchange.answer(outcome));
  }

  async #batch(
    messages: readonly unknown[],
    version: HandshakeVersion,
    exchange: SessionlessExchange,
  ): Promise<Reply | undefined> {
    const replies = await Promise.all(messages.map((message) => this.#member(message, version, exchange)));
    const responses = replies.filter((response) => response !== undefined);
    return responses.length === 0 ? undefined : responses;
  }

  async #member(
    message: unknown,
    version: HandshakeVersion,
    exchange: SessionlessExchange,
  ): Promise<JsonRpcResponse | undefined> {
    const kind = kindOf(message);
    if (kind === 'notification' || kind === 'response') return undefined;
    if (kind !== 'request' || (message as JsonRpcRequest).method === 'initialize') return invalidRequest(message);
    return this.#answer(message as JsonRpcRequest, version, exchange);
  }

  #answer(
    message: JsonRpcRequest,
    version: HandshakeVersion,
    exchange: SessionlessExchange,
  ): Promise<JsonRpcResponse | undefined> {
    if (message.method === 'initialize') return this.#initialize(message);
    return this.#host.server.handleSessionless(message, version, exchange);
  }

  /** Says what is offered, without what would have to be sent later. */
  async #initialize(message: JsonRpcRequest): Promise<JsonRpcResponse> {
    const session = this.#host.server.createSession({ transport: 'http', send: () => undefined });
    const response = (await session.handle(message)) as JsonRpcResponse;
    session.close();
    if (!('result' in response)) return response;
    const { capabilities } = response.result;
    return success(response.id, { ...response.result, capabilities: withoutPush(capabilities) });
  }
}

/** In the handshake revisions a lost connection withdraws nothing. */
class SessionlessExchange extends PostExchange {
  protected override disconnected(): void {
    this.channel?.lose();
  }
}

/** Clients before 2025-06-18 do not say which revision they speak. Source: MCP 2025-11-25, "Protocol version header". */
function versionOf(header: string | undefined): HandshakeVersion {
  return HANDSHAKE_VERSIONS.find((version) => version === header) ?? BATCH_VERSION;
}

function isBatch(message: unknown, version: HandshakeVersion): message is readonly unknown[] {
  if (!Array.isArray(message) || version !== BATCH_VERSION || message.length === 0 || message.length > MAX_BATCH)
    return false;
  return !message.some((member) => classify(member) === 'stateless');
}

/** How many messages one batch may hold. */
const MAX_BATCH = 1000;

function withoutPush(capabilities: unknown): Record<string, unknown> {
  const entries = isRecord(capabilities) ? Object.entries(capabilities) : [];
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const kept = isRecord(value) ? Object.entries(value).filter(([key]) => !PUSHED.has(key)) : [];
      return [name, Object.fromEntries(kept)];
    }),
  );
}

/** What a capability promises to send without being asked. */
const PUSHED: ReadonlySet<string> = new Set(['listChanged', 'subscribe']);
