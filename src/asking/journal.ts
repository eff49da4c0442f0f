import { ReplayError } from '../core/errors.js';

/** What a handler can do that is remembered when it runs again. */
export type EntryKind = 'form' | 'url' | 'sample' | 'roots' | 'step';

/** One question or step, in the order in which they were first met. */
export interface JournalEntry {
  readonly kind: EntryKind;
  readonly key: string;
  /** Of the question; empty for a step. */
  readonly digest: string;
  /** How many of the entries before it had their outcome when it was met: in code that waits for each, all of them. */
  readonly after: number;
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

/** An entry as it travels. */
export type SealedEntry = readonly [EntryKind, string, string, number, JournalEntry['state'], number, unknown?];

/**
 * What one request asked and did, so that its handler can run again and finds everything as it was: by key, and in the
 * same order as far as there was one. What ran side by side may be met in another order.
 */
export class Journal {
  readonly #entries: JournalEntry[];
  readonly #met = new Set<JournalEntry>();
  readonly #delivered = new Set<JournalEntry>();
  #fault: ReplayError | undefined;

  constructor(entries: readonly JournalEntry[] = []) {
    this.#entries = [...entries];
  }

  /** Begins another run of what asks under `prefix`: of the whole handler, or of a call inside it. */
  rewind(prefix: string): void {
    for (const entry of this.#entries) {
      if (!entry.key.startsWith(prefix)) continue;
      this.#met.delete(entry);
      this.#delivered.delete(entry);
    }
    if (prefix === '') this.#fault = undefined;
  }

  /** The first mistake of this run: it counts also where the handler caught it. */
  get fault(): ReplayError | undefined {
    return this.#fault;
  }

  /**
   * The entry for what the handler does now.
   *
   * @throws {ReplayError} When the key was used already, stands for something else, or comes in another order than before.
   */
  meet(kind: EntryKind, key: string, digest: string): JournalEntry {
    let entry = this.#entries.find((candidate) => candidate.key === key);
    if (entry === undefined) {
      this.#refuseSkipped(kind, key);
      entry = { kind, key, digest, after: this.#outcomes(), state: 'open', isRecorded: false, tries: 0 };
      this.#entries.push(entry);
    } else this.#refuseChanged(entry, kind, digest);
    this.#met.add(entry);
    return entry;
  }

  /** The handler has the outcome of an entry. */
  deliver(entry: JournalEntry): void {
    this.#delivered.add(entry);
  }

  toSealed(): readonly SealedEntry[] {
    return this.#entries.map(({ kind, key, digest, after, state, tries, value }) =>
      value === undefined ? [kind, key, digest, after, state, tries] : [kind, key, digest, after, state, tries, value],
    );
  }

  static fromSealed(sealed: readonly SealedEntry[]): Journal {
    return new Journal(
      sealed.map(([kind, key, digest, after, state, tries, value]) => ({
        kind,
        key,
        digest,
        after,
        state,
        isRecorded: true,
        tries,
        value,
      })),
    );
  }

  #outcomes(): number {
    const first = this.#entries.findIndex((entry) => !this.#delivered.has(entry));
    return first === -1 ? this.#entries.length : first;
  }

  #refuseChanged(entry: JournalEntry, kind: EntryKind, digest: string): void {
    const { after, key } = entry;
    if (this.#met.has(entry))
      this.#refuse(`${labelOf(kind, key)} comes twice. Give each question and step a key of its own.`);
    if (entry.kind !== kind) this.#refuse(`'${key}' was a ${entry.kind} before and is a ${kind} now. ${REMEDY}`);
    if (entry.digest !== digest) this.#refuse(`${labelOf(kind, key)} asks something else than before. ${REMEDY}`);
    const missing = this.#entries.slice(0, after).find((candidate) => !this.#met.has(candidate));
    if (missing !== undefined) {
      this.#refuse(
        `${labelOf(kind, key)} comes before ${labelOf(missing.kind, missing.key)}, which it followed before. ${REMEDY}`,
      );
    }
  }

  /** Something new may come only where everything that was met one by one before has been met again. */
  #refuseSkipped(kind: EntryKind, key: string): void {
    const skipped = this.#entries.find((entry, index) => entry.after === index && !this.#met.has(entry));
    if (skipped === undefined) return;
    this.#refuse(`${labelOf(kind, key)} comes where ${labelOf(skipped.kind, skipped.key)} came before. ${REMEDY}`);
  }

  #refuse(problem: string): never {
    this.#fault ??= new ReplayError(problem);
    throw this.#fault;
  }
}

const REMEDY =
  'A handler runs again from the start for each round of answers: let what it asks depend on its arguments and on ' +
  'earlier answers only, and put whatever else varies into ctx.step.';

function labelOf(kind: EntryKind, key: string): string {
  return kind === 'step' ? `step '${key}'` : `question '${key}'`;
}
