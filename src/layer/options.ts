import type { Icon } from '../core/content.js';
import { type Class, isClass } from '../core/class.js';
import { guarded, RANDOM_IDS, STDERR_LOGGER, SYSTEM_CLOCK } from '../core/defaults.js';
import type { ToolContext } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import type { CallKind, Middleware } from '../core/middleware.js';
import { PREFIX_PATTERN } from '../core/names.js';
import { nearest } from '../core/nearest.js';
import { ALLOW_ALL, type Clock, type Container, type Ids, type Logger, type Policy } from '../core/ports.js';
import type { Registry } from '../registry/registry.js';
import { META_PREFIX } from '../registry/spec.js';

/** What an unexpected exception was thrown by. */
export interface ErrorSite {
  readonly kind: CallKind;
  readonly name: string;
  readonly context: ToolContext;
}

/** Maps an unexpected exception to one of this package's errors, or gives `undefined` to leave it unexpected. */
export type ErrorHook = (error: unknown, site: ErrorSite) => unknown;

/** What a layer is built from. */
export interface McpLayerOptions {
  /** Names the server to clients. */
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Tells the model how to use the server. */
  readonly instructions?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly websiteUrl?: string;
  /** Classes with decorated methods. Instances come out of the container. */
  readonly services?: readonly Class[];
  /** More specs, or functions registered without a class. What is added to it later is served too. */
  readonly registry?: Registry;
  /** Default: tsyringe, sharing nothing with its global container. */
  readonly container?: Container;
  /** Default: everybody may do everything. */
  readonly policy?: Policy;
  /** Outermost first. */
  readonly middleware?: readonly Middleware[];
  /** Put before the names of tools and prompts. */
  readonly prefix?: string;
  /** What `_meta` keys begin with. Default: `cartouche/`. */
  readonly metaPrefix?: string;
  readonly includeCategories?: readonly string[];
  readonly excludeCategories?: readonly string[];
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** Leaves out what writes files, reaches outside, executes or destroys. */
  readonly readOnly?: boolean;
  /** Default: 300,000. */
  readonly defaultTimeoutMs?: number;
  /** How long a text block of a result may be, in UTF-16 code units. Default: 200,000. */
  readonly maxOutputChars?: number;
  /** What happens to a result that its output schema does not allow. Default: `error`. */
  readonly validateOutput?: 'error' | 'warn' | 'off';
  /** Shows clients the messages of unexpected exceptions. For development only. */
  readonly exposeErrors?: boolean;
  /** Makes `currentContext()` work below handlers. Default: true. */
  readonly asyncContext?: boolean;
  /** For every kind of request, or one for each; `all` stands for kinds that have none of their own. */
  readonly onError?: ErrorHook | Partial<Record<CallKind | 'all', ErrorHook>>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** Options with every default filled in. */
export type ResolvedOptions = McpLayerOptions &
  Required<
    Pick<
      McpLayerOptions,
      | 'prefix'
      | 'metaPrefix'
      | 'policy'
      | 'defaultTimeoutMs'
      | 'maxOutputChars'
      | 'validateOutput'
      | 'exposeErrors'
      | 'asyncContext'
      | 'logger'
      | 'clock'
      | 'ids'
      | 'services'
      | 'middleware'
    >
  >;

const DEFAULTS = {
  prefix: '',
  metaPrefix: META_PREFIX,
  policy: ALLOW_ALL,
  defaultTimeoutMs: 300_000,
  maxOutputChars: 200_000,
  validateOutput: 'error',
  exposeErrors: false,
  asyncContext: true,
  logger: STDERR_LOGGER,
  clock: SYSTEM_CLOCK,
  ids: RANDOM_IDS,
  services: [],
  middleware: [],
} as const;

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'is no text. Pass a string');
const name: Check = (value) => (value === '' ? 'is empty. Pass a name' : text(value));
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'is no boolean. Pass true or false');
const list: Check = (value) => (Array.isArray(value) ? undefined : 'is no list. Pass an array');
const port =
  (...methods: string[]): Check =>
  (value) => {
    const missing = methods.filter(
      (method) => typeof (value as Record<string, unknown> | null)?.[method] !== 'function',
    );
    return missing.length === 0 ? undefined : `lacks ${missing.join('(), ')}(). Pass an object that has it`;
  };
const names: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? undefined
    : 'is no list of names. Pass strings';
const positive: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : `is ${String(value)}. Pass a number above 0`;

const CHECKS: Readonly<Record<keyof McpLayerOptions, Check>> = {
  name,
  version: name,
  title: text,
  instructions: text,
  description: text,
  icons: list,
  websiteUrl: text,
  services: (value) => list(value) ?? services(value as unknown[]),
  registry: port('findTemplate', 'add'),
  container: port('resolve', 'openScope'),
  policy: port('decide', 'scopeOf'),
  middleware: list,
  prefix: (value) =>
    typeof value === 'string' && PREFIX_PATTERN.test(value)
      ? undefined
      : `'${String(value)}' cannot stand before a name. Use up to 64 of A-Z a-z 0-9 _ . -`,
  metaPrefix: (value) =>
    typeof value === 'string' && /^[A-Za-z0-9.-]+\/$/.test(value)
      ? undefined
      : "is no prefix. Use one such as 'example.com/'",
  includeCategories: names,
  excludeCategories: names,
  includeTools: names,
  excludeTools: names,
  readOnly: flag,
  defaultTimeoutMs: (value) =>
    positive(value) ?? ((value as number) < 2 ** 31 ? undefined : 'is too long. Pass at most 2147483647'),
  maxOutputChars: positive,
  validateOutput: (value) =>
    ['error', 'warn', 'off'].includes(value as string) ? undefined : "is none of 'error', 'warn', 'off'. Pass one",
  exposeErrors: flag,
  asyncContext: flag,
  onError: hooks,
  logger: port('debug', 'info', 'warn', 'error'),
  clock: port('now', 'monotonic'),
  ids: port('next'),
};

const HOOK_KINDS = ['all', 'tool', 'resource', 'prompt', 'completion', 'list'];

function hooks(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return 'is no function. Pass one, or an object with one per kind';
  const wrong = Object.entries(value).find(([kind, hook]) => !HOOK_KINDS.includes(kind) || typeof hook !== 'function');
  if (wrong === undefined) return undefined;
  return `has no use for '${wrong[0]}' of type ${typeof wrong[1]}. Pass functions under ${HOOK_KINDS.join(', ')}`;
}

function services(values: readonly unknown[]): string | undefined {
  const index = values.findIndex((value) => !isClass(value));
  if (index === -1) return undefined;
  return `holds a ${typeof values[index]} at ${index} where a class is meant. Pass classes; the container makes the instances`;
}

/** Fills in the defaults. @throws {ConfigurationError} With everything that is wrong with the options. */
export function resolveOptions(options: McpLayerOptions): ResolvedOptions {
  const findings: string[] = [];
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(CHECKS, key)) {
      const near = nearest(key, Object.keys(CHECKS));
      findings.push(
        `McpLayer: no option '${key}'. ${near === undefined ? `Use ${Object.keys(CHECKS).join(', ')}` : `Did you mean '${near}'?`}`,
      );
      continue;
    }
    const problem = CHECKS[key as keyof McpLayerOptions](value);
    if (problem !== undefined) findings.push(`McpLayer: ${key} ${problem}.`);
  }
  for (const key of ['name', 'version'] as const) {
    if ((options as Partial<McpLayerOptions>)[key] === undefined)
      findings.push(`McpLayer: no ${key}. Clients are told it: pass one.`);
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const resolved = { ...DEFAULTS, ...(given as unknown as McpLayerOptions) } as ResolvedOptions;
  return { ...resolved, logger: guarded(resolved.logger) };
}
