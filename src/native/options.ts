import { LOG_LEVELS, type LogLevel } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import { ALLOW_ALL } from '../core/ports.js';
import type { PrincipalResolver } from '../core/principal.js';
import type { LayerCore } from '../layer/layer-core.js';
import type { CapabilityOptions, Feature } from './capabilities.js';

/** The stateless methods whose answers say how long they may be kept. Source: MCP 2026-07-28, "Caching". */
export const CACHEABLE = Object.freeze([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const);

export type CacheableMethod = (typeof CACHEABLE)[number];

/** How long a stateless answer may be kept, and by whom: `public` means by anyone, for anyone. */
export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** What every transport of the engine takes. */
export interface NativeServerOptions {
  /** Says who a request comes from. Default: the transport's own user. */
  readonly principalResolver?: PrincipalResolver | undefined;
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
  /** Whether stateless results say which server they come from. Default: true. */
  readonly identify?: boolean | undefined;
  /** How many `subscriptions/listen` streams may be open at once. Default: 10,000. */
  readonly maxListenStreams?: number | undefined;
}

/** The same, with every default filled in. */
export interface ResolvedServerOptions extends CapabilityOptions {
  readonly principalResolver: PrincipalResolver | undefined;
  readonly pageSize: number;
  readonly cacheHints: Readonly<Record<CacheableMethod, CacheHint>>;
  readonly instructions: string | undefined;
  readonly logLevel: number;
  readonly identify: boolean;
  readonly maxListenStreams: number;
}

const KEEP_NOTHING: CacheHint = Object.freeze({ ttlMs: 0, cacheScope: 'private' });

/** Fills in the defaults. @throws {ConfigurationError} With every option that cannot be used. */
export function resolveServerOptions(layer: LayerCore, options: NativeServerOptions): ResolvedServerOptions {
  const { pageSize = 1000, maxListenStreams = 10_000, logLevel = 'info' } = options;
  const findings: string[] = [];
  if (!isCount(pageSize)) findings.push(`pageSize ${pageSize} is no size. Use a whole number above 0.`);
  if (!isCount(maxListenStreams))
    findings.push(`maxListenStreams ${maxListenStreams} is no limit. Use a whole number above 0.`);
  if (!LOG_LEVELS.includes(logLevel)) findings.push(`logLevel '${logLevel}' is none. Use ${LOG_LEVELS.join(', ')}.`);
  const cacheHints = resolveHints(layer, options.cacheHints ?? {}, findings);
  if (findings.length > 0) throw new ConfigurationError(findings.map((finding) => `NativeMcpServer: ${finding}`));
  return {
    principalResolver: options.principalResolver,
    pageSize,
    maxListenStreams,
    cacheHints,
    logLevel: LOG_LEVELS.indexOf(logLevel),
    listChanged: options.listChanged ?? true,
    subscribe: options.subscribe ?? true,
    features: options.features ?? [],
    instructions: options.instructions ?? layer.options.instructions,
    identify: options.identify ?? true,
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Where a policy decides what each caller sees, an answer that anyone may keep would be shown to everyone. */
function resolveHints(
  layer: LayerCore,
  given: NonNullable<NativeServerOptions['cacheHints']>,
  findings: string[],
): Record<CacheableMethod, CacheHint> {
  for (const [method, hint] of Object.entries(given)) {
    if (!(CACHEABLE as readonly string[]).includes(method)) {
      findings.push(`cacheHints: '${method}' is never kept. Use ${CACHEABLE.join(', ')}.`);
    } else if (hint.ttlMs !== undefined && !(Number.isSafeInteger(hint.ttlMs) && hint.ttlMs >= 0)) {
      findings.push(`cacheHints: ttlMs ${hint.ttlMs} of ${method} is no time. Use whole milliseconds.`);
    } else if (hint.cacheScope === 'public' && method !== 'server/discover' && layer.policy !== ALLOW_ALL) {
      findings.push(
        `cacheHints: ${method} depends on the caller where a policy decides, so it cannot be public. Use 'private'.`,
      );
    }
  }
  return Object.fromEntries(CACHEABLE.map((method) => [method, { ...KEEP_NOTHING, ...given[method] }])) as Record<
    CacheableMethod,
    CacheHint
  >;
}
