import { ReplayError } from '../core/errors.js';

/** What a handler can do that is remembered when it runs again. */
export type EntryKind = 'form' | 'url' | 'sample' | 'roots' | 'step';

/** One question or step, in the order in which they were first met. */
export interface JournalEntry {
  readonly kind: EntryKind;
  readonly key: string;
  /** Of the question; empty for a step. */
  readonly digest: string;
  /** Numbers the calls that asked or did something: questions of one round share a number. */
  readonly call: number;
  state: 'open' | 'done' | 'failed';
  /** The client's answer as it came, a step's result, or how a step failed. */
  value?: unknown;
  /** What a failed step threw in this process. */
  thrown?: Error;
  /** Whether it came with a sealed state: its question was really asked. */
  readonly isRecorded: boolean;
  /** How often an answer did not fit. */
  tries: number;
}

type SealedEntry = readonly [EntryKind, string, string, number, JournalEntry['state'], number, unknown?];

/** A journal as it travels. */
export interface SealedJournal {
  readonly isConcurrent: boolean;
  readonly entries: readonly SealedEntry[];
}

/**
 * What one request asked and did, so that its handler can run again and finds everything as it was: by key, and in the
 * same order. Only a handler that does several things side by side may meet them in another order.
 */
export class Journal {
  readonly #entries: JournalEntry[];
  readonly #met = new Set<JournalEntry>();
  readonly #waiting = new Set<JournalEntry>();
  /** Whether the handler ever began something before it had the outcome of something else. */
  #isConcurrent: boolean;
  #fault: ReplayError | undefined;

  constructor(sealed?: SealedJournal) {
    this.#isConcurrent = sealed?.isConcurrent ?? false;
    this.#entries = (sealed?.entries ?? []).map(([kind, key, digest, call, state, tries, value]) => ({
      kind,
      key,
      digest,
      call,
      state,
      tries,
      value,
      isRecorded: true,
    }));
  }

  /** Begins another run of what asks under `prefix`: of the whole handler, or of a call inside it. */
  rewind(prefix: string): void {
    for (const entry of this.#entries) {
      if (!entry.key.startsWith(prefix)) continue;
      this.#met.delete(entry);
      this.#waiting.delete(entry);
    }
    if (prefix === '') this.#fault = undefined;
  }

  /** The first mistake of this run: it counts also where the handler caught it. */
  get fault(): ReplayError | undefined {
    return this.#fault;
  }

  /**
   * The entries for what the handler asks or does with one call.
   *
   * @throws {ReplayError} When a key was used already, stands for something else, or comes in another order than before.
   */
  meet(wanted: readonly Pick<JournalEntry, 'kind' | 'key' | 'digest'>[]): readonly JournalEntry[] {
    if (this.#waiting.size > 0) this.#isConcurrent = true;
    const next = (this.#entries.at(-1)?.call ?? -1) + 1;
    const entries = wanted.map((one) => this.#find(one) ?? this.#add({ ...one, call: next }));
    for (const entry of entries) {
      if (this.#met.has(entry))
        this.#refuse(`${labelOf(entry)} comes twice. Give each question and step a key of its own.`);
      this.#met.add(entry);
    }
    this.#refuseDisorder(entries);
    for (const entry of entries) this.#waiting.add(entry);
    return entries;
  }

  /** The handler has the outcome of these entries. */
  deliver(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#waiting.delete(entry);
  }

  toSealed(): SealedJournal {
    return {
      isConcurrent: this.#isConcurrent,
      entries: this.#entries.map(({ kind, key, digest, call, state, tries, value }) =>
        value === undefined ? [kind, key, digest, call, state, tries] : [kind, key, digest, call, state, tries, value],
      ),
    };
  }

  #find({ digest, key, kind }: Pick<JournalEntry, 'kind' | 'key' | 'digest'>): JournalEntry | undefined {
    const entry = this.#entries.find((candidate) => candidate.key === key);
    if (entry === undefined) return undefined;
    if (entry.kind !== kind && !this.#met.has(entry)) {
      this.#refuse(`'${key}' was of kind ${entry.kind} before and is of kind ${kind} now. ${REMEDY}`);
    }
    if (entry.digest !== digest && !this.#met.has(entry)) {
      this.#refuse(`${labelOf(entry)} asks something else than before. ${REMEDY}`);
    }
    return entry;
  }

  #add(entry: Pick<JournalEntry, 'kind' | 'key' | 'digest' | 'call'>): JournalEntry {
    const added: JournalEntry = { ...entry, state: 'open', isRecorded: false, tries: 0 };
    this.#entries.push(added);
    return added;
  }

  /** What came before, one thing after the other, must have come again. */
  #refuseDisorder(entries: readonly JournalEntry[]): void {
    if (this.#isConcurrent) return;
    const [first] = entries;
    const skipped = this.#entries.find((entry) => entry.call < (first?.call ?? 0) && !this.#met.has(entry));
    if (first === undefined || skipped === undefined) return;
    this.#refuse(`${labelOf(first)} comes where ${labelOf(skipped)} came before. ${REMEDY}`);
  }

  #refuse(problem: string): never {
    this.#fault ??= new ReplayError(problem);
    throw this.#fault;
  }
}

const REMEDY =
  'A handler runs again from the start for each round of answers: let what it asks depend on its arguments and on ' +
  'earlier answers only, and put whatever else varies into ctx.step.';

function labelOf({ key, kind }: JournalEntry): string {
  return kind === 'step' ? `step '${key}'` : `question '${key}'`;
}
