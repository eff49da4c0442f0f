import { BOUNDS } from '../core/bounds.js';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { ConfigurationError, McpLayerError, RequestStateError } from '../core/errors.js';
import { finding, withoutCode } from '../core/finding.js';
import { findOptionProblems, isCount, isPositive } from '../core/check-options.js';
import type { Clock, Logger } from '../core/ports.js';

/** A secret of at least 32 bytes: random bytes, or text that stands for them as it is. */
export type SealingKey = string | Uint8Array;

/** How the state of a modern request travels through its client. */
export interface RequestStateOptions {
  /**
   * The first seals, all open: put a new one in front, and take the old one away when `ttlMs` has passed. A function
   * is asked each time. Servers behind one address share them. Default: one random key for the process.
   */
  readonly keys?: readonly SealingKey[] | (() => readonly SealingKey[]);
  /** How long a person may take to answer one round. Default: 900,000 (15 minutes). */
  readonly ttlMs?: number;
  /** How long a sealed state may be, in characters. Default: 65,536. */
  readonly maxChars?: number;
}

interface DerivedKey {
  readonly id: string;
  readonly secret: Buffer;
}

/** What is wrong with these options, as it continues "McpLayer: requestState …"; `undefined` when nothing is. */
export function requestStateProblem(options: unknown): string | undefined {
  const [problem] = findOptionProblems('requestState', options, {
    keys: (keys) => (typeof keys === 'function' ? undefined : keysProblem(keys)),
    ttlMs: isPositive,
    maxChars: isCount,
  });
  return (
    problem &&
    withoutCode(problem)
      .replace(/^requestState: /, 'is wrong: ')
      .replace(/\.$/, '')
  );
}

function keysProblem(keys: unknown): string | undefined {
  if (!Array.isArray(keys) || keys.length === 0) return 'hold no key. Pass a list with at least one';
  return keys.every(isKey)
    ? undefined
    : `hold one of less than ${MIN_KEY_BYTES} bytes. Make keys with crypto.randomBytes(32).toString('base64')`;
}

function isKey(key: unknown): key is SealingKey {
  return (typeof key === 'string' || key instanceof Uint8Array) && Buffer.byteLength(key) >= MIN_KEY_BYTES;
}

const VERSION = 'c1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MIN_KEY_BYTES = 32;
const TOKEN = /^c1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]+)$/;

/**
 * For a process that was given no key: whoever makes layers by the dozen, one for each request, shares it. Made when it
 * is first needed: a worker may not make random bytes while it loads.
 */
let processKey: SealingKey | undefined;

let wasWarned = false;

/**
 * Seals what a modern request has to remember, so that its client can carry it but neither read nor change it:
 * AES-256-GCM under a key derived from the first of the key set, with the key's id in front.
 */
export class StateSealer {
  readonly #options: RequestStateOptions;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #maxChars: number;
  readonly #derived = new Map<SealingKey, DerivedKey>();

  constructor(options: RequestStateOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#ttlMs = options.ttlMs ?? BOUNDS.stateTtlMs.default;
    this.#maxChars = options.maxChars ?? BOUNDS.maxStateChars.default;
  }

  /** Tells an operator, once in a process, that only this process can open what it seals. */
  warnIfLocal(logger: Logger): void {
    if (this.#options.keys !== undefined || wasWarned) return;
    wasWarned = true;
    logger.warn(
      'a client was asked over HTTP, and only this process can take its answer: the key for requestState was made at ' +
        'random. Pass requestState: { keys } where several processes serve one address, or restarts must do no harm.',
    );
  }

  /** @throws {McpLayerError} When there is too much to be carried. */
  seal(content: unknown): string {
    const { id, secret } = this.#keys()[0] as DerivedKey;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(`${VERSION}.${id}`));
    const plain = JSON.stringify({ expires: this.#clock.now() + this.#ttlMs, content });
    const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    const token = `${VERSION}.${id}.${sealed.toString('base64url')}`;
    if (token.length <= this.#maxChars) return token;
    throw new McpLayerError(
      `What was answered and done so far takes ${token.length} characters to carry, more than ${this.#maxChars}. ` +
        'Carry less in steps and answers, or raise requestState.maxChars.',
    );
  }

  /** What was sealed. @throws {RequestStateError} When it was not sealed so, or too long ago. */
  open(token: unknown): unknown {
    if (typeof token !== 'string') throw new RequestStateError('Invalid requestState: it must be text.');
    if (token.length > this.#maxChars) throw new RequestStateError('Invalid requestState: it is too long.');
    const [, id, body = ''] = TOKEN.exec(token) ?? [];
    if (id === undefined) throw new RequestStateError('Invalid requestState: this server did not give it.');
    const key = this.#keys().find((candidate) => candidate.id === id);
    if (key === undefined) {
      throw new RequestStateError(
        'Invalid requestState: this server has no key for it. It was restarted or its keys were changed, or the request ' +
          'began at another server that does not share its requestState.keys. Begin again.',
      );
    }
    const { content, expires } = this.#decrypt(key, body);
    if (expires <= this.#clock.now()) throw new RequestStateError('Expired requestState: begin again.');
    return content;
  }

  #decrypt({ id, secret }: DerivedKey, body: string): { content: unknown; expires: number } {
    const sealed = Buffer.from(body, 'base64url');
    try {
      // Decoding is lenient; only what encodes to the same text was ever given.
      if (sealed.toString('base64url') !== body) throw new RangeError('not canonical');
      const iv = sealed.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(`${VERSION}.${id}`))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      const plain = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(plain.toString('utf8')) as { content: unknown; expires: number };
    } catch {
      throw new RequestStateError('Invalid requestState: it was changed on its way.');
    }
  }

  #keys(): readonly DerivedKey[] {
    const { keys = [(processKey ??= randomBytes(MIN_KEY_BYTES))] } = this.#options;
    const current = typeof keys === 'function' ? keys() : keys;
    const problem = keysProblem(current);
    if (problem !== undefined) throw new ConfigurationError(finding('CT107', `requestState: keys ${problem}.`));
    return current.map((key) => this.#derive(key));
  }

  #derive(key: SealingKey): DerivedKey {
    let derived = this.#derived.get(key);
    if (derived === undefined) {
      const secret = Buffer.from(hkdfSync('sha256', key, '', 'cartouche requestState c1', 32));
      derived = { id: createHash('sha256').update('id').update(secret).digest('base64url').slice(0, 8), secret };
      // Keys that a function makes anew each time must not pile up.
      if (this.#derived.size >= BOUNDS.sealingKeys.default) this.#derived.clear();
      this.#derived.set(key, derived);
    }
    return derived;
  }
}
