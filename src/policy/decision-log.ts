import { randomBytes } from 'node:crypto';
import { BOUNDS } from '../core/bounds.js';
import { canonicalJson } from '../core/canonical-json.js';
import { KeyedHash } from '../core/keyed-hash.js';
import type { PolicyEvent, PrimitiveKind } from '../core/ports.js';

/** One decision, as it is remembered. It is JSON, and holds no value of an argument. */
export interface DecisionEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: PolicyEvent['outcome'];
  readonly reason?: string;
  readonly kind: PolicyEvent['kind'];
  /** As the caller wrote it, or its first 256 characters. */
  readonly name: string;
  /** What it stands for, where that is known. */
  readonly primitive?: { readonly kind: PrimitiveKind; readonly id: string };
  readonly principal: string;
  /**
   * HMAC-SHA256 of the arguments as canonical JSON, in hex, under a key that is random in each process: equal arguments have equal
   * hashes, and nobody can guess the arguments from them. Missing where JSON cannot say them.
   */
  readonly arguments?: string;
  readonly requestId?: string | number;
  readonly session?: string;
  readonly nested: boolean;
}

/** How much of what a client made up is kept. */
const MAX_NAME_CHARS = BOUNDS.decisionNameChars.default;

/** Remembers the newest decisions. */
export class DecisionLog {
  readonly #keepsAll: boolean;
  readonly #size: number;
  readonly #hash = new KeyedHash(Buffer.from(randomBytes(32).toString('hex')));
  readonly #entries: DecisionEntry[] = [];
  /** Where the next entry goes once all places are taken. */
  #next = 0;

  constructor(keepsAll: boolean, size: number) {
    this.#keepsAll = keepsAll;
    this.#size = size;
  }

  /** Oldest first. */
  get entries(): readonly DecisionEntry[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
  }

  record(event: PolicyEvent): void {
    const { outcome, primitive } = event;
    if (outcome === 'allowed' && !this.#keepsAll && primitive?.capabilities.has('reveal') !== true) return;
    const entry = this.#entryOf(event);
    if (this.#entries.length < this.#size) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#size;
  }

  #entryOf({
    args,
    at,
    kind,
    name,
    nested,
    outcome,
    primitive,
    principal,
    reason,
    requestId,
    session,
  }: PolicyEvent): DecisionEntry {
    const json = args === undefined ? undefined : canonicalJson(args);
    return Object.freeze({
      at,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      kind,
      name: name.slice(0, MAX_NAME_CHARS),
      ...(primitive === undefined ? {} : { primitive: { kind: primitive.kind, id: primitive.id } }),
      principal: principal.id.slice(0, MAX_NAME_CHARS),
      ...(json === undefined ? {} : { arguments: this.#hash.digest(json) }),
      ...(requestId === undefined
        ? {}
        : { requestId: typeof requestId === 'string' ? requestId.slice(0, MAX_NAME_CHARS) : requestId }),
      // Whoever knows a session's id can use it.
      ...(session === undefined ? {} : { session: this.#hash.digest(session) }),
      nested,
    });
  }
}
