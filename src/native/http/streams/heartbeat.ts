/** Something that is to be reminded of time. The two links belong to its {@link Heartbeat}. */
export interface Beating {
  beat(): void;
  nextBeating?: Beating | undefined;
  previousBeating?: Beating | undefined;
}

/**
 * One timer for every open stream and waiting request. It runs only while there are any, and keeps no process alive. The
 * members are a linked list, because every request comes and goes.
 */
export class Heartbeat {
  readonly #intervalMs: number;
  #first: Beating | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param intervalMs 0 never beats. */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Takes a member that is not in yet. */
  add(member: Beating): void {
    if (this.#intervalMs <= 0) return;
    member.nextBeating = this.#first;
    if (this.#first !== undefined) this.#first.previousBeating = member;
    this.#first = member;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#beat(), this.#intervalMs);
    this.#timer.unref();
  }

  delete(member: Beating): void {
    const { nextBeating: next, previousBeating: previous } = member;
    if (previous !== undefined) previous.nextBeating = next;
    else if (this.#first === member) this.#first = next;
    if (next !== undefined) next.previousBeating = previous;
    member.nextBeating = member.previousBeating = undefined;
  }

  close(): void {
    this.#first = undefined;
    this.#stop();
  }

  /** The timer goes with a beat that finds nobody, so that requests that come and go do not start and stop one each. */
  #beat(): void {
    if (this.#first === undefined) this.#stop();
    for (let member = this.#first; member !== undefined;) {
      const next = member.nextBeating;
      member.beat();
      member = next;
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
