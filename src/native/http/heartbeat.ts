/** Something that is to be reminded of time. */
export interface Beating {
  beat(): void;
}

/** One timer for every open stream and waiting request. It runs only while there are any, and keeps no process alive. */
export class Heartbeat {
  readonly #members = new Set<Beating>();
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param intervalMs 0 never beats. */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(member: Beating): void {
    if (this.#intervalMs <= 0) return;
    this.#members.add(member);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#beat(), this.#intervalMs);
    this.#timer.unref();
  }

  delete(member: Beating): void {
    this.#members.delete(member);
  }

  close(): void {
    this.#members.clear();
    this.#stop();
  }

  /** The timer goes with a beat that finds nobody, so that requests that come and go do not start and stop one each. */
  #beat(): void {
    if (this.#members.size === 0) this.#stop();
    for (const member of [...this.#members]) member.beat();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
