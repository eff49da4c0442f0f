import { BOUNDS } from '../core/bounds.js';
import {
  checkOptions,
  hasMethods,
  isDelay,
  isFilled,
  isFlag,
  isList,
  isNames,
  isOneOf,
  isPositive,
  isText,
  type OptionCheck,
  undefinedClass,
} from '../core/check-options.js';
import { type RequestStateOptions, requestStateProblem } from '../asking/sealer.js';
import type { Capability } from '../core/capabilities.js';
import type { Icon } from '../core/content.js';
import { type Class, isClass } from '../core/class.js';
import { isPromise } from '../core/guards.js';
import type { ValidationLimits } from '../schema/base/limits.js';
import { guarded, RANDOM_IDS, STDERR_LOGGER, SYSTEM_CLOCK } from '../core/defaults.js';
import type { ToolContext } from '../core/context.js';
import type { Extension } from '../core/extension.js';
import { extensionProblems } from '../core/extension-problems.js';
import { CALL_KINDS, type CallKind, type Middleware } from '../core/middleware.js';
import { PREFIX_PATTERN } from '../core/names.js';
import type { Container } from '../core/container.js';
import type { Clock, Ids, Logger, Policy } from '../core/ports.js';
import type { Stores } from '../core/stores.js';
import { areCapabilities, iconProblems } from '../registry/option-checks.js';
import type { Registry } from '../registry/registry.js';
import { META_PREFIX } from '../registry/spec.js';
import { finding } from '../core/finding.js';
import { type PolicyOption, policyOf, policyProblem } from './policy-option.js';
import { containerProblem, limitsProblems, storeProblems } from './port-checks.js';

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
  /**
   * What decides what each caller sees and may do: a document, the path of one in YAML or JSON from the current folder, or
   * a policy of your own. Default: everybody may do everything.
   */
  readonly policy?: PolicyOption;
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
  /**
   * The capabilities of primitives for which neither their own options nor their class declare any: `['read_state']` for
   * a server that only reads. Default: none are known, and a tool is taken for one that may do anything.
   */
  readonly defaultCapabilities?: readonly Capability[];
  /** Leaves out what writes files, reaches outside, executes or destroys, and tools that do not say what they do. */
  readonly readOnly?: boolean;
  /** Default: 300,000. */
  readonly defaultTimeoutMs?: number;
  /** How long a text block of a result may be, in UTF-16 code units. Default: 200,000. */
  readonly maxOutputChars?: number;
  /** How much of the arguments, and of the forms that clients fill in, is looked at before they are refused. */
  readonly validationLimits?: Partial<ValidationLimits>;
  /**
   * How long an answer may be, in UTF-16 code units: its structured content, everything else in it together, and all
   * answers of a batch. A longer one is an error. Default: 33,554,432.
   */
  readonly maxResultChars?: number;
  /** What happens to a result that its output schema does not allow. Default: `error`. */
  readonly validateOutput?: 'error' | 'warn' | 'off';
  /** Shows clients the messages of unexpected exceptions. For development only. */
  readonly exposeErrors?: boolean;
  /** Makes `currentContext()` work below handlers. Default: true. */
  readonly asyncContext?: boolean;
  /** For every kind of request, or one for each; `all` stands for kinds that have none of their own. */
  readonly onError?: ErrorHook | Partial<Record<CallKind | 'all', ErrorHook>>;
  /** How long a client may take to answer a question, where it is asked while its request waits. Default: 300,000. */
  readonly askTimeoutMs?: number;
  /** What becomes of a tool with `confirm` where nobody can be asked. Default: `refuse`. */
  readonly confirmWithoutClient?: 'refuse' | 'proceed';
  /** How modern requests remember what was asked and done: share the keys between servers behind one address. */
  readonly requestState?: RequestStateOptions;
  /** What adds to the protocol beside the layer's own. Experimental. */
  readonly extensions?: readonly Extension[];
  /** What may be shared between processes. Default: memory. */
  readonly stores?: Stores;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** Options with every default filled in. */
export type ResolvedOptions = Omit<McpLayerOptions, 'policy'> & { readonly policy: Policy } & Required<
    Pick<
      McpLayerOptions,
      | 'prefix'
      | 'metaPrefix'
      | 'defaultTimeoutMs'
      | 'maxOutputChars'
      | 'maxResultChars'
      | 'validateOutput'
      | 'exposeErrors'
      | 'asyncContext'
      | 'askTimeoutMs'
      | 'confirmWithoutClient'
      | 'requestState'
      | 'stores'
      | 'logger'
      | 'clock'
      | 'ids'
      | 'services'
      | 'middleware'
      | 'extensions'
    >
  >;

const DEFAULTS = {
  prefix: '',
  metaPrefix: META_PREFIX,
  defaultTimeoutMs: BOUNDS.defaultTimeoutMs.default,
  maxOutputChars: BOUNDS.maxOutputChars.default,
  maxResultChars: BOUNDS.maxResultChars.default,
  validateOutput: 'error',
  exposeErrors: false,
  asyncContext: true,
  askTimeoutMs: BOUNDS.askTimeoutMs.default,
  confirmWithoutClient: 'refuse',
  requestState: {},
  stores: {},
  logger: STDERR_LOGGER,
  clock: SYSTEM_CLOCK,
  ids: RANDOM_IDS,
  services: [],
  middleware: [],
  extensions: [],
} as const;

const CHECKS: Readonly<Record<keyof McpLayerOptions, OptionCheck>> = {
  name: isFilled,
  version: isFilled,
  title: isText,
  instructions: isText,
  description: isText,
  icons: isList,
  websiteUrl: isText,
  services: (value) => isList(value) ?? services(value as unknown[]),
  registry: hasMethods('findTemplate', 'add'),
  container: containerProblem,
  policy: policyProblem,
  middleware: isList,
  prefix: (value) =>
    typeof value === 'string' && PREFIX_PATTERN.test(value)
      ? undefined
      : `'${String(value)}' cannot stand before a name. Use up to 64 of 'A-Z a-z 0-9 _ . -'`,
  metaPrefix: (value) =>
    typeof value === 'string' && /^[A-Za-z0-9.-]+\/$/.test(value)
      ? undefined
      : "is not a valid prefix. Use one such as 'example.com/'",
  includeCategories: isNames,
  excludeCategories: isNames,
  includeTools: isNames,
  excludeTools: isNames,
  defaultCapabilities: areCapabilities,
  readOnly: isFlag,
  defaultTimeoutMs: isDelay,
  maxOutputChars: isPositive,
  validationLimits: () => undefined,
  maxResultChars: isPositive,
  validateOutput: isOneOf('error', 'warn', 'off'),
  exposeErrors: isFlag,
  asyncContext: isFlag,
  onError: hooks,
  askTimeoutMs: isDelay,
  confirmWithoutClient: isOneOf('refuse', 'proceed'),
  requestState: requestStateProblem,
  extensions: isList,
  // Each finding of its own: see resolveOptions.
  stores: () => undefined,
  logger: hasMethods('debug', 'info', 'warn', 'error'),
  clock: hasMethods('now', 'monotonic'),
  ids: hasMethods('next'),
};

const HOOK_KINDS: readonly string[] = ['all', ...CALL_KINDS];

function hooks(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  if (isPromise(value)) return 'is a promise. Await it';
  if (typeof value !== 'object' || value === null)
    return 'must be a function. Pass one, or an object with one per kind';
  const wrong = Object.entries(value).find(([kind, hook]) => !HOOK_KINDS.includes(kind) || typeof hook !== 'function');
  if (wrong === undefined) return undefined;
  return `has no use for '${wrong[0]}' of type ${typeof wrong[1]}. Pass functions under ${HOOK_KINDS.join(', ')}`;
}

function services(values: readonly unknown[]): string | undefined {
  const index = values.findIndex((value) => !isClass(value));
  if (index === -1) return undefined;
  if (values[index] === undefined) return undefinedClass(index);
  return `holds something of type ${typeof values[index]} at ${index}. Pass classes; the container makes the instances`;
}

/** Fills in the defaults. @throws {ConfigurationError} With everything that is wrong with the options. */
export function resolveOptions(options: McpLayerOptions): ResolvedOptions {
  const given = Object.fromEntries(
    Object.entries((options as McpLayerOptions | undefined) ?? {}).filter(([, value]) => value !== undefined),
  );
  const missing = (['name', 'version'] as const)
    .filter((key) => given[key] === undefined)
    .map((key) => finding('CT104', `McpLayer: no ${key}. Clients are told it: pass one.`));
  checkOptions('McpLayer', options, CHECKS, [
    ...missing,
    ...extensionProblems(given['extensions']),
    ...storeProblems(given['stores']),
    ...limitsProblems(given['validationLimits']),
    ...iconProblems('McpLayer', given['icons']),
  ]);
  const resolved = { ...DEFAULTS, ...(given as unknown as McpLayerOptions) };
  return { ...resolved, policy: policyOf(resolved.policy), logger: guarded(resolved.logger) };
}
