import type { Clock } from '../../../core/ports.js';
import { type ShareLimits, Shares } from '../../shares.js';
import type { HttpSession } from './http-session.js';

/** How long sessions live, and how many. */
export interface SessionLimits extends ShareLimits {
  readonly idleMs: number;
}

/** How often ended sessions are looked for, at most. */
const MAX_SWEEP_MS = 30_000;

/**
 * The live sessions of one endpoint. Idle ones end; where there are too many, one ends of whoever has most of them: the one
 * that was idle longest.
 */
export class SessionTable {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #shares: Shares<HttpSession>;
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: SessionLimits, clock: Clock) {
    this.#limits = limits;
    this.#shares = new Shares(limits, { idle: ({ active }) => !active, usedAt: ({ usedAt }) => usedAt });
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

  /** Whether one more of a caller's fits, if need be in the place of another. */
  hasRoom(owner: string): boolean {
    const room = this.#shares.roomFor(owner);
    if (typeof room === 'boolean') return room;
    this.end(room);
    return true;
  }

  add(session: HttpSession): void {
    session.usedAt = this.#clock.monotonic();
    this.#sessions.set(session.id, session);
    this.#shares.add(session);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.sweep(), Math.min(MAX_SWEEP_MS, Math.max(100, this.#limits.idleMs / 2)));
    this.#timer.unref();
  }

  end(session: HttpSession): void {
    this.#sessions.delete(session.id);
    this.#shares.delete(session);
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
