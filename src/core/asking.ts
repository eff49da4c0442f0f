import type { Class } from './class.js';
import type { ErrorTeller } from './error-form.js';
import type { JsonSchema, StandardSchema } from './json-schema.js';

/** What a form can be made of: a DTO class, a raw JSON Schema, or a Standard Schema. Flat, see `docs/asking.md`. */
export type FormSource<T> = Class<T> | JsonSchema | StandardSchema;

/** What the person did with a form. Closing it is `cancel`; `content` was checked with the form's own rules. */
export type FormAnswer<T> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' };

/** What the person did with an address to open. `accept` is the consent to open it, not that anything was done there. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** What every question takes. */
export interface QuestionOptions {
  /** How long the client may take, where it is asked while the request waits. Default: the layer's `askTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** What a form takes besides its class. */
export interface FormOptions extends QuestionOptions {
  /** Tells the person what is asked and why. */
  readonly message: string;
  /** Only forms; for an address to open there is `elicitUrl`. */
  readonly mode?: 'form';
}

/** What an address to open takes. */
export interface UrlOptions extends QuestionOptions {
  /** Tells the person why. */
  readonly message: string;
}

/** A block of a sampling message, as it goes over the wire. */
export type SampleContent = Readonly<Record<string, unknown>> & { readonly type: string };

/** One message of a conversation with the client's model. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: SampleContent | readonly SampleContent[];
}

/** What the client's model is asked. Source: MCP, `sampling/createMessage`. */
export interface SampleParams {
  /** Text stands for one message of the user. */
  readonly messages: string | readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  /** Anything but `none` needs the capability `sampling.context`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tool definitions as `tools/list` has them. Needs the capability `sampling.tools`. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

/** What the client's model said. */
export interface SampleAnswer {
  readonly role: 'user' | 'assistant';
  readonly content: SampleContent | readonly SampleContent[];
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the client's own word. */
  readonly stopReason?: string;
}

/** A directory that the client works in: advice, not permission. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** One question of {@link Asker.ask}. */
export type Question =
  | (FormOptions & {
      readonly form: FormSource<unknown>;
      /** @internal Only what was answered after it was asked counts, whatever a client sends unasked. */
      readonly proof?: boolean;
    })
  | (UrlOptions & { readonly url: string | URL })
  | (QuestionOptions & { readonly sample: SampleParams })
  | (QuestionOptions & { readonly roots: true });

/** What a question is answered with. */
export type AnswerTo<Q> = Q extends { readonly form: Class<infer T> }
  ? FormAnswer<T>
  : Q extends { readonly form: unknown }
    ? FormAnswer<Readonly<Record<string, unknown>>>
    : Q extends { readonly url: unknown }
      ? UrlAnswer
      : Q extends { readonly sample: unknown }
        ? SampleAnswer
        : readonly Root[];

/** The answers to several questions, by their keys. */
export type AnswersTo<Q> = { readonly [K in keyof Q]: AnswerTo<Q[K]> };

/** What a client may be able to do for a server. */
export type AskKind = 'form' | 'url' | 'sample' | 'sample-tools' | 'roots';

/** Asks the client behind one request, whatever revision it speaks. */
export interface Asker {
  /** Whether the client can be asked this. */
  can(kind: AskKind): boolean;
  ask<Q extends Readonly<Record<string, Question>>>(questions: Q): Promise<AnswersTo<Q>>;
  step<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** Begins another run of the handler: what was answered and done so far is found again. */
  rewind(): void;
  /** The asker of a call made inside this one. */
  nested(name: string): Asker;
}

/** What runs a request, and knows how its client is asked. */
export interface AskerSource extends ErrorTeller {
  readonly asker: Asker;
  /** What is called. */
  readonly kind: string;
  readonly name: string;
}
