import type { Asker, AskerSource } from './asking.js';
import type { ResourceLink } from './content.js';
import { AskingError, CancelledError } from './errors.js';
import { toJsonValueOr, whyUnsaid } from './json-value.js';
import type { LogLevel, NotificationSink } from './notifications.js';
import type { Place } from './ports.js';
import type { Replay } from './replay.js';

/** Rewrites what a message says; `undefined` drops it. */
type RewriteNow = (value: unknown, place: Place) => unknown;

/** One request, as whoever runs it holds it; its handler holds the context in front. */
export class CallControl {
  readonly #sink: NotificationSink | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #onAbort: ((reason: Error) => void) | undefined;
  #progress = -Infinity;
  #links: ResourceLink[] | undefined;
  #state: 'new' | 'running' | 'finished' = 'new';
  #rewrite: RewriteNow | undefined;
  #source: AskerSource | undefined;
  /** Only for calls whose data a policy's pipeline may rewrite. */
  replay: Replay | undefined;

  constructor(sink: NotificationSink | undefined) {
    this.#sink = sink;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Why the request was aborted. */
  get abortReason(): Error | undefined {
    return this.#reason;
  }

  /** Aborts the request: its signal fires, what waits for its handler is rejected, and a late result is dropped. */
  abort(reason: Error = new CancelledError()): void {
    if (this.#reason !== undefined || this.#state === 'finished') return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onAbort?.(reason);
  }

  /** The one place that waits for an abort without a listener on the signal, which would cost every call one. */
  waitForAbort(listener: ((reason: Error) => void) | undefined): void {
    this.#onAbort = listener;
  }

  /** Marks the request as begun. `false` when it already was: a nested call needs a context of its own. */
  begin(): boolean {
    if (this.#state !== 'new') return false;
    this.#state = 'running';
    return true;
  }

  /** Marks the request as over: progress and log messages that come later are dropped. */
  finish(): void {
    this.#state = 'finished';
    this.#onAbort = undefined;
  }

  /** Whether its handler may still be at work. */
  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Whoever asked is no longer there to be told anything. */
  get #isOver(): boolean {
    return this.#state === 'finished' || this.#reason !== undefined;
  }

  /** Passes what progress and log messages say through a policy's rewriting. */
  rewriteWith(rewrite: RewriteNow | undefined): void {
    this.#rewrite = rewrite;
  }

  reportProgress(progress: number, total: number | undefined, message: string | undefined): void {
    if (this.#isOver || !(progress > this.#progress)) return;
    this.#progress = progress;
    this.#sink?.progress?.(progress, total, message === undefined ? undefined : this.#sayable(message));
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (this.#isOver || this.#sink?.log === undefined) return;
    const plain = toJsonValueOr(data, whyUnsaid, this.#source);
    const shown = this.#rewrite === undefined ? plain : this.#rewrite(plain, { part: 'log' });
    if (shown !== undefined || this.#rewrite === undefined) this.#sink.log(level, shown, logger);
  }

  /** A progress message as the policy has it; one that it drops leaves the number. */
  #sayable(message: string): string | undefined {
    if (this.#rewrite === undefined) return message;
    const shown = this.#rewrite(message, { part: 'progress' });
    return shown === undefined || typeof shown === 'string' ? shown : JSON.stringify(shown);
  }

  /** The links so far. */
  get links(): readonly ResourceLink[] {
    return this.#links ?? [];
  }

  link(link: ResourceLink): void {
    (this.#links ??= []).push(link);
  }

  /** Forgets the links of an attempt that is made again. */
  dropLinks(): void {
    this.#links = undefined;
  }

  /** Who asks for this request. @throws {AskingError} When no layer runs the request. */
  get asker(): Asker {
    if (this.#source !== undefined) return this.#source.asker;
    throw new AskingError('This context serves no request, so there is nobody to ask. Use the one a handler gets.', 'no-client'); // prettier-ignore
  }

  /** What is called, for logs; `undefined` when no layer runs the request. */
  get site(): { readonly kind: string; readonly name: string } | undefined {
    return this.#source;
  }

  /** Says who runs the request, once. */
  askThrough(source: AskerSource): void {
    this.#source = source;
  }
}
