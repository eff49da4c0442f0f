import { BOUNDS } from '../../core/bounds.js';
import {
  checkOptions,
  hasMethods,
  isCount,
  isDelay,
  isFlag,
  isOneOf,
  type OptionCheck,
} from '../../core/check-options.js';
import type { EventStore } from '../../core/stores.js';
import { type NativeServerOptions, SERVER_CHECKS } from '../options.js';
import type { HttpAuth } from './access/auth.js';
import type { CorsOptions } from './access/cors.js';
import { MemoryEventStore } from './streams/event-store.js';
import { type GuardOptions, OriginHostGuard } from './access/guard.js';
import type { ResponseMode } from './answers/post-exchange.js';

/** What `fetchHandler` and `nodeHandler` take, besides what the engine takes. */
export interface HttpOptions extends NativeServerOptions {
  /** The only path that is answered, with or without a slash at its end. Default: whatever reaches the handler. */
  readonly path?: string;
  /** Who may call: a `TokenAuth`, an `OAuthResource` or one of your own. Default: everybody. */
  readonly auth?: HttpAuth;
  /** Which names the server answers to, and which pages may call it; `false` where something in front sees to that. */
  readonly guard?: GuardOptions | OriginHostGuard | false;
  /** Lets pages of other origins read answers. Default: off. */
  readonly cors?: CorsOptions | boolean;
  /**
   * Whether clients of the handshake revisions get sessions. Without them any process answers any request, and nothing is
   * sent but answers; 2026-07-28 is like that by itself. Default: true.
   */
  readonly sessions?: boolean;
  /** Default: `auto`. */
  readonly responseMode?: ResponseMode;
  /** Default: 4 MiB. */
  readonly maxBodyBytes?: number;
  /** How often quiet streams carry a comment, in milliseconds; 0 for never. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing of a finished answer before it is cut off, in milliseconds; 0 for ever. Default: 60,000. */
  readonly stallMs?: number;
  /** How long an unused session lives. Default: 30 minutes. */
  readonly sessionIdleMs?: number;
  /** How many sessions there may be; then one ends of whoever has most: the one that was idle longest. Default: 10,000. */
  readonly maxSessions?: number;
  /** How many of them one caller may have. Default: as many as there are, until another caller needs them. */
  readonly maxSessionsPerCaller?: number;
  /** Lets clients resume streams they lost. Default: the layer's `stores.events`, else one in memory; `false` for none. */
  readonly eventStore?: EventStore | false;
  /** How long clients are told to wait before they come back. Default: 1,000. */
  readonly retryMs?: number;
  /** After how long a running request's stream is closed, for the client to come back and resume it; 0 for never. Default: 0. */
  readonly reconnectAfterMs?: number;
  /** Serves the transport of 2024-11-05 too. Default: false. */
  readonly legacySse?: LegacySseOptions | boolean;
}

/**
 * Where clients of 2024-11-05 find their two endpoints: whole paths, as they reach the handler. What a host such as Express
 * took away before is put back where clients are told.
 */
export interface LegacySseOptions {
  /** Default: `/sse`. */
  readonly streamPath?: string;
  /** Default: `/messages`. */
  readonly messagePath?: string;
}

/** The same, with every default filled in. */
export interface ResolvedHttpOptions {
  readonly path: string | undefined;
  readonly auth: HttpAuth | undefined;
  readonly guard: OriginHostGuard | undefined;
  readonly cors: CorsOptions | true | undefined;
  readonly sessions: boolean;
  readonly responseMode: ResponseMode;
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
  readonly stallMs: number;
  readonly sessionIdleMs: number;
  readonly maxSessions: number;
  readonly maxSessionsPerCaller: number;
  readonly maxBatchMessages: number;
  readonly eventStore: EventStore | undefined;
  readonly retryMs: number;
  readonly reconnectAfterMs: number;
  readonly legacySse: Required<LegacySseOptions> | undefined;
}

const NUMBERS = {
  maxBodyBytes: BOUNDS.maxBodyBytes.default,
  keepAliveMs: 15_000,
  stallMs: BOUNDS.stallMs.default,
  sessionIdleMs: BOUNDS.sessionIdleMs.default,
  maxSessions: BOUNDS.maxSessions.default,
  maxSessionsPerCaller: BOUNDS.maxSessionsPerCaller.default,
  maxBatchMessages: BOUNDS.maxBatchMessages.default,
  retryMs: 1000,
  reconnectAfterMs: 0,
} as const;

/** Milliseconds, with 0 for "never". */
const isDelayOrNever: OptionCheck = (value) => (value === 0 ? undefined : isDelay(value));

const isPath: OptionCheck = (value) =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? undefined : 'must be a path. Begin it with a slash';

const isObject: OptionCheck = (value) =>
  typeof value === 'object' && value !== null ? undefined : 'must be an object. Pass one';

/** What the values of the options must be, by name. */
const CHECKS: Readonly<Record<keyof HttpOptions, OptionCheck>> = Object.freeze({
  ...SERVER_CHECKS,
  path: isPath,
  auth: hasMethods('authenticate'),
  guard: (value: unknown) => (value === false ? undefined : isObject(value)),
  cors: (value: unknown) => (typeof value === 'boolean' ? undefined : isObject(value)),
  sessions: isFlag,
  responseMode: isOneOf('auto', 'json', 'sse'),
  maxBodyBytes: isCount,
  keepAliveMs: isDelayOrNever,
  stallMs: isDelayOrNever,
  sessionIdleMs: isDelay,
  maxSessions: isCount,
  maxSessionsPerCaller: isCount,
  eventStore: (value: unknown) => (value === false ? undefined : hasMethods('append', 'after', 'drop')(value)),
  retryMs: isDelayOrNever,
  reconnectAfterMs: isDelayOrNever,
  legacySse: (value: unknown) => (typeof value === 'boolean' ? undefined : isObject(value)),
});

/**
 * Fills in the defaults.
 *
 * @param more Checks of the options that the caller takes besides.
 * @param events Where events are kept unless the options say it.
 * @throws {ConfigurationError} With everything that is wrong with the options.
 */
export function resolveHttpOptions(
  options: HttpOptions,
  more: Readonly<Record<string, OptionCheck>> = {},
  events?: EventStore,
): ResolvedHttpOptions {
  checkOptions('http', options, { ...CHECKS, ...more, ...renamed(options) });
  const { path, responseMode = 'auto', guard, cors, eventStore, legacySse } = options;
  const numbers = Object.entries(NUMBERS).map(([name, value]) => [
    name,
    options[name as keyof typeof NUMBERS] ?? value,
  ]);
  return {
    ...(Object.fromEntries(numbers) as Record<keyof typeof NUMBERS, number>),
    path: path === undefined ? undefined : withoutSlash(path),
    auth: options.auth,
    guard: guard === false ? undefined : guard instanceof OriginHostGuard ? guard : new OriginHostGuard(guard),
    cors: cors === false ? undefined : cors,
    sessions: options.sessions ?? true,
    responseMode,
    eventStore: eventStore === false ? undefined : (eventStore ?? events ?? new MemoryEventStore()),
    legacySse: resolveLegacy(legacySse),
  };
}

/** What `sessions` was called before 0.1.0, the other way round: named only to whoever still writes it. */
function renamed(options: unknown): Readonly<Record<string, OptionCheck>> {
  if ((options as { readonly stateless?: unknown } | null)?.stateless === undefined) return {};
  return { stateless: (value) => `is called 'sessions' now. Write sessions: ${String(value === false)}` };
}

function resolveLegacy(option: LegacySseOptions | boolean | undefined): Required<LegacySseOptions> | undefined {
  if (option === undefined || option === false) return undefined;
  if (option !== true) checkOptions('legacySse', option, { streamPath: isPath, messagePath: isPath });
  const { streamPath = '/sse', messagePath = '/messages' } = option === true ? {} : option;
  return { streamPath: withoutSlash(streamPath), messagePath: withoutSlash(messagePath) };
}

/** A path is the same with and without a slash at its end. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
