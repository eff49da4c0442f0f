import type { ChangeKind, PrimitiveKind } from '../core/ports.js';
import type { PromptSpec } from './prompt-spec.js';
import type { ResourceSpec, ResourceTemplateSpec } from './resource-spec.js';
import type { CompletionHandler } from './spec.js';
import type { ToolSpec } from './tool-spec.js';

/** The spec of each kind. */
export interface SpecOf {
  readonly tool: ToolSpec;
  readonly resource: ResourceSpec;
  readonly template: ResourceTemplateSpec;
  readonly prompt: PromptSpec;
}

/** Any of the four. */
export type AnySpec = SpecOf[PrimitiveKind];

/** The four lists, by the names that clients know them by. */
export type ListName = 'tools' | 'resources' | 'templates' | 'prompts';

/** What sets one kind of primitive apart from the others. */
export interface Kind<S extends AnySpec = AnySpec> {
  readonly kind: S['kind'];
  readonly list: ListName;
  /** What a client is told has changed. */
  readonly change: Extract<ChangeKind, 'tools' | 'prompts' | 'resources'>;
  /** The key that holds the definitions in a list. */
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  /** The key that tells one definition from the others. */
  readonly identity: 'name' | 'uri' | 'uriTemplate';
  /** Whether it is called by a name, which takes the layer's prefix; a URI takes none. */
  readonly isNamed: boolean;
  argumentNames(spec: S): readonly string[];
  /** Whether it changes nothing. */
  isReadOnly(spec: S): boolean;
  /** Whether running it twice does no harm. */
  isRepeatable(spec: S): boolean;
  /** Whether clients are told what its answers look like. */
  promisesOutput(spec: S): boolean;
  /** Whether clients can ask for values of one of its arguments. */
  isCompleted(spec: S): boolean;
  /** What gives values for one of its arguments. */
  completionOf(spec: S, argument: string): CompletionHandler | undefined;
}

/** The one table of kinds: a further kind is a further line. In the order of the lists. */
export const KINDS = {
  tool: {
    kind: 'tool',
    list: 'tools',
    change: 'tools',
    key: 'tools',
    identity: 'name',
    isNamed: true,
    argumentNames: ({ inputSchema }) => Object.keys(inputSchema['properties'] ?? {}),
    isReadOnly: ({ annotations }) => annotations.readOnlyHint === true,
    isRepeatable: ({ repeatable }) => repeatable,
    promisesOutput: ({ output }) => output !== undefined,
    isCompleted: () => false,
    completionOf: () => undefined,
  },
  resource: {
    kind: 'resource',
    list: 'resources',
    change: 'resources',
    key: 'resources',
    identity: 'uri',
    isNamed: false,
    argumentNames: () => [],
    isReadOnly: () => true,
    isRepeatable: () => true,
    promisesOutput: () => false,
    isCompleted: () => false,
    completionOf: () => undefined,
  },
  template: {
    kind: 'template',
    list: 'templates',
    change: 'resources',
    key: 'resourceTemplates',
    identity: 'uriTemplate',
    isNamed: false,
    argumentNames: ({ variables }) => variables,
    isReadOnly: () => true,
    isRepeatable: () => true,
    promisesOutput: () => false,
    isCompleted: ({ completions }) => completions.size > 0,
    completionOf: ({ completions }, argument) => completions.get(argument),
  },
  prompt: {
    kind: 'prompt',
    list: 'prompts',
    change: 'prompts',
    key: 'prompts',
    identity: 'name',
    isNamed: true,
    argumentNames: (spec) => spec.arguments.map(({ name }) => name),
    isReadOnly: () => true,
    isRepeatable: () => false,
    promisesOutput: () => false,
    isCompleted: (spec) => spec.arguments.some(({ completion }) => completion !== undefined),
    completionOf: (spec, argument) => spec.arguments.find(({ name }) => name === argument)?.completion,
  },
} as const satisfies { readonly [K in PrimitiveKind]: Kind<SpecOf[K]> };

/** The same, by list. */
export const LISTS = {
  tools: KINDS.tool,
  resources: KINDS.resource,
  templates: KINDS.template,
  prompts: KINDS.prompt,
} as const satisfies { readonly [L in ListName]: { readonly list: L } };

/** Whether a text names a list. */
export function isListName(text: string): text is ListName {
  return Object.hasOwn(LISTS, text);
}

/** The line of the table that a spec belongs to. */
export function kindOf(spec: AnySpec): Kind {
  return KINDS[spec.kind];
}
