import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  AskKind,
  AnswersTo,
  FormAnswer,
  FormOptions,
  FormSource,
  Question,
  QuestionOptions,
  Root,
  SampleAnswer,
  SampleParams,
  UrlAnswer,
  UrlOptions,
} from './asking.js';
import { CallControl } from './call-control.js';
import type { ClientPort } from './client-port.js';
import type { ResourceContents } from './content.js';
import { ResourceLink, type ResourceLinkOptions } from './content.js';
import { ConfigurationError } from './errors.js';
import { finding } from './finding.js';
import type { LogLevel, NotificationSink } from './notifications.js';
import type { ChangeKind, Primitive } from './ports.js';
import { Principal, principalProblem, type RequestInfo } from './principal.js';
import type { PromptResult } from './prompt-result.js';
import type { ToolResult } from './tool-result.js';

export { LOG_LEVELS, type LogLevel, type NotificationSink } from './notifications.js';

/** How one request is made inside the process. */
export interface CallOptions {
  readonly principal?: Principal;
  readonly context?: ContextInit;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** What its carrier looked the name up as, so that the policy is not asked again. */
  readonly looked?: Looked | undefined;
}

/** What a name was looked up as before the call; only the layer that made it can read it. */
export interface Looked<P extends Primitive = Primitive> {
  /** `undefined` when there is nothing by that name for this caller. */
  readonly primitive: P | undefined;
}

/** What a handler may do with the layer that runs it. */
export interface LayerHandle {
  readonly name: string;
  callTool(name: string, args?: unknown, options?: CallOptions): Promise<ToolResult>;
  readResource(uri: string, options?: CallOptions): Promise<readonly ResourceContents[]>;
  getPrompt(name: string, args?: unknown, options?: CallOptions): Promise<PromptResult>;
  notifyChange(kind: ChangeKind, uri?: string): void;
}

/** What a carrier knows of a request; everything has a default. */
export interface ContextInit {
  readonly principal?: Principal | undefined;
  /** The JSON-RPC id. */
  readonly requestId?: string | number | undefined;
  /** Names the session, where there is one. */
  readonly session?: string | undefined;
  /** The request's `_meta`, as it came. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly info?: RequestInfo | undefined;
  readonly sink?: NotificationSink | undefined;
  /** The client, where it can be asked. */
  readonly client?: ClientPort | undefined;
}

const NO_META = Object.freeze({});
const BRAND = Symbol.for('cartouche.ToolContext');

/** Whether an emitted parameter type is {@link ToolContext}, from whichever loaded copy of this package. */
export function isContextType(type: unknown): boolean {
  return typeof type === 'function' && BRAND in type;
}

let controlIn: (context: ToolContext) => CallControl;

/** One request, as its handler sees it. */
export class ToolContext implements ContextInit {
  static readonly [BRAND] = true;
  readonly principal: Principal;
  readonly layer: LayerHandle;
  readonly requestId: string | number | undefined;
  readonly session: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly info: RequestInfo | undefined;
  readonly client: ClientPort | undefined;
  readonly #control: CallControl;

  static {
    // Only who imports this module's function reaches the controls: a handler has the context, and nothing leads on from it.
    controlIn = (context) => context.#control;
  }

  /** Made by a layer: `layer.context({ … })`. */
  constructor(layer: LayerHandle, init: ContextInit = {}) {
    this.layer = layer;
    this.principal = init.principal === undefined ? Principal.local() : checked(init.principal);
    this.requestId = init.requestId;
    this.session = init.session;
    this.meta = init.meta ?? NO_META;
    this.info = init.info;
    this.client = init.client;
    this.#control = new CallControl(init.sink);
  }

  /** Aborts when the caller cancels, goes away (where the protocol says so), or the time is up. */
  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** Whether the request was cancelled or timed out. Costs less than {@link signal}. */
  get aborted(): boolean {
    return this.#control.abortReason !== undefined;
  }

  /**
   * Tells the client how far the work is. Dropped when the client did not ask, when it does not increase, and once the
   * request is over.
   */
  reportProgress(progress: number, total?: number, message?: string): void {
    this.#control.reportProgress(progress, total, message);
  }

  /** Sends the client a log message, where it wants one of this level. Never log secrets or argument values. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#control.log(level, data, logger);
  }

  /** Appends a link to the tool's result. */
  link(uri: string, name: string, options?: ResourceLinkOptions): void {
    this.#control.link(new ResourceLink(uri, name, options));
  }

  /**
   * Asks the person to fill in a form, and waits. The form is made of `form`, the answer checked by the same rules and an
   * instance of it. With a modern client the handler runs again from the start for each round of answers and finds
   * earlier ones by their keys: let it depend on its arguments and on answers only, and put side effects into {@link step}.
   *
   * @param key Names the question within this call.
   * @throws {AskingError} When the client cannot be asked; {@link canAsk} tells beforehand.
   * @throws {ConfigurationError} When `form` has something that no form can show.
   */
  elicit<T>(key: string, form: FormSource<T>, options: FormOptions): Promise<FormAnswer<T>> {
    return this.#one<FormAnswer<T>>(key, { ...options, form });
  }

  /** Asks the person to open an address: for payments, logins and secrets, none of which may go through a form. */
  elicitUrl(key: string, url: string | URL, options: UrlOptions): Promise<UrlAnswer> {
    return this.#one<UrlAnswer>(key, { ...options, url });
  }

  /**
   * Lets the client's model answer. Errors are those of {@link elicit}.
   *
   * @deprecated By MCP 2026-07-28 (SEP-2577), which may drop it from 2027-07-28 on: call a model's provider instead.
   */
  sample(key: string, params: SampleParams, options: QuestionOptions = {}): Promise<SampleAnswer> {
    return this.#one<SampleAnswer>(key, { ...options, sample: params });
  }

  /**
   * The directories that the client works in. Errors are those of {@link elicit}.
   *
   * @deprecated By MCP 2026-07-28 (SEP-2577), which may drop it from 2027-07-28 on: take paths or URIs as arguments.
   */
  listRoots(key: string, options: QuestionOptions = {}): Promise<readonly Root[]> {
    return this.#one<readonly Root[]>(key, { ...options, roots: true });
  }

  /** Asks several questions in one round, by their keys. Errors are those of {@link elicit}. */
  ask<Q extends Readonly<Record<string, Question>>>(questions: Q): Promise<AnswersTo<Q>> {
    return this.#control.asker.ask(questions);
  }

  /** Whether the client can be asked this. */
  canAsk(kind: AskKind): boolean {
    return this.#control.asker.can(kind);
  }

  /**
   * Runs `work` once, however often the handler runs, and gives its result as JSON has it. What `work` throws is kept too.
   *
   * @param key Names the step within this call.
   */
  step<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return this.#control.asker.step(key, work);
  }

  #one<A>(key: string, question: Question): Promise<A> {
    const answer = this.#control.asker.ask({ [key]: question }).then((answers) => answers[key] as A);
    // A question that nobody waits for must not end the process.
    answer.catch(() => undefined);
    return answer;
  }

  /** Tells clients that a list, or with `resource` the contents of one URI, changed. */
  notifyChange(kind: ChangeKind, uri?: string): void {
    this.layer.notifyChange(kind, uri);
  }
}

/** The controls of a request, for whoever runs it. */
export function controlOf(context: ToolContext): CallControl {
  return controlIn(context);
}

const STORAGE = new AsyncLocalStorage<ToolContext>();

/**
 * The context of the request whose handler is running, for code deep below it.
 *
 * @throws {ConfigurationError} Outside a handler, or when the layer was built with `asyncContext: false`.
 */
export function currentContext(): ToolContext {
  const context = STORAGE.getStore();
  if (context !== undefined) return context;
  throw new ConfigurationError(
    finding(
      'CT907',
      'currentContext(): no request is running here. Call it below a handler, of a layer with `asyncContext: true`.',
    ),
  );
}

/** The context of the request whose handler is running, where there is one. */
export function runningContext(): ToolContext | undefined {
  return STORAGE.getStore();
}

/** Runs `work` with `context` as the current one. */
export function withContext<A, T>(context: ToolContext, work: (argument: A) => T, argument: A): T {
  return STORAGE.run(context, work, argument);
}

/** A caller that was meant to be somebody must not become the local user. */
function checked(principal: Principal): Principal {
  const problem = principalProblem(principal);
  if (problem === undefined) return principal;
  throw new ConfigurationError(finding('CT103', `a call: principal ${problem}.`));
}
