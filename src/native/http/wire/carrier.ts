import type { AccessToken } from '../../../core/access-token.js';
import type { Principal } from '../../../core/principal.js';
import type { Headers } from './request-headers.js';

/** One HTTP request, whichever front end it came through. */
export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The same as the client sees it, where the host serves this under a path of its own. */
  readonly fullPath: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  readonly headers: Headers;
  /** The front end's own request object. */
  readonly raw: unknown;
  /** What an authentication layer of the host set. */
  readonly principal: Principal | undefined;
  readonly accessToken: AccessToken | undefined;
  /** Reads the body as a JSON value, or takes it from the host where it parsed it already, and calls `done` once. */
  readBody(maxBytes: number, done: BodyCallback): void;
}

/** The body of a whole answer: text, or bytes in parts. */
export type Body = string | readonly Uint8Array[];

/** Takes a body, or why there is none. Not a promise, because every request has one. */
export type BodyCallback = (value: unknown, error?: BodyError) => void;

/** Where the answer to one HTTP request goes: once through either function. */
export interface HttpReply {
  /** Headers that any answer carries, whichever it will be. */
  addHeaders(headers: Readonly<Record<string, string>>): void;
  send(status: number, headers: Readonly<Record<string, string | number>>, body?: Body): void;
  open(status: number, headers: Readonly<Record<string, string | number>>): ByteStream;
  /** Calls `listener`, at most once, when the client goes away before the answer is complete. */
  onDisconnect(listener: () => void): void;
}

/** The body of an answer that is written piece by piece. Nothing throws after the end. */
export interface ByteStream {
  write(text: string): void;
  /** Bytes that were written and that the network has not taken yet. */
  readonly pending: number;
  readonly closed: boolean;
  end(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** Why a body cannot be used. */
export class BodyError extends Error {
  constructor(readonly reason: 'too-large' | 'not-json' | 'incomplete' | 'consumed') {
    super(`the body is ${reason}`);
    this.name = 'BodyError';
  }
}
