import type { Clock } from '../../../core/ports.js';
import type { HttpSession } from './http-session.js';

/** How long sessions live, and how many. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly max: number;
}

/** How often ended sessions are looked for, at most. */
const MAX_SWEEP_MS = 30_000;

/** The live sessions of one endpoint. Idle ones end; where there are too many, the one that was idle longest ends. */
export class SessionTable {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: SessionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The session of an id, if it is this principal's. It is thereby used. */
  use(id: string, owner: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session?.owner !== owner) return undefined;
    const now = this.#clock.monotonic();
    if (!session.active && now - session.usedAt > this.#limits.idleMs) {
      this.end(session);
      return undefined;
    }
    session.usedAt = now;
    return session;
  }

  /** Whether one more fits, if need be in the place of an idle one. */
  hasRoom(): boolean {
    if (this.#sessions.size < this.#limits.max) return true;
    let oldest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (!session.active && (oldest === undefined || session.usedAt < oldest.usedAt)) oldest = session;
    }
    if (oldest !== undefined) this.end(oldest);
    return oldest !== undefined;
  }

  add(session: HttpSession): void {
    session.usedAt = this.#clock.monotonic();
    this.#sessions.set(session.id, session);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.sweep(), Math.min(MAX_SWEEP_MS, Math.max(100, this.#limits.idleMs / 2)));
    this.#timer.unref();
  }

  end(session: HttpSession): void {
    this.#sessions.delete(session.id);
    session.end();
    if (this.#sessions.size === 0) this.#stop();
  }

  /** Ends the sessions that nobody used for too long. */
  sweep(): void {
    const limit = this.#clock.monotonic() - this.#limits.idleMs;
    for (const session of this.#sessions.values()) {
      if (session.usedAt < limit && !session.active) this.end(session);
    }
  }

  endStreams(): void {
    for (const session of this.#sessions.values()) session.endGets();
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) this.end(session);
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
