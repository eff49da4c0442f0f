import type { CallControl } from '../core/call-control.js';
import { type CallOptions, controlOf, type LayerHandle, runningContext, ToolContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { CancelledError, errorKind, InvalidArgumentsError, McpLayerError } from '../core/errors.js';
import type { CallKind, CompletionResult, ResultByKind } from '../core/middleware.js';
import type { Principal } from '../core/principal.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { ResourceTemplateSpec } from '../registry/resource-spec.js';
import type { CompletionHandler } from '../registry/spec.js';
import { recordMissing } from './admission.js';
import { CallState, type CompletionRequest, type Runtime, type Sighting } from './call-state.js';
import { type Catalog, type ListName, NOTHING, type SeenBy } from './catalog.js';
import type { Chain } from './chain.js';
import { mapFailure, throwIfCancelled, toErrorResult, toLayerError } from './failures.js';
import { Look } from './look.js';
import { runStages } from './stages.js';

/** What a request asks for; the rest is its kind's business. */
export interface Target {
  readonly kind: CallKind;
  readonly name: string;
  /** The arguments of a tool or prompt, or the text to complete. */
  readonly args?: unknown;
  /** What the name of a completion refers to. */
  readonly reference?: { readonly type: 'ref/prompt' | 'ref/resource'; readonly argument: string };
}

/** What a target turned out to be, for one caller. */
interface Found {
  readonly name: string;
  readonly args: unknown;
  readonly seen: Sighting;
  readonly completion?: CompletionRequest | undefined;
}

const NO_COMPLETION: CompletionResult = Object.freeze({
  values: Object.freeze([]),
  total: 0,
  hasMore: false,
});

/** How a completion is asked for inside the process. */
export interface CompleteOptions extends CallOptions {
  /** The arguments that are known already. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/** Takes requests from their context through the middleware and the stages to their answer. */
export class Requests {
  readonly #layer: LayerHandle;
  readonly #runtime: Runtime;
  readonly #catalog: Catalog;
  readonly #chain: Chain;

  constructor(layer: LayerHandle, runtime: Runtime, catalog: Catalog, chain: Chain) {
    this.#layer = layer;
    this.#runtime = runtime;
    this.#catalog = catalog;
    this.#chain = chain;
  }

  /** Answers one request. @throws {McpLayerError} Whatever is not an answer of its kind. */
  async run(target: Target, options: CompleteOptions): Promise<ResultByKind[CallKind]> {
    const context = this.#contextFor(options);
    const { args, completion, name, seen } = this.#find(target, context.principal, options);
    const outer = options.context instanceof ToolContext && options.context !== context ? options.context : undefined;
    const nested = outer !== undefined || (this.#runtime.options.asyncContext && this.#isInsideHandler());
    const call = new CallState(this.#runtime, target.kind, name, args, context, seen, nested);
    call.completion = completion;
    if (seen.entry === undefined && call.kind !== 'list') {
      recordMissing(call);
      if (call.kind === 'tool' || call.kind === 'prompt')
        call.meant = this.#catalog.nearest(call.kind, name, context.principal);
    }
    call.outer = outer && controlOf(outer);
    call.control.askThrough(call);
    const unlink = linkAborts(call.control, options.signal, outer);
    try {
      let answer: ResultByKind[CallKind];
      if (this.#chain.handles(call.kind)) answer = await this.#chain.run(call, () => this.#terminal(call));
      else {
        const waiting = this.#attempt(call);
        if (waiting !== undefined) await waiting;
        answer = call.value as ResultByKind[CallKind];
      }
      if (call.isUnfinished) throw await call.conclude();
      if (context.aborted) throwIfCancelled(call);
      return answer;
    } catch (thrown) {
      return await this.#fail(call, call.isUnfinished ? await call.conclude() : thrown);
    } finally {
      call.control.finish();
      unlink?.();
      if (call.holdsScope) await this.#release(call);
    }
  }

  /** A context serves one request: a nested call gets one of its own, which ends with its parent's. */
  #contextFor({ context, principal }: CallOptions): ToolContext {
    if (!(context instanceof ToolContext)) {
      return started(new ToolContext(this.#layer, principal === undefined ? context : { ...context, principal }));
    }
    const isOwn = principal === undefined || principal === context.principal;
    if (isOwn && context.layer === this.#layer && controlOf(context).begin()) return context;
    const { client, info, meta, requestId, session } = context;
    return started(
      new ToolContext(this.#layer, {
        principal: principal ?? context.principal,
        requestId,
        session,
        meta,
        info,
        client,
        // Its progress would not fit its parent's; what it logs is its parent's to send.
        sink: { log: (level, data, logger) => context.log(level, data, logger) },
      }),
    );
  }

  #isInsideHandler(): boolean {
    const running = runningContext();
    return running?.layer === this.#layer && controlOf(running).isRunning;
  }

  #find(target: Target, principal: Principal, options: CompleteOptions): Found {
    const { args, kind, name } = target;
    switch (kind) {
      case 'tool':
        return { name, args: checkArguments(args), seen: this.#see('tool', name, principal, options) };
      case 'prompt':
        return { name, args: checkArguments(args), seen: this.#see('prompt', name, principal, options) };
      case 'resource': {
        const seen = this.#see('resource', name, principal, options);
        return { name, args: seen.variables, seen };
      }
      case 'completion':
        return this.#findCompletion(target, principal, options);
      case 'list':
        return { name, args: undefined, seen: NOTHING };
    }
  }

  /** What the carrier has looked up already is not asked for again. */
  #see<K extends keyof SeenBy>(kind: K, name: string, principal: Principal, { looked }: CallOptions): SeenBy[K] {
    if (looked instanceof Look && looked.fits(this.#catalog, kind, name, principal)) return looked.seen;
    return this.#catalog.see(kind, name, principal);
  }

  #findCompletion({ args, name, reference }: Target, principal: Principal, options: CompleteOptions): Found {
    const argument = reference?.argument ?? '';
    const given = options.arguments ?? {};
    const isPrompt = reference?.type === 'ref/prompt';
    const seen = isPrompt ? this.#catalog.prompt(name, principal) : this.#catalog.templateOf(name, principal);
    const handler = seen.entry && completionOf(seen.entry.spec, argument);
    return {
      name: `${name}#${argument}`,
      args,
      seen: handler === undefined ? { ...seen, entry: undefined } : seen,
      completion: handler && { argument, handler, given, known: given },
    };
  }

  /** The innermost `next`: a failure is thrown as the error hook has it. */
  async #terminal(call: CallState): Promise<ResultByKind[CallKind]> {
    try {
      call.control.dropLinks();
      const waiting = this.#attempt(call);
      if (waiting !== undefined) await waiting;
      if (call.isUnfinished) throw await call.conclude();
      return call.value as ResultByKind[CallKind];
    } catch (thrown) {
      throw call.isUnfinished ? await call.conclude() : mapFailure(call, thrown);
    }
  }

  /** One run of the stages. A retry starts anew, with the arguments as they came. */
  #attempt(call: CallState): void | Promise<void> {
    if (call.kind === 'list') {
      call.value = this.#catalog.wire(call.name as ListName, call.principal);
      return;
    }
    call.value = call.args;
    call.rewind();
    return runStages(call, call.found().stages);
  }

  async #fail(call: CallState, thrown: unknown): Promise<ResultByKind[CallKind]> {
    const error = await toLayerError(call, thrown);
    if (call.kind === 'tool') return toErrorResult(call, error);
    if (call.kind === 'completion' && !isRefusal(error)) return NO_COMPLETION;
    throw error;
  }

  async #release(call: CallState): Promise<void> {
    try {
      await call.release();
    } catch (error) {
      this.#runtime.options.logger.error(`the scope of ${call.name} failed to close`, describeThrown(error));
    }
  }
}

function started(context: ToolContext): ToolContext {
  controlOf(context).begin();
  return context;
}

/** Nothing stands for `{}`. @throws {InvalidArgumentsError} For anything else that is not an object. */
function checkArguments(args: unknown): object {
  if (args === undefined || args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args;
  throw new InvalidArgumentsError([{ loc: '', msg: 'the arguments must be an object', type: 'object_type' }]);
}

function completionOf(spec: PromptSpec | ResourceTemplateSpec, argument: string): CompletionHandler | undefined {
  if (spec.kind === 'template') return spec.completions.get(argument);
  return spec.arguments.find(({ name }) => name === argument)?.completion;
}

/** A refusal is told; whatever else goes wrong with a suggestion is not worth an error. */
function isRefusal(error: McpLayerError): boolean {
  const kind = errorKind(error);
  return kind === 'AccessDeniedError' || kind === 'RateLimitedError';
}

/** Ends the call when `signal` fires or the request that it belongs to ends early, until the returned function is called. */
function linkAborts(
  control: CallControl,
  signal: AbortSignal | undefined,
  outer: ToolContext | undefined,
): (() => void) | undefined {
  if (signal === undefined && outer === undefined) return undefined;
  const signals = [signal, outer?.signal].filter((source) => source !== undefined);
  const abort = (): void => control.abort(new CancelledError());
  for (const source of signals) {
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
  }
  return () => {
    for (const source of signals) source.removeEventListener('abort', abort);
  };
}
