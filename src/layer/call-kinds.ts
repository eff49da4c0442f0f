import type { CallOptions } from '../core/context.js';
import { errorKind, InvalidArgumentsError, type McpLayerError, NotFoundError } from '../core/errors.js';
import type { CallKind, CompletionResult, ResultByKind } from '../core/middleware.js';
import type { Principal } from '../core/principal.js';
import { isListName, kindOf } from '../registry/kinds.js';
import type { CompletionRequest, SpecByCall } from './call-parts.js';
import type { CallRules, CallState, Sighting } from './call-state.js';
import { type Catalog, NOTHING } from './catalog.js';
import { toErrorResult } from './failures.js';
import { seen } from './look.js';
import { toCompletionResult, toPromptResult, toResourceContents, toToolResult } from './results.js';
import {
  reportInContents,
  reportInPrompt,
  transformCompletion,
  transformPrompt,
  transformResource,
  transformTool,
} from './transform-result.js';

/** What a request asks for; the rest is its kind's business. */
export interface Target<K extends CallKind = CallKind> {
  readonly kind: K;
  readonly name: string;
  /** The arguments of a tool or prompt, or the text to complete. */
  readonly args?: unknown;
  /** What the name of a completion refers to. */
  readonly reference?: CompletionTarget;
}

/** The argument that is completed, and what kind of thing has it. */
interface CompletionTarget {
  readonly type: 'ref/prompt' | 'ref/resource';
  readonly argument: string;
  readonly text: string;
}

/** How a completion is asked for inside the process. */
export interface CompleteOptions extends CallOptions {
  /** The arguments that are known already. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/** What a target turned out to be, for one caller. */
interface Found<K extends CallKind> {
  readonly name: string;
  readonly args: unknown;
  readonly seen: Sighting<SpecByCall[K]>;
  readonly completion?: CompletionRequest | undefined;
}

/** All that sets one kind of request apart from the others. */
interface RequestKind<K extends CallKind> extends CallRules<K> {
  /** Looks up what is asked for. @throws {InvalidArgumentsError} When the arguments are not an object. */
  find(catalog: Catalog, target: Target<K>, principal: Principal, options: CompleteOptions): Found<K>;
  /** The answer, where no handler gives it. */
  answer?(call: CallState<K>, catalog: Catalog): ResultByKind[K];
}

const NO_COMPLETION: CompletionResult = Object.freeze({ values: Object.freeze([]), total: 0, hasMore: false });

/** The one table of kinds of requests: a further kind is a further line. */
export const REQUESTS: { readonly [K in CallKind]: RequestKind<K> } = {
  tool: {
    kind: 'tool',
    label: 'Tool',
    mayAsk: true,
    argumentsPart: 'arguments',
    find: (catalog, { args, name }, principal, options) => ({
      name,
      args: checkArguments(args),
      seen: seen(catalog, 'tool', name, principal, options),
    }),
    missing: (name, meant) => unknown('tool', name, meant),
    toAnswer: (call) =>
      toToolResult(call.value, call.found().spec.output?.wrapped, call.runtime.options.maxResultChars, call),
    rewritten: ({ result }, rewrite) => transformTool(result, rewrite),
    failed: toErrorResult,
  },
  resource: {
    kind: 'resource',
    label: 'Resource',
    mayAsk: true,
    argumentsPart: 'variables',
    find: (catalog, { name }, principal, options) => {
      const reading = seen(catalog, 'resource', name, principal, options);
      return { name, args: reading.variables, seen: reading };
    },
    missing: (uri) => new NotFoundError(`Resource not found: ${uri}`, { uri }),
    toAnswer: (call) =>
      toResourceContents(call.value, call.name, call.found().spec, call.runtime.options.maxResultChars, call),
    rewritten: ({ name, result }, rewrite) => transformResource(result, rewrite, name),
    withReport: reportInContents,
    failed: told,
  },
  prompt: {
    kind: 'prompt',
    label: 'Prompt',
    mayAsk: true,
    argumentsPart: 'arguments',
    find: (catalog, { args, name }, principal, options) => ({
      name,
      args: checkArguments(args),
      seen: seen(catalog, 'prompt', name, principal, options),
    }),
    missing: (name, meant) => unknown('prompt', name, meant),
    toAnswer: (call) => toPromptResult(call.value, call.found().spec, call),
    rewritten: ({ result }, rewrite) => transformPrompt(result, rewrite),
    withReport: reportInPrompt,
    failed: told,
  },
  completion: {
    kind: 'completion',
    label: 'Completion',
    mayAsk: false,
    argumentsPart: 'completion',
    find: findCompletion,
    missing: (name) => unknown('completion', name),
    toAnswer: (call) => toCompletionResult(call.value),
    rewritten: ({ completion, result }, rewrite) => transformCompletion(result, completion?.argument ?? '', rewrite),
    failed(_call, error) {
      // A refusal is told; whatever else goes wrong with a suggestion is not worth an error.
      const kind = errorKind(error);
      if (kind === 'AccessDeniedError' || kind === 'RateLimitedError') throw error;
      return NO_COMPLETION;
    },
  },
  list: {
    kind: 'list',
    label: 'List',
    mayAsk: false,
    argumentsPart: 'arguments',
    find: (_catalog, { name }) => ({ name, args: undefined, seen: NOTHING }),
    answer: ({ name, principal }, catalog) => (isListName(name) ? catalog.wire(name, principal) : []),
    missing: (name) => unknown('list', name),
    toAnswer: ({ result }) => result,
    rewritten: ({ result }) => Promise.resolve(result),
    failed: told,
  },
};

function told(_call: unknown, error: McpLayerError): never {
  throw error;
}

function unknown(kind: CallKind, name: string, meant?: string): NotFoundError {
  const hint = meant === undefined ? '' : `. Did you mean '${meant}'?`;
  return new NotFoundError(`Unknown ${kind}: ${name}${hint}`, { name });
}

/** Nothing stands for `{}`. @throws {InvalidArgumentsError} For anything else that is not an object. */
function checkArguments(args: unknown): object {
  if (args === undefined || args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args;
  throw new InvalidArgumentsError([{ loc: '', msg: 'the arguments must be an object', type: 'object_type' }]);
}

function findCompletion(
  catalog: Catalog,
  { args, name, reference }: Target,
  principal: Principal,
  options: CompleteOptions,
): Found<'completion'> {
  const { argument = '', text = '', type } = reference ?? {};
  const given = options.arguments ?? {};
  const kind = type === 'ref/prompt' ? 'prompt' : 'template';
  const found = seen(catalog, kind, name, principal, options);
  const spec = found.entry?.spec;
  const handler = spec && kindOf(spec).completionOf(spec, argument);
  return {
    name: `${name}#${argument}`,
    args,
    seen: handler === undefined ? { ...found, entry: undefined } : found,
    completion: handler && { argument, handler, text, partial: text, given, known: given },
  };
}
