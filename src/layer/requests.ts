import type { CallControl } from '../core/call-control.js';
import { controlOf, type LayerHandle, runningContext, ToolContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { CancelledError } from '../core/errors.js';
import type { CallKind, ResultByKind } from '../core/middleware.js';
import { recordMissing } from './admission.js';
import { type CompleteOptions, REQUESTS, type Target } from './call-kinds.js';
import type { Runtime } from './call-parts.js';
import { checkCallOptions } from './call-options.js';
import { CallReplay } from './call-replay.js';
import { CallState } from './call-state.js';
import type { Catalog } from './catalog.js';
import type { Chain } from './chain.js';
import { closed, mapFailure, throwIfCancelled, toLayerError } from './failures.js';
import { runStages } from './stages.js';

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

  /** Answers one request. @throws {McpLayerError} Whatever is not an answer of its kind, and once the layer is closed. */
  async run<K extends CallKind>(target: Target<K>, options: CompleteOptions): Promise<ResultByKind[K]> {
    if (this.#runtime.isClosed) throw closed();
    const context = this.#contextFor(options);
    const rules = REQUESTS[target.kind];
    const { args, completion, name, seen } = rules.find(this.#catalog, target, context.principal, options);
    const outer = options.context instanceof ToolContext && options.context !== context ? options.context : undefined;
    const nested = outer !== undefined || (this.#runtime.options.asyncContext && this.#isInsideHandler());
    const call = new CallState(this.#runtime, rules, name, args, context, seen, nested);
    call.completion = completion;
    if (seen.entry === undefined && rules.answer === undefined) {
      recordMissing(call);
      if (rules.kind === 'tool' || rules.kind === 'prompt')
        call.meant = this.#catalog.nearest(rules.kind, name, context.principal);
    }
    call.outer = outer && controlOf(outer);
    call.control.askThrough(call);
    const unlink = linkAborts(call.control, options.signal, outer);
    try {
      let answer: ResultByKind[K];
      if (this.#chain.handles(call.kind)) {
        if (this.#runtime.options.policy.pipeline !== undefined) call.control.replay = new CallReplay(call);
        answer = await this.#chain.run(call, () => this.#terminal(call));
      } else {
        const waiting = this.#attempt(call);
        if (waiting !== undefined) await waiting;
        answer = call.result;
      }
      if (call.unfinished !== undefined) throw await call.unfinished.conclude();
      if (context.aborted) throwIfCancelled(call);
      return answer;
    } catch (thrown) {
      const { unfinished } = call;
      const error = await toLayerError(call, unfinished === undefined ? thrown : await unfinished.conclude());
      return rules.failed(call, error);
    } finally {
      call.control.finish();
      unlink?.();
      call.forget();
      if (call.holdsScope) await this.#release(call);
    }
  }

  /** A context serves one request: a nested call gets one of its own, which ends with its parent's. */
  #contextFor(options: CompleteOptions): ToolContext {
    checkCallOptions(options);
    const { context, principal } = options;
    if (!(context instanceof ToolContext)) {
      return started(new ToolContext(this.#layer, principal === undefined ? context : { ...context, principal }));
    }
    const isOwn = principal === undefined || principal === context.principal;
    if (isOwn && context.layer === this.#layer && controlOf(context).begin()) return context;
    const { client, info, meta, requestId, session } = context;
    return started(
      new ToolContext(this.#layer, {
        principal: principal === undefined ? context.principal : principal,
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

  /** The innermost `next`: a failure is thrown as the error hook has it. */
  async #terminal<K extends CallKind>(call: CallState<K>): Promise<ResultByKind[K]> {
    try {
      call.control.dropLinks();
      const waiting = this.#attempt(call);
      if (waiting !== undefined) await waiting;
      if (call.unfinished !== undefined) throw await call.unfinished.conclude();
      return call.result;
    } catch (thrown) {
      const { unfinished } = call;
      throw unfinished === undefined ? mapFailure(call, thrown) : await unfinished.conclude();
    }
  }

  /** One run of the stages. A retry starts anew, with the arguments as they came. */
  #attempt<K extends CallKind>(call: CallState<K>): void | Promise<void> {
    const rules = REQUESTS[call.kind];
    if (rules.answer !== undefined) {
      call.result = rules.answer(call, this.#catalog);
      return;
    }
    call.value = call.args;
    call.rewind();
    return runStages(call, call.found().stages);
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
