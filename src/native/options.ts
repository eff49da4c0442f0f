import { BOUNDS } from '../core/bounds.js';
import { LOG_LEVELS, type LogLevel } from '../core/context.js';
import {
  checkOptions,
  isCount,
  isFlag,
  isFunction,
  isObject,
  isOneOf,
  isText,
  type OptionCheck,
} from '../core/check-options.js';
import { ALLOW_ALL } from '../core/ports.js';
import { isResolverError, type ResolverOptions } from '../core/identity.js';
import type { Layer } from '../layer/layer.js';
import { type CapabilityOptions, type Feature, FEATURES } from './capabilities.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import { CACHEABLE, type CacheableMethod, METHOD_BY_NAME } from './methods/index.js';

export type { CacheableMethod } from './methods/index.js';

/** How long a modern answer may be kept, and by whom: `public` means by anyone, for anyone. */
export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** What every transport of the engine takes. */
export interface NativeServerOptions extends ResolverOptions {
  /** How many definitions one page of a list holds. Default: 1,000. */
  readonly pageSize?: number | undefined;
  /** Whether clients are told when a list changes. Default: true. */
  readonly listChanged?: boolean | undefined;
  /** Whether clients may subscribe to single resources. Default: true. */
  readonly subscribe?: boolean | undefined;
  /** Offered also while the layer has nothing of the kind; the rest is offered once there is something. */
  readonly features?: readonly Feature[] | undefined;
  /** Default: nothing is kept (`ttlMs: 0`, `private`). `public` needs a layer without a policy. */
  readonly cacheHints?: Partial<Readonly<Record<CacheableMethod, Partial<CacheHint>>>> | undefined;
  /** Tells the model how to use the server. Default: the layer's. */
  readonly instructions?: string | undefined;
  /** From which level handshake clients get log messages until they choose one. Default: `info`. */
  readonly logLevel?: LogLevel | undefined;
  /** Whether modern results say which server they come from. Default: true. */
  readonly identify?: boolean | undefined;
  /** How many messages one batch may have; only 2025-03-26 has batches. Default: 1,000. */
  readonly maxBatchMessages?: number | undefined;
  /** How many `subscriptions/listen` streams may be open at once; then one ends of whoever has most, the oldest. Default: 10,000. */
  readonly maxListenStreams?: number | undefined;
  /** How many of them one caller may have. Default: as many as there are, until another caller needs them. */
  readonly maxListenStreamsPerCaller?: number | undefined;
}

/** The same, with every default filled in. */
export interface ResolvedServerOptions extends CapabilityOptions, ResolverOptions {
  readonly pageSize: number;
  readonly cacheHints: Readonly<Record<CacheableMethod, CacheHint>>;
  readonly instructions: string | undefined;
  readonly logLevel: number;
  readonly identify: boolean;
  readonly maxBatchMessages: number;
  readonly maxListenStreams: number;
  readonly maxListenStreamsPerCaller: number;
}

const KEEP_NOTHING: CacheHint = Object.freeze({ ttlMs: 0, cacheScope: 'private' });

/** What the values of the options must be, by name. */
export const SERVER_CHECKS: Readonly<Record<keyof NativeServerOptions, OptionCheck>> = Object.freeze({
  principalResolver: isFunction,
  onResolverError: isResolverError,
  pageSize: isCount,
  listChanged: isFlag,
  subscribe: isFlag,
  features: (value: unknown) =>
    Array.isArray(value) && value.every((item) => FEATURES.includes(item as Feature))
      ? undefined
      : `must be a list of features. Use ${FEATURES.join(', ')}`,
  cacheHints: isObject,
  instructions: isText,
  logLevel: isOneOf(...LOG_LEVELS),
  identify: isFlag,
  maxBatchMessages: isCount,
  maxListenStreams: isCount,
  maxListenStreamsPerCaller: isCount,
});

/** The engine's own among the options of a transport. */
export function serverOptionsOf(options: NativeServerOptions): NativeServerOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(SERVER_CHECKS, name)));
}

/** Fills in the defaults. @throws {ConfigurationError} With everything that is wrong with the options. */
export function resolveServerOptions(layer: Layer, options: NativeServerOptions): ResolvedServerOptions {
  const hints = isRecord(options.cacheHints) ? options.cacheHints : {};
  checkOptions('NativeMcpServer', options, SERVER_CHECKS, hintProblems(layer, hints));
  return {
    principalResolver: options.principalResolver,
    onResolverError: options.onResolverError,
    pageSize: options.pageSize ?? BOUNDS.pageSize.default,
    maxBatchMessages: options.maxBatchMessages ?? BOUNDS.maxBatchMessages.default,
    maxListenStreams: options.maxListenStreams ?? BOUNDS.maxListenStreams.default,
    maxListenStreamsPerCaller: options.maxListenStreamsPerCaller ?? BOUNDS.maxListenStreamsPerCaller.default,
    cacheHints: Object.fromEntries(
      CACHEABLE.map((method) => [method, { ...KEEP_NOTHING, ...options.cacheHints?.[method] }]),
    ) as Record<CacheableMethod, CacheHint>,
    logLevel: LOG_LEVELS.indexOf(options.logLevel ?? 'info'),
    listChanged: options.listChanged ?? true,
    subscribe: options.subscribe ?? true,
    features: options.features ?? [],
    instructions: options.instructions ?? layer.options.instructions,
    identify: options.identify ?? true,
  };
}

/** Where a policy decides what each caller sees, an answer that anyone may keep would be shown to everyone. */
function hintProblems(layer: Layer, given: Readonly<Record<string, Partial<CacheHint> | undefined>>): string[] {
  return Object.entries(given).flatMap(([method, hint]) => {
    const problem = hintProblem(layer, method, hint ?? {});
    return problem === undefined ? [] : [finding('CT602', `NativeMcpServer: cacheHints: ${problem}`)];
  });
}

function hintProblem(
  { policy }: Layer,
  method: string,
  { ttlMs = 0, cacheScope }: Partial<CacheHint>,
): string | undefined {
  if (!(CACHEABLE as readonly string[]).includes(method)) {
    return `the answers to '${method}' are never kept. Use ${CACHEABLE.join(', ')}.`;
  }
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0)
    return `ttlMs ${ttlMs} of ${method} is not a duration. Use whole milliseconds.`;
  if (cacheScope !== undefined && !['public', 'private'].includes(cacheScope)) {
    return `cacheScope '${cacheScope}' of ${method} is not known. Use 'public' or 'private'.`;
  }
  if (cacheScope === 'public' && METHOD_BY_NAME.get(method)?.cacheable !== 'shared' && policy !== ALLOW_ALL) {
    return `${method} depends on the caller where a policy decides, so it cannot be public. Use 'private'.`;
  }
  return undefined;
}
