import type { CallControl } from '../core/call-control.js';
import { TimeoutError } from '../core/errors.js';
import type { Clock } from '../core/ports.js';

/** A call that waits for its handler. */
interface Waiting {
  readonly name: string;
  readonly control: Pick<CallControl, 'abort'>;
  readonly timeoutMs: number;
  /** On the layer's clock. */
  readonly deadline: number;
  /** Whether a person is waited for, which no time-out counts. */
  readonly isHeld: boolean;
}

/** Timers may fire this much before their time. */
const EARLY_MS = 1;

/**
 * Aborts the calls whose time is up, with one timer for all: a timer for each would cost a call more than all its
 * stages do. The process is kept alive while calls wait, and not longer.
 */
export class Deadlines {
  readonly #clock: Clock;
  /** Calls that wait for their handlers, and until when on the machine's clock; never while a person is waited for. */
  readonly #dueAt = new Map<Waiting, number>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Infinity;
  /** Test runners replace the function: then timers of the other one are not what moves the time. */
  #armedWith: typeof setTimeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches a call, or looks again at when its time is up. */
  watch(call: Waiting): void {
    if (call.isHeld) {
      this.#dueAt.set(call, Infinity);
      return;
    }
    const dueAt = performance.now() + Math.max(0, call.deadline - this.#clock.monotonic());
    if (this.#dueAt.size === 0) this.#timer?.ref();
    this.#dueAt.set(call, dueAt);
    if (dueAt < this.#wakesAt || setTimeout !== this.#armedWith) this.#wakeAt(dueAt);
  }

  /** The call waits no longer. */
  forget(call: Waiting): void {
    if (this.#dueAt.delete(call) && this.#dueAt.size === 0) this.#timer?.unref();
  }

  /** Aborts every call that waits. */
  abortAll(reason: Error): void {
    for (const { control } of this.#dueAt.keys()) control.abort(reason);
    clearTimeout(this.#timer);
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    this.#armedWith = setTimeout;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, time - performance.now()));
  }

  #wake(): void {
    this.#timer = undefined;
    this.#wakesAt = Infinity;
    const now = performance.now() + EARLY_MS;
    const due: [Waiting, number][] = [];
    let next = Infinity;
    for (const entry of this.#dueAt) {
      if (entry[1] > now) next = Math.min(next, entry[1]);
      else due.push(entry);
    }
    // A process that was busy for long finds several due at once: they end in the order of their times all the same.
    due.sort(([, a], [, b]) => a - b);
    for (const [{ control, name, timeoutMs }] of due) {
      control.abort(new TimeoutError(`${name} timed out after ${timeoutMs} ms.`));
    }
    if (next < Infinity) this.#wakeAt(next);
  }
}
