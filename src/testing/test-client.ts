import {
  checkOptions,
  isFunction,
  isObject,
  isOneOf,
  isSignal,
  isText,
  type OptionCheck,
} from '../core/check-options.js';
import type { Wire } from '../core/content.js';
import type { CompletionResult } from '../core/middleware.js';
import type { Change } from '../core/ports.js';
import { type Principal, principalProblem, type RequestInfo } from '../core/principal.js';
import type { CompletionReference, Layer } from '../layer/layer.js';
import { type Era, HANDSHAKE_VERSIONS, MODERN } from '../native/era.js';
import { type Answerer, Conversation } from './conversation.js';
import { textOf, ToolFailure } from './test-failures.js';

/** Who a test client is and what it speaks. */
export interface TestClientOptions {
  /** Default: the local user. */
  readonly principal?: Principal;
  /** How it arrives, for resolvers. */
  readonly info?: RequestInfo;
  /** Default: `handshake`. */
  readonly era?: Era;
  /** A revision of the protocol, which says the era too. Default: the era's newest. */
  readonly version?: string;
  /** What the client says it can do. Default: all that can be asked of it when there is an `answer`, else nothing. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Answers what the server asks: `(method, params) => result`. */
  readonly answer?: Answerer;
}

const CLIENT_CHECKS: Readonly<Record<keyof TestClientOptions, OptionCheck>> = {
  principal: principalProblem,
  info: isObject,
  era: isOneOf('handshake', 'modern'),
  version: isText,
  capabilities: isObject,
  answer: isFunction,
};

/** How one request is made. */
export interface TestRequestOptions {
  /** Cancels the request as a client does; it is then rejected with a `CancelledError`. */
  readonly signal?: AbortSignal;
  /** Sent as the request's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One progress notification. */
export interface TestProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One log message. */
export interface TestLog {
  readonly level: string;
  readonly data: unknown;
  readonly logger?: string;
}

/** What a prompt answered. */
export interface TestPrompt {
  readonly description?: string;
  readonly messages: readonly { readonly role: string; readonly content: Wire }[];
}

/**
 * A client in the same process that speaks the real protocol, message by message and through JSON: no port, no child
 * process, and the same in jest, vitest and node:test.
 */
export class TestClient {
  /** What requests reported, in order. */
  readonly progress: TestProgress[] = [];
  /** What the server logged to the client, in order; it is asked for every level. */
  readonly logs: TestLog[] = [];
  /** The changes that the client was told of, in order. Contents of single resources need {@link subscribe}. */
  readonly changes: Change[] = [];
  readonly #conversation: Conversation;

  /** Made by {@link createTestClient}. */
  constructor(layer: Layer, { answer, capabilities, era = 'handshake', info, principal, version }: TestClientOptions) {
    this.#conversation = new Conversation(layer, {
      principal,
      info,
      version: version ?? (era === 'modern' ? MODERN : HANDSHAKE_VERSIONS[0]),
      capabilities:
        capabilities ?? (answer === undefined ? {} : { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }),
      clientInfo: { name: 'cartouche-test', version: '0' },
      answer,
      onNotification: (method, params) => this.#notified(method, params),
    });
  }

  listTools(): Promise<Wire[]> {
    return this.#pages('tools/list', 'tools');
  }

  listResources(): Promise<Wire[]> {
    return this.#pages('resources/list', 'resources');
  }

  listResourceTemplates(): Promise<Wire[]> {
    return this.#pages('resources/templates/list', 'resourceTemplates');
  }

  listPrompts(): Promise<Wire[]> {
    return this.#pages('prompts/list', 'prompts');
  }

  /**
   * Calls a tool. Gives the structured value as it went over the wire (what is not an object is under `result`), else the
   * text, else the content blocks.
   *
   * @throws {ToolFailure} When the result is an error.
   * @throws {ProtocolFailure} When there is no such tool for this caller, or the arguments are not an object.
   */
  async call<T = unknown>(name: string, args: object = {}, options: TestRequestOptions = {}): Promise<T> {
    const result = await this.callResult(name, args, options);
    if (result['isError'] === true) throw new ToolFailure(name, result);
    if (result['structuredContent'] !== undefined) return result['structuredContent'] as T;
    const content = result['content'] as readonly Wire[];
    const isText = content.length > 0 && content.every(({ type }) => type === 'text');
    return (isText ? textOf(result) : content) as T;
  }

  /** Calls a tool and gives the whole result, whether it is an error or not. */
  callResult(name: string, args: object = {}, options: TestRequestOptions = {}): Promise<Wire> {
    return this.raw('tools/call', { name, arguments: args }, options);
  }

  /**
   * Reads a resource. JSON is parsed, other text is text, and a blob is a `Buffer`; where there are several contents, a list of them.
   *
   * @throws {ProtocolFailure} When it is not there, or fails.
   */
  async read<T = unknown>(uri: string, options: TestRequestOptions = {}): Promise<T> {
    const { contents } = await this.raw('resources/read', { uri }, options);
    const values = (contents as readonly Wire[]).map(valueOf);
    return (values.length === 1 ? values[0] : values) as T;
  }

  /** Renders a prompt. @throws {ProtocolFailure} When it is not there, its arguments do not fit, or it fails. */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: TestRequestOptions = {},
  ): Promise<TestPrompt> {
    const { description, messages } = (await this.raw(
      'prompts/get',
      { name, arguments: args },
      options,
    )) as unknown as TestPrompt;
    return description === undefined ? { messages } : { description, messages };
  }

  /** Completes an argument. @param given The arguments that are known already. */
  async complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    given?: Readonly<Record<string, string>>,
  ): Promise<CompletionResult> {
    const context = given === undefined ? {} : { context: { arguments: given } };
    const { completion } = await this.raw('completion/complete', { ref, argument, ...context });
    return completion as CompletionResult;
  }

  /** Sends any request and gives its result. @throws {ProtocolFailure} When it is answered with an error. */
  async raw(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: TestRequestOptions = {},
  ): Promise<Wire> {
    checkOptions('a request', options, { signal: isSignal, meta: isObject });
    const { meta, signal } = options;
    return this.#conversation.request(method, { ...params, ...(meta === undefined ? {} : { _meta: meta }) }, signal);
  }

  /** Asks to hear when the contents of these resources change. */
  async subscribe(...uris: string[]): Promise<void> {
    if (this.#conversation.era === 'handshake') {
      for (const uri of uris) await this.raw('resources/subscribe', { uri });
      return;
    }
    await this.#conversation.listen({ resourceSubscriptions: uris });
  }

  /** Ends the conversation. The layer stays open. */
  close(): void {
    this.#conversation.close();
  }

  async #pages(method: string, key: string): Promise<Wire[]> {
    const found: Wire[] = [];
    let cursor: unknown;
    do {
      const page = await this.raw(method, cursor === undefined ? {} : { cursor });
      found.push(...(page[key] as readonly Wire[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return found;
  }

  #notified(method: string, params: Wire): void {
    switch (method) {
      case 'notifications/progress': {
        const { message, progress, total } = params as unknown as TestProgress;
        this.progress.push({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        });
        return;
      }
      case 'notifications/message': {
        const { data, level, logger } = params as unknown as TestLog;
        this.logs.push({ level, data, ...(logger === undefined ? {} : { logger }) });
        return;
      }
      case 'notifications/resources/updated':
        this.changes.push({ kind: 'resource', uri: params['uri'] as string });
        return;
      default: {
        const kind = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
        if (kind !== undefined) this.changes.push({ kind: kind as Change['kind'] });
      }
    }
  }
}

function valueOf({ blob, mimeType, text }: Wire): unknown {
  if (blob !== undefined) return Buffer.from(blob as string, 'base64');
  if (typeof mimeType !== 'string' || !/[/+]json\b/.test(mimeType)) return text;
  try {
    return JSON.parse(text as string) as unknown;
  } catch {
    return text;
  }
}

/**
 * Connects a client to a layer, in memory.
 *
 * `const client = createTestClient(layer, { principal }); expect(await client.call('count_assets')).toEqual({ … });`
 */
export function createTestClient(layer: Layer, options: TestClientOptions = {}): TestClient {
  checkOptions('createTestClient', options, CLIENT_CHECKS);
  return new TestClient(layer, options);
}
