import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { BOUNDS } from '../core/bounds.js';
import { canonicalJson } from '../core/canonical-json.js';
import { checkOptions, hasMethods, isFilled, isFunction, type OptionCheck } from '../core/check-options.js';
import { describeThrown } from '../core/describe-thrown.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { toJsonValue } from '../core/json-value.js';
import {
  type Call,
  CALL_KINDS,
  type CallKind,
  type MiddlewareHost,
  type MiddlewareObject,
  type Next,
  type ResultByKind,
} from '../core/middleware.js';
import type { Logger } from '../core/ports.js';
import { readableJson } from '../core/readable-json.js';
import { isKinds } from './check-kinds.js';
import { FileSink, type LineSink, StreamSink } from './audit-sinks.js';
import { KeyedHash } from '../core/keyed-hash.js';
import { codeOf, type Outcome, outcomeOf, outcomeOfError } from './outcome.js';

/** One line of the audit log. No argument value is ever in it. */
export interface AuditEntry {
  /** ISO 8601, when the request ended. */
  readonly time: string;
  readonly layer: string;
  readonly kind: CallKind;
  /** A name or URI template; `#` and a hash for what a client made up. */
  readonly name: string;
  /** `#` and a hash for an id of more than 256 characters; the same goes for roles, and for all after the first 100. */
  readonly principal: string;
  readonly roles: readonly string[];
  readonly transport?: string;
  /** Hashed, as whoever knows a session's id may use it. */
  readonly session?: string;
  /** `#` and a hash for what is not plain. */
  readonly request?: string | number;
  readonly outcome: Outcome;
  readonly code?: number | string;
  /** Under which the log has the exception. */
  readonly errorId?: string;
  readonly durationMs: number;
  /** HMAC-SHA256 of each argument's canonical JSON, by the names that the primitive declares. */
  readonly arguments: Readonly<Record<string, string>>;
  /** How many arguments it does not declare. */
  readonly undeclared?: number;
}

/** Where {@link auditLog} writes, and what. Exactly one of `path`, `stream`, `logger` and `write` is given. */
export interface AuditLogOptions {
  /** A file, made with mode 0600 and appended to, one line of JSON a request. */
  readonly path?: string;
  readonly stream?: Writable;
  /** `true` is the layer's own. */
  readonly logger?: Logger | true;
  /** Takes each entry itself. */
  readonly write?: (entry: AuditEntry) => void | Promise<void>;
  /**
   * The key of the hashes, at least 16 bytes. Default: the environment's `CARTOUCHE_AUDIT_SALT`, else a random one, whose
   * hashes nobody can compare after a restart.
   */
  readonly salt?: string | Uint8Array;
  /** Which kinds of requests are recorded. Default: all but lists. */
  readonly kinds?: readonly CallKind[];
}

const SINKS = ['path', 'stream', 'logger', 'write'] as const;
/** An id of a request that is written as it is. */
const PLAIN_ID = /^[\w.:-]{1,64}$/;
const MAX_NAME_CHARS = BOUNDS.auditNameChars.default;
const MAX_ROLES = BOUNDS.auditRoles.default;
const MIN_SALT_BYTES = 16;
const SALT_VARIABLE = 'CARTOUCHE_AUDIT_SALT';

/**
 * Records who asked for what, when, and how it ended. Values of arguments appear only as keyed hashes: equal ones can
 * be told to be equal, and nothing else. A sink that fails costs lines, never a call, and is reported once.
 *
 * @throws {ConfigurationError} When an option is wrong, or the file cannot be opened.
 */
export function auditLog(options: AuditLogOptions): MiddlewareObject {
  const given = SINKS.filter((key) => (options as AuditLogOptions | undefined)?.[key] !== undefined);
  checkOptions(
    'auditLog',
    options,
    {
      path: isFilled,
      stream: hasMethods('write', 'on', 'off'),
      logger: (value) => (value === true ? undefined : hasMethods('info')(value)),
      write: isFunction,
      salt: isSalt,
      kinds: isKinds,
    },
    given.length === 1
      ? []
      : [
          finding(
            'CT803',
            `auditLog: ${given.length === 0 ? 'nowhere to write' : `${given.join(' and ')} at once`}. Pass one of ${SINKS.join(', ')}.`,
          ),
        ],
  );
  return new AuditLog(options);
}

const isSalt: OptionCheck = (value) => {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return 'is neither text nor bytes. Pass a secret';
  return Buffer.from(value as string).length >= MIN_SALT_BYTES
    ? undefined
    : `is too short. Pass at least ${MIN_SALT_BYTES} random bytes`;
};

class AuditLog implements MiddlewareObject {
  readonly name = 'auditLog';
  readonly #options: AuditLogOptions;
  readonly #hash: KeyedHash;
  readonly #saltIsRandom: boolean;
  #host: MiddlewareHost | undefined;
  #sink: LineSink | undefined;
  #layer = '""';
  /** The part of a line that says who: the same for every call of a principal. */
  readonly #known = new WeakMap<object, string>();
  #reported = false;
  #lastTime = Number.NaN;
  #lastTimeText = '';

  constructor(options: AuditLogOptions) {
    this.#options = options;
    const salt = options.salt ?? saltOfEnvironment();
    this.#saltIsRandom = salt === undefined;
    this.#hash = new KeyedHash(
      salt === undefined ? Buffer.from(randomBytes(32).toString('hex')) : Buffer.from(salt as string),
    );
    for (const kind of options.kinds ?? CALL_KINDS.filter((kind) => kind !== 'list')) {
      Object.assign(this, { [kind]: (call: Call, next: Next) => this.#record(call, next) });
    }
  }

  attach(host: MiddlewareHost): void {
    this.#host = host;
    this.#layer = JSON.stringify(host.layer.name);
    const { path, stream } = this.#options;
    const onError = (error: unknown): void => this.#failed(error);
    if (path !== undefined) this.#sink ??= new FileSink(path, onError);
    if (stream !== undefined) this.#sink ??= new StreamSink(stream, onError);
    if (this.#saltIsRandom) {
      host.logger.info(
        `auditLog: its hashes have a random key and cannot be compared after a restart. Set ${SALT_VARIABLE}, or pass salt.`,
      );
    }
  }

  async close(): Promise<void> {
    await this.#sink?.close();
    this.#sink = undefined;
  }

  async #record<K extends CallKind>(call: Call<K>, next: Next<K>): Promise<ResultByKind[K]> {
    const started = this.#now();
    try {
      const answer = await next();
      this.#write(call, started, outcomeOf(answer), undefined);
      return answer;
    } catch (error) {
      this.#write(call, started, outcomeOfError(call, error), error);
      throw error;
    }
  }

  #write(call: Call, started: number, outcome: Outcome, error: unknown): void {
    try {
      const line = this.#line(call, started, outcome, error);
      const { logger, write } = this.#options;
      if (this.#sink !== undefined) this.#sink.write(`${line}\n`);
      else if (write !== undefined) {
        const writing = write(JSON.parse(line) as AuditEntry);
        if (writing instanceof Promise) writing.catch((failure: unknown) => this.#failed(failure));
      } else
        (logger === true ? this.#host?.logger : logger)?.info('audit', JSON.parse(line) as Record<string, unknown>);
    } catch (failure) {
      this.#failed(failure);
    }
  }

  /** An {@link AuditEntry} as JSON, put together from parts: every call comes by here. */
  #line(call: Call, started: number, outcome: Outcome, error: unknown): string {
    const { context, kind } = call;
    const { info, requestId, session } = context;
    let line = `{"time":"${this.#time()}","layer":${this.#layer},"kind":"${kind}","name":${JSON.stringify(this.#nameOf(call))},${this.#whoIs(call)}`;
    if (info !== undefined) line += `,"transport":"${info.transport}"`;
    if (session !== undefined) line += `,"session":"${this.#hash.digest(session)}"`;
    if (requestId !== undefined) line += `,"request":${this.#requestOf(requestId)}`;
    line += `,"outcome":"${outcome}"`;
    const code = error === undefined ? undefined : codeOf(error);
    if (code !== undefined) line += `,"code":${JSON.stringify(code)}`;
    if (outcome === 'exception') line += `,"errorId":${JSON.stringify(call.errorId)}`;
    const durationMs = Math.round((this.#now() - started) * 1000) / 1000;
    return readableJson(`${line},"durationMs":${durationMs},${this.#argumentsOf(call)}}`);
  }

  #whoIs({ principal }: Call): string {
    let who = this.#known.get(principal);
    if (who === undefined) {
      const roles = [...principal.roles];
      const shown = roles.slice(0, MAX_ROLES).map((role) => this.#short(role));
      if (roles.length > MAX_ROLES) shown.push(`#${this.#hash.digest(JSON.stringify(roles.slice(MAX_ROLES)))}`);
      who = `"principal":${JSON.stringify(this.#short(principal.id))},"roles":${JSON.stringify(shown)}`;
      this.#known.set(principal, who);
    }
    return who;
  }

  /** Ids and roles come out of tokens, and so from outside. */
  #short(name: string): string {
    return name.length <= MAX_NAME_CHARS ? name : `#${this.#hash.digest(name)}`;
  }

  /** Clients name their requests as they like; a line holds nothing that could look like another one. */
  #requestOf(id: string | number): string {
    return typeof id === 'number' || PLAIN_ID.test(id) ? JSON.stringify(id) : `"#${this.#hash.digest(id)}"`;
  }

  /** URIs hold the values of a template's variables, and unknown names may hold anything. */
  #nameOf({ kind, name, primitive }: Call): string {
    if (kind === 'list') return name;
    if (primitive !== undefined)
      return kind === 'completion'
        ? `${primitive.id}${name.slice(name.lastIndexOf('#'))}`
        : primitive.kind === 'tool' || primitive.kind === 'prompt'
          ? name
          : primitive.id;
    return `#${this.#hash.digest(name)}`;
  }

  #argumentsOf({ args, argumentNames, kind, name }: Call): string {
    if (kind === 'completion') {
      const argument = argumentNames.size === 0 ? '' : name.slice(name.lastIndexOf('#') + 1);
      return argument === '' ? '"arguments":{}' : `"arguments":{${JSON.stringify(argument)}:"${this.#hashOf(args)}"}`;
    }
    let hashes = '';
    let undeclared = 0;
    for (const key in args as object) {
      if (!argumentNames.has(key)) undeclared += 1;
      else
        hashes += `${hashes === '' ? '' : ','}${JSON.stringify(key)}:"${this.#hashOf((args as Record<string, unknown>)[key])}"`;
    }
    return `"arguments":{${hashes}}${undeclared === 0 ? '' : `,"undeclared":${undeclared}`}`;
  }

  #hashOf(value: unknown): string {
    return this.#hash.digest(canonicalJson(value) ?? canonicalForm(value));
  }

  #time(): string {
    const now = this.#host?.clock.now() ?? Date.now();
    if (now !== this.#lastTime) {
      this.#lastTime = now;
      this.#lastTimeText = new Date(now).toISOString();
    }
    return this.#lastTimeText;
  }

  #now(): number {
    return this.#host?.clock.monotonic() ?? performance.now();
  }

  #failed(error: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#host?.logger.error('auditLog: lines are lost', describeThrown(error));
  }
}

/** Calls inside the process may pass what JSON text cannot say. */
function canonicalForm(value: unknown): string {
  try {
    return canonicalJson(toJsonValue(value)) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** @throws {ConfigurationError} When it is too short to hide anything. */
function saltOfEnvironment(): string | undefined {
  const salt = process.env[SALT_VARIABLE];
  if (salt === undefined || salt === '') return undefined;
  const problem = isSalt(salt);
  if (problem === undefined) return salt;
  throw new ConfigurationError(finding('CT805', `auditLog: the environment's ${SALT_VARIABLE} ${problem}.`));
}
