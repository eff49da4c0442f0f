import type { Change } from './ports.js';
import type { RateLimitStore } from './rate-limit-store.js';

/**
 * Where a layer keeps what may be shared between processes. Each has a memory version, or none is needed in one process.
 * A namespace is the layer's name: layers that are instances of one server share it, others never see one another's.
 */
export interface Stores {
  /** Default: none. A layer tells its own listeners of its own changes. */
  readonly changes?: ChangeBus;
  /** For HTTP options without an `eventStore`. Default: one in memory for each handler. */
  readonly events?: EventStore;
  /** For each `cache()` without a `store`. Default: one in memory for each. */
  readonly cache?: CacheStore;
  readonly limits?: RateLimitStore;
  readonly vault?: VaultStore;
  readonly tasks?: TaskStore;
}

/** A change on its way between layers. It is JSON. */
export interface PublishedChange extends Change {
  readonly namespace: string;
  /** The layer that made the change, unique over all processes. A layer drops what comes back with its own. */
  readonly origin: string;
}

/**
 * Carries changes between the layers of a namespace. A layer publishes what happened in it and never what it heard, so a
 * bus delivers each change to every subscriber, publisher included or not, and needs no memory.
 */
export interface ChangeBus {
  /** What fails here is logged; the layer's own listeners hear of the change all the same. */
  publish(change: PublishedChange): void | Promise<void>;
  /** @returns What ends it. */
  subscribe(listener: (change: PublishedChange) => void): () => void;
}

/** One message of a stream, as it went out. */
export interface StoredEvent {
  /** Grows by one from message to message of a stream, from 1. */
  readonly sequence: number;
  readonly data: string;
}

/**
 * Keeps what was sent on the streams of handshake sessions, so that a client that lost one gets the rest. Calls for one
 * stream come in order, and one that returns a promise is waited for before the next. A session is named by the layer's
 * namespace, a slash and its id, which no other layer uses.
 */
export interface EventStore {
  /** @param owner Whose it is, for stores that let nobody take the room of others. */
  append(session: string, stream: number, event: StoredEvent, owner?: string): void | Promise<void>;
  /** What came after `sequence`, in order; `undefined` when that is not known any more. */
  after(
    session: string,
    stream: number,
    sequence: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Forgets a session that has ended. */
  drop(session: string): void | Promise<void>;
}

/** An answer that a cache keeps. It is text, so that it can be kept outside the process. */
export interface CacheEntry {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  /** The answer as it goes over the wire. */
  readonly json: string;
}

/** Where the cache middleware keeps answers. What fails here costs a hit, never a call. */
export interface CacheStore {
  /** @param key Up to some thousand characters: it holds the arguments. */
  get(namespace: string, key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  /** @param ttlMs After how long nobody will ask for it any more. */
  set(namespace: string, key: string, entry: CacheEntry, ttlMs: number): void | Promise<void>;
  /** Forgets everything of one namespace, and nothing of another. */
  clear(namespace: string): void | Promise<void>;
}

/** Remembers what pseudonyms stand for. Values are secrets: keep them encrypted, and out of logs. */
export interface VaultStore {
  /** The value that a pseudonym stands for. */
  get(namespace: string, pseudonym: string): string | undefined | Promise<string | undefined>;
  /**
   * Keeps a value under a pseudonym unless there is one already: the first writer wins, in a single step.
   *
   * @param ttlMs After how long it may be forgotten; `undefined` for never.
   * @returns The value that is kept: another one than was given when the pseudonym was taken.
   */
  put(namespace: string, pseudonym: string, value: string, ttlMs: number | undefined): string | Promise<string>;
}

/** A long-running task, as it is kept. */
export interface StoredTask {
  /** Unguessable, up to 128 characters. */
  readonly id: string;
  /** The id of the principal who may ask for it. */
  readonly owner: string;
  /** Grows by one with each replacement, from 1. */
  readonly version: number;
  /** Everything else, as JSON. */
  readonly json: string;
  /** Milliseconds since 1970, after which it may be forgotten. */
  readonly expiresAt: number;
}

/** Keeps tasks, so that any process answers for any of them. */
export interface TaskStore {
  /** Once this resolved, {@link get} finds the task in every process. */
  create(namespace: string, task: StoredTask): void | Promise<void>;
  get(namespace: string, id: string): StoredTask | undefined | Promise<StoredTask | undefined>;
  /**
   * Puts `task` in place of its version before, in a single step.
   *
   * @returns `false` when another version, or none, is kept: read again.
   */
  replace(namespace: string, task: StoredTask): boolean | Promise<boolean>;
  /** How many tasks of one owner are kept, for limits. */
  count(namespace: string, owner: string): number | Promise<number>;
}
