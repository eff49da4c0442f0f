import { CAPABILITIES } from '../core/capabilities.js';
import {
  checkOptions,
  findOptionProblems,
  isFilled,
  isFlag,
  isList,
  isNames,
  isOneOf,
  isText,
  type OptionCheck,
} from '../core/check-options.js';
import type { ContentAnnotations, Icon } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { PrimitiveKind } from '../core/ports.js';
import type {
  CommonOptions,
  PromptArgument,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ServiceOptions,
  ToolOptions,
} from '../core/records.js';

/** Every option of a type needs its check: one that is added and has none does not compile. */
type Checks<O> = Readonly<Record<keyof O, OptionCheck>>;

/** Checked where it is used, with a code of its own. */
const elsewhere: OptionCheck = () => undefined;

const isRecord: OptionCheck = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object. Pass one';

const isNumber: OptionCheck = (value) =>
  typeof value === 'number' ? undefined : 'must be a number of milliseconds. Pass one';

const isSize: OptionCheck = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : `is ${String(value)}. Pass a number of bytes`;

const isShare: OptionCheck = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : `is ${String(value)}. Pass a number from 0 to 1`;

/** A list of capabilities that there are. */
export const areCapabilities: OptionCheck = (value) => {
  const known: readonly string[] = CAPABILITIES;
  const wrong = isNames(value);
  if (wrong !== undefined) return wrong;
  const unknown = (value as readonly string[]).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `knows no '${unknown}'. Use ${known.join(', ')}`;
};

const COMMON: Checks<CommonOptions> = {
  title: isText,
  description: isText,
  category: isText,
  tags: isNames,
  sensitivity: elsewhere,
  capabilities: isNames,
  icons: isList,
  meta: isRecord,
  asks: isList,
};

const TOOL: Checks<ToolOptions> = {
  ...COMMON,
  name: elsewhere,
  input: elsewhere,
  output: elsewhere,
  readOnly: isFlag,
  destructive: isFlag,
  idempotent: isFlag,
  openWorld: isFlag,
  transformHints: isRecord,
  timeoutMs: isNumber,
  acceptJsonText: isFlag,
  openArguments: isFlag,
  confirm: elsewhere,
};

const TEMPLATE: Checks<ResourceTemplateOptions> = {
  ...COMMON,
  name: isText,
  mimeType: isText,
  annotations: isRecord,
  input: elsewhere,
};

const RESOURCE: Checks<ResourceOptions> = {
  ...COMMON,
  name: isText,
  mimeType: isText,
  annotations: isRecord,
  size: isSize,
};

const PROMPT: Checks<PromptOptions> = { ...COMMON, name: elsewhere, arguments: elsewhere, timeoutMs: isNumber };

const BY_KIND: Readonly<Record<PrimitiveKind, Readonly<Record<string, OptionCheck>>>> = {
  tool: TOOL,
  resource: RESOURCE,
  template: TEMPLATE,
  prompt: PROMPT,
};

/** What a function is registered with: its decorator's options, and where it is found. */
const REGISTERED: Readonly<Record<PrimitiveKind, Readonly<Record<string, OptionCheck>>>> = {
  tool: { ...TOOL, replace: isFlag },
  resource: { ...RESOURCE, uri: elsewhere, replace: isFlag },
  template: { ...TEMPLATE, uriTemplate: elsewhere, completions: isRecord, replace: isFlag },
  prompt: { ...PROMPT, completions: isRecord, replace: isFlag },
};

const ICON: Checks<Icon> = { src: isFilled, mimeType: isText, sizes: isNames, theme: isOneOf('light', 'dark') };

const ANNOTATIONS: Checks<ContentAnnotations> = {
  audience: (value) =>
    Array.isArray(value) && value.every((item) => item === 'user' || item === 'assistant')
      ? undefined
      : "must be a list of 'user' and 'assistant'. Pass one",
  priority: isShare,
  lastModified: isText,
};

const ARGUMENT: Checks<PromptArgument> = { name: isFilled, title: isText, description: isText, required: isFlag };

const SERVICE: Checks<ServiceOptions> = {
  category: isText,
  tags: isNames,
  sensitivity: elsewhere,
  capabilities: isNames,
  // Unknown ones are found in each member that they count for.
  defaultCapabilities: isNames,
  scope: isOneOf('singleton', 'request'),
};

/** Everything that is wrong with what a decorator was given, and with the objects in it. */
export function decoratorProblems(kind: PrimitiveKind, site: string, options: unknown): string[] {
  return [...findOptionProblems(site, options, BY_KIND[kind]), ...nested(site, options)];
}

/** Everything that is wrong with the options of `@McpService`. */
export function serviceProblems(site: string, options: unknown): string[] {
  return findOptionProblems(site, options, SERVICE);
}

/** @throws {ConfigurationError} With everything that is wrong with what a registry is made with. */
export function checkRegistry(options: unknown): void {
  checkOptions('Registry', options, { defaultCapabilities: areCapabilities });
}

/** @throws {ConfigurationError} With everything that is wrong with what a function is registered with. */
export function checkRegistered(kind: PrimitiveKind, options: unknown, handler: unknown): void {
  const site = siteOf(kind, options);
  const findings = [...findOptionProblems(site, options, REGISTERED[kind]), ...nested(site, options)];
  if (typeof handler !== 'function') {
    const given = handler === undefined ? 'there is no handler' : `the handler has the type ${typeof handler}`;
    findings.push(finding('CT226', `${site}: ${given}. Pass a function as the second argument.`));
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
}

function siteOf(kind: PrimitiveKind, options: unknown): string {
  const given = (options ?? {}) as { name?: unknown; uri?: unknown; uriTemplate?: unknown };
  const id = given.name ?? given.uri ?? given.uriTemplate;
  return typeof id === 'string'
    ? `${kind === 'template' ? 'resource template' : kind} '${id}'`
    : `registry.${METHODS[kind]}`;
}

const METHODS: Readonly<Record<PrimitiveKind, string>> = {
  tool: 'tool',
  resource: 'resource',
  template: 'resourceTemplate',
  prompt: 'prompt',
};

function nested(site: string, options: unknown): string[] {
  if (typeof options !== 'object' || options === null) return [];
  const { annotations, arguments: listed, icons } = options as Readonly<Record<string, unknown>>;
  return [
    ...iconProblems(site, icons),
    ...(isRecord(annotations) === undefined
      ? findOptionProblems(`${site}: annotations`, annotations, ANNOTATIONS)
      : []),
    ...(Array.isArray(listed) ? membersOf(`${site}: arguments`, listed, ARGUMENT, 'name') : []),
  ];
}

/** Everything that is wrong with a list of icons; what is no list is for its owner to say. */
export function iconProblems(site: string, icons: unknown): string[] {
  return Array.isArray(icons) ? membersOf(`${site}: icons`, icons, ICON, 'src') : [];
}

function membersOf(
  site: string,
  list: readonly unknown[],
  checks: Readonly<Record<string, OptionCheck>>,
  needed: string,
): string[] {
  return list.flatMap((item, index) => {
    const place = `${site}[${index}]`;
    const problems = findOptionProblems(place, item, checks);
    if (problems.length > 0 || (item as Readonly<Record<string, unknown>>)[needed] !== undefined) return problems;
    return [finding('CT103', `${place}: ${needed} is missing. Pass one.`)];
  });
}
