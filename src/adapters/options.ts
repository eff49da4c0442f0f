import { isNames, isObject } from '../core/check-options.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { PREFIX_PATTERN } from '../core/names.js';
import { isResolverError, type ResolverOptions } from '../core/identity.js';
import type { TransportKind } from '../core/principal.js';
import type { EventBus } from './changes.js';

/** The parts of a layer that can be mounted, each by itself. */
export const MOUNTABLE = Object.freeze([
  'tools',
  'resources',
  'templates',
  'prompts',
  'completions',
  'logging',
  'subscriptions',
] as const);

/** One of {@link MOUNTABLE}. */
export type Mountable = (typeof MOUNTABLE)[number];

/** How a layer is mounted in a server. */
export interface MountOptions extends ResolverOptions {
  /** Put before the names of tools and prompts. It is the layer's own: every server that has the layer shows it. */
  readonly prefix?: string | undefined;
  /** Default: everything. What is named here is advertised even while the layer has nothing of it. */
  readonly include?: readonly Mountable[] | undefined;
  /**
   * Whether clients are promised word of changes. Default: where the host has not decided. `true` promises it even
   * against the host's own choice, `false` never does.
   */
  readonly listChanged?: boolean | undefined;
  /** The listen bus of a per-request host, as `layer.attachBus` takes it. */
  readonly bus?: EventBus | undefined;
  /** How requests arrive, where the transport's class cannot be trusted to say. An unknown one is never the local user's. */
  readonly transport?: TransportKind | undefined;
}

/** The same, checked. */
export interface ResolvedMountOptions extends ResolverOptions {
  readonly prefix: string | undefined;
  readonly include: ReadonlySet<Mountable>;
  /** What is advertised also while there is nothing of it. */
  readonly promised: ReadonlySet<Mountable>;
  readonly listChanged: boolean | undefined;
  readonly bus: EventBus | undefined;
  readonly transport: TransportKind | undefined;
}

const KEYS = ['prefix', 'include', 'principalResolver', 'onResolverError', 'listChanged', 'bus', 'transport'] as const;
const TRANSPORTS: readonly TransportKind[] = ['stdio', 'memory', 'http', 'sse', 'unknown'];
const EVERYTHING: ReadonlySet<Mountable> = new Set(MOUNTABLE);
const NOTHING: ReadonlySet<Mountable> = new Set();

/** @throws {ConfigurationError} With every option that cannot be used. */
export function resolveMountOptions(options: MountOptions): ResolvedMountOptions {
  const unfit = isObject(options);
  if (unfit !== undefined) throw new ConfigurationError(finding('CT101', `registerInto: the options: ${unfit}.`));
  const { prefix, include, principalResolver, onResolverError, listChanged, bus, transport } = options;
  const findings: string[] = [];
  for (const key of Object.keys(options)) {
    if (!(KEYS as readonly string[]).includes(key))
      findings.push(finding('CT102', `no option '${key}'. Use ${KEYS.join(', ')}.`));
  }
  if (prefix !== undefined && !(typeof prefix === 'string' && PREFIX_PATTERN.test(prefix))) {
    findings.push(
      finding('CT505', `prefix '${shown(prefix)}' cannot stand before a name. Use up to 64 of 'A-Z a-z 0-9 _ . -'.`),
    );
  }
  const unlisted = include === undefined ? undefined : isNames(include);
  if (unlisted !== undefined) findings.push(finding('CT103', `include ${unlisted}.`));
  else
    for (const part of include ?? []) {
      if (!EVERYTHING.has(part))
        findings.push(finding('CT705', `include: there is no '${part}' to mount. Use ${MOUNTABLE.join(', ')}.`));
    }
  if (principalResolver !== undefined && typeof principalResolver !== 'function') {
    findings.push(finding('CT103', 'principalResolver must be a function. Pass one that takes a RequestInfo.'));
  }
  const problem = onResolverError === undefined ? undefined : isResolverError(onResolverError);
  if (problem !== undefined) findings.push(finding('CT103', `onResolverError ${problem}.`));
  if (listChanged !== undefined && typeof listChanged !== 'boolean')
    findings.push(finding('CT103', 'listChanged must be a boolean. Pass true or false.'));
  if (bus !== undefined && typeof (bus as Partial<EventBus> | null)?.publish !== 'function') {
    findings.push(finding('CT103', "bus has no publish(). Pass a handler's bus, such as createMcpHandler(…).bus."));
  }
  if (transport !== undefined && !TRANSPORTS.includes(transport)) {
    findings.push(finding('CT103', `transport '${shown(transport)}' is not known. Use ${TRANSPORTS.join(', ')}.`));
  }
  if (findings.length > 0) throw new ConfigurationError(findings.map((found) => `registerInto: ${found}`));
  const named = include === undefined ? undefined : new Set(include);
  return {
    prefix,
    include: named ?? EVERYTHING,
    promised: named ?? NOTHING,
    principalResolver,
    onResolverError,
    listChanged,
    bus,
    transport,
  };
}

/** What is wrong may be anything, a symbol too. */
function shown(value: unknown): string {
  return String(value);
}
