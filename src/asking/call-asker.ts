import { BOUNDS } from '../core/bounds.js';
import type { AnswersTo, Asker, AskKind, Question } from '../core/asking.js';
import type { ClientPort, HandshakeClient, ModernClient } from '../core/client-port.js';
import type { ValidationLimits } from '../schema/base/limits.js';
import { AskingError, ConfigurationError, errorKind, InputRequiredError, type Issue } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import type { ErrorTeller } from '../core/error-form.js';
import type { Logger, Pipeline } from '../core/ports.js';
import { askHandshake } from './handshake.js';
import { Journal, type JournalEntry } from './journal.js';
import { type Askable, canBeAsked, checkNeeds, clientOf } from './may-ask.js';
import { NestedAsker, type PrefixingAsker } from './nested-asker.js';
import { type Prepared, prepare } from './questions.js';
import { carried, keepFailure, likeKept } from './steps.js';
import type { ModernState } from './modern-state.js';

/** What an asker needs of the call that it belongs to. */
export interface AskerHost extends Askable {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How much of a form's answer is looked at; the usual limits, if nothing is said. */
  readonly limits: Partial<ValidationLimits> | undefined;
  /** What a policy does to data on its way to and from the client. */
  readonly pipeline: Pipeline | undefined;
  /** The policy's name. */
  readonly policy: string;
  /** Stops the call's own clock while a person is waited for; what it returns starts it again. */
  hold(): () => void;
  /** Only for a modern client. */
  readonly state: ModernState | undefined;
  readonly logger: Logger;
  /** What stands for Errors in what steps give. Default: their names. */
  readonly errors?: ErrorTeller;
}

/** How often a person is asked to correct a form. */
const MAX_TRIES = BOUNDS.formTries.default;

const MAX_KEY_CHARS = BOUNDS.questionKeyChars.default;

/** A question on its way. */
interface Asked {
  readonly key: string;
  readonly entry: JournalEntry;
  readonly prepared: Prepared;
}

/**
 * Asks the client of one call. With a handshake client a question waits for its answer; with a modern one it ends the
 * run, and the handler's next run finds the answer under the question's key.
 */
export class CallAsker implements Asker, PrefixingAsker {
  readonly #host: AskerHost;
  #journal = new Journal();
  #opened = false;
  readonly #pending = new Map<string, Asked & { readonly problem: string | undefined }>();
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  #conclusion: Promise<Error> | undefined;
  readonly #nested = new Map<string, number>();

  constructor(host: AskerHost) {
    this.#host = host;
  }

  /**
   * Begins a run of the handler.
   *
   * @throws {RequestStateError} When a modern retry carries a state that cannot be trusted.
   */
  rewind(): void {
    if (!this.#opened) {
      this.#opened = true;
      const sealed = this.#host.state?.open();
      if (sealed !== undefined) this.#journal = new Journal(sealed);
    }
    this.#closed = false;
    this.#conclusion = undefined;
    this.rewindUnder('');
  }

  /** Begins another run of a call inside this one. */
  rewindUnder(prefix: string): void {
    this.#journal.rewind(prefix);
    for (const names of [this.#pending, this.#nested]) {
      for (const name of names.keys()) if (name.startsWith(prefix)) names.delete(name);
    }
  }

  /** Whether a run, however it ended, cannot be the last word: an answer is missing, or a mistake was made. */
  get isUnfinished(): boolean {
    return this.#pending.size > 0 || this.#journal.fault !== undefined;
  }

  /** What an unfinished run ends with instead of its result, once all that it began has ended. Never rejects. */
  conclude(): Promise<Error> {
    return (this.#conclusion ??= this.#conclude().catch((error: unknown) => error as Error));
  }

  async #conclude(): Promise<Error> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    const { client, logger, site, state } = this.#host;
    if (this.#journal.fault !== undefined) {
      logger.error(`${site} asks differently when it runs again`, { error: this.#journal.fault.message });
      return this.#journal.fault;
    }
    this.#closed = true;
    const inputRequests: Record<string, unknown> = {};
    for (const [key, { prepared, problem }] of this.#pending) {
      const params = await this.#outgoing(key, prepared.params((client as ClientPort).version, problem));
      inputRequests[key] = { method: prepared.method, params };
    }
    return new InputRequiredError({ inputRequests, requestState: state?.seal(this.#journal.toSealed()) });
  }

  can(kind: AskKind): boolean {
    return canBeAsked(this.#host, kind);
  }

  ask<Q extends Readonly<Record<string, Question>>>(questions: Q): Promise<AnswersTo<Q>> {
    return this.askUnder('', questions);
  }

  step<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return this.stepUnder('', key, work);
  }

  nested(name: string): Asker {
    return this.nestedUnder('', name);
  }

  /** As {@link ask}, with every key under `prefix`. */
  askUnder<Q extends Readonly<Record<string, Question>>>(prefix: string, questions: Q): Promise<AnswersTo<Q>> {
    return quiet(this.#ask(prefix, questions)) as Promise<AnswersTo<Q>>;
  }

  /** As {@link step}, with its key under `prefix`. */
  stepUnder<T>(prefix: string, key: string, work: () => T | Promise<T>): Promise<T> {
    return quiet(this.#step(prefix + key, work)) as Promise<T>;
  }

  /** An asker for a call inside one that is itself under `prefix`. */
  nestedUnder(prefix: string, name: string): Asker {
    const path = `${prefix}${name}`;
    const count = (this.#nested.get(path) ?? 0) + 1;
    this.#nested.set(path, count);
    return new NestedAsker(this, count === 1 ? `${path}/` : `${path}#${count}/`);
  }

  async #ask(prefix: string, questions: Readonly<Record<string, Question>>): Promise<Record<string, unknown>> {
    const client = clientOf(this.#host);
    const prepared = Object.entries(questions).map(([key, question]): [string, Prepared] => {
      const site = `${this.#host.site}, question '${prefix}${checkKey(key, this.#host.site)}'`;
      return [key, prepare(question, site, this.#host.limits)];
    });
    checkNeeds(
      client,
      prepared.flatMap(([, { needs }]) => needs),
      this.#host.site,
    );
    if (this.#closed) throw new InputRequiredError();
    const entries = this.#journal.meet(
      prepared.map(([key, { digest, kind }]) => ({ key: prefix + key, kind, digest })),
    );
    const answers: [string, unknown][] = [];
    try {
      for (const [index, [key, ready]] of prepared.entries()) {
        const one: Asked = { key: prefix + key, prepared: ready, entry: entries[index] as JournalEntry };
        const work = client.era === 'handshake' ? this.#obtain(client, one) : this.#recall(client, one);
        const answer = await this.#track(work);
        if (answer !== MISSING) answers.push([key, answer]);
      }
    } catch (error) {
      // It has its outcome: that there will be none.
      this.#journal.deliver(entries);
      throw error;
    }
    if (answers.length < prepared.length) throw new InputRequiredError();
    this.#journal.deliver(entries);
    return Object.fromEntries(answers);
  }

  /** Asks a client that waits, again when a form does not fit. */
  async #obtain(client: HandshakeClient, asked: Asked): Promise<unknown> {
    const { entry, key, prepared } = asked;
    let problem: string | undefined;
    for (;;) {
      if (entry.state === 'open') {
        const params = await this.#outgoing(key, prepared.params(client.version, problem));
        const release = this.#host.hold();
        try {
          const raw = await askHandshake(client, prepared, params, this.#host);
          entry.value = prepared.keep(raw);
        } finally {
          release();
        }
        if (entry.value === undefined) throw this.#noAnswer(key);
      }
      const read = await this.#read(asked);
      if (!('problem' in read)) return read.answer;
      problem = read.problem;
    }
  }

  /** Finds the answer of a modern client in the journal or in what its retry carries. */
  async #recall(client: ModernClient, asked: Asked): Promise<unknown> {
    const { entry, key, prepared } = asked;
    if (entry.state === 'open') {
      entry.value = this.#mayAnswer(client, asked) ? prepared.keep(responseTo(client, key)) : undefined;
      if (entry.value === undefined) return this.#wait(asked, undefined);
    }
    const read = await this.#read(asked);
    return 'problem' in read ? this.#wait(asked, read.problem) : read.answer;
  }

  /** An answer counts where its question was asked; without a state that says so, where nothing depends on that. */
  #mayAnswer({ requestState }: ModernClient, { entry, prepared }: Asked): boolean {
    return entry.isRecorded || (requestState === undefined && !prepared.needsProof);
  }

  #wait(asked: Asked, problem: string | undefined): typeof MISSING {
    this.#pending.set(asked.key, { ...asked, problem });
    return MISSING;
  }

  /** The answer that an entry holds, or what is wrong with it. @throws {AskingError} When it was wrong too often. */
  async #read({ entry, key, prepared }: Asked): Promise<{ readonly answer: unknown } | { readonly problem: string }> {
    try {
      const answer = await prepared.read(await this.#incoming(key, entry.value));
      entry.state = 'done';
      return { answer };
    } catch (error) {
      if (errorKind(error) !== 'InvalidArgumentsError') throw error;
      const { data } = error as { data: readonly Issue[] };
      const problem = data.map(({ loc, msg }) => (loc === '' ? msg : `${loc}: ${msg}`)).join('; ');
      entry.state = 'open';
      entry.value = undefined;
      entry.tries++;
      if (entry.tries < MAX_TRIES) return { problem };
      throw new AskingError(
        `${this.#host.site}: the answer to '${key}' does not fit: ${problem}`,
        'invalid-answer',
        data,
      );
    }
  }

  async #step(key: string, work: () => unknown): Promise<unknown> {
    const site = `${this.#host.site}, step '${checkKey(key, this.#host.site)}'`;
    if (this.#closed) throw new InputRequiredError();
    const [entry] = this.#journal.meet([{ kind: 'step', key, digest: '' }]) as [JournalEntry];
    // The run ends for want of an answer: what can still be left undone is.
    if (entry.state === 'open' && this.#pending.size > 0) throw new InputRequiredError();
    if (entry.state === 'open') await this.#track(runStep(entry, work, site, this.#host.errors));
    this.#journal.deliver([entry]);
    if (entry.state === 'failed') throw entry.thrown ?? likeKept(entry.value);
    return structuredClone(entry.value);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const forget = (): void => void this.#running.delete(work);
    work.then(forget, forget);
    return work;
  }

  #noAnswer(key: string): AskingError {
    return new AskingError(
      `${this.#host.site}: what the client sent for '${key}' is not an answer to it.`,
      'invalid-answer',
    );
  }

  async #outgoing(key: string, params: Params): Promise<Params> {
    const { pipeline, policy } = this.#host;
    if (pipeline?.output === undefined) return params;
    const rewritten = await pipeline.output(params, { part: 'question', key });
    if (isRecord(rewritten)) return rewritten;
    throw new ConfigurationError(
      finding('CT910', `policy '${policy}', question '${key}': output made no object of a question. Return an object.`),
    );
  }

  async #incoming(key: string, kept: unknown): Promise<unknown> {
    const { pipeline } = this.#host;
    return pipeline?.input === undefined ? kept : await pipeline.input(kept, { part: 'answer', key });
  }
}

type Params = Readonly<Record<string, unknown>>;

const MISSING = Symbol('missing');

/** Runs the work of a step and keeps how it ended. */
async function runStep(
  entry: JournalEntry,
  work: () => unknown,
  site: string,
  errors: ErrorTeller | undefined,
): Promise<void> {
  let result: unknown;
  try {
    result = await work();
  } catch (thrown) {
    // What ends the whole request is not an outcome of a step.
    if (isUnwinding(thrown)) throw thrown;
    entry.value = keepFailure(thrown);
    if (thrown instanceof Error) entry.thrown = thrown;
    entry.state = 'failed';
    return;
  }
  entry.value = carried(result, site, errors);
  entry.state = 'done';
}

function isUnwinding(thrown: unknown): boolean {
  const kind = errorKind(thrown);
  return kind === 'InputRequiredError' || kind === 'MissingCapabilityError' || kind === 'CancelledError' || kind === 'ReplayError'; // prettier-ignore
}

/** A client's answer to one question, where its retry carries one. */
function responseTo({ inputResponses }: ModernClient, key: string): unknown {
  if (typeof inputResponses !== 'object' || inputResponses === null) return undefined;
  return Object.hasOwn(inputResponses, key) ? (inputResponses as Record<string, unknown>)[key] : undefined;
}

/** @throws {ConfigurationError} When a key cannot stand in a message. */
function checkKey(key: unknown, site: string): string {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_CHARS) return key;
  throw new ConfigurationError(
    finding(
      'CT905',
      `${site}: '${String(key).slice(0, 20)}' is not a valid key. Use 1 to ${MAX_KEY_CHARS} characters.`,
    ),
  );
}

/** The same promise; when it is rejected and nobody waits for it, that is not a reason to end the process. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
