import type { AnswersTo, Asker, AskKind, Question } from '../core/asking.js';

/** An asker that keeps apart what is asked under different prefixes. */
export interface PrefixingAsker {
  can(kind: AskKind): boolean;
  askUnder<Q extends Readonly<Record<string, Question>>>(prefix: string, questions: Q): Promise<AnswersTo<Q>>;
  stepUnder<T>(prefix: string, key: string, work: () => T | Promise<T>): Promise<T>;
  nestedUnder(prefix: string, name: string): Asker;
  rewindUnder(prefix: string): void;
}

/** Asks for a call inside another one: on the outer call's account, under keys of its own. */
export class NestedAsker implements Asker {
  readonly #outer: PrefixingAsker;
  readonly #prefix: string;

  constructor(outer: PrefixingAsker, prefix: string) {
    this.#outer = outer;
    this.#prefix = prefix;
  }

  rewind(): void {
    this.#outer.rewindUnder(this.#prefix);
  }

  can(kind: AskKind): boolean {
    return this.#outer.can(kind);
  }

  ask<Q extends Readonly<Record<string, Question>>>(questions: Q): Promise<AnswersTo<Q>> {
    return this.#outer.askUnder(this.#prefix, questions);
  }

  step<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return this.#outer.stepUnder(this.#prefix, key, work);
  }

  nested(name: string): Asker {
    return this.#outer.nestedUnder(this.#prefix, name);
  }
}
