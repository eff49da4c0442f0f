import type { ChangeKind, PrimitiveKind } from '../core/ports.js';
import type { PromptSpec } from './prompt-spec.js';
import type { ResourceSpec, ResourceTemplateSpec } from './resource-spec.js';
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
  /** Whether clients can ask for values of one of its arguments. */
  isCompleted(spec: S): boolean;
}

/** The one table of kinds: a further kind is a further line. In the order of the lists. */
export const KINDS = {
  tool: {
    list: 'tools',
    change: 'tools',
    key: 'tools',
    identity: 'name',
    isNamed: true,
    argumentNames: ({ inputSchema }) => Object.keys(inputSchema['properties'] ?? {}),
    isCompleted: () => false,
  },
  resource: {
    list: 'resources',
    change: 'resources',
    key: 'resources',
    identity: 'uri',
    isNamed: false,
    argumentNames: () => [],
    isCompleted: () => false,
  },
  template: {
    list: 'templates',
    change: 'resources',
    key: 'resourceTemplates',
    identity: 'uriTemplate',
    isNamed: false,
    argumentNames: ({ variables }) => variables,
    isCompleted: ({ completions }) => completions.size > 0,
  },
  prompt: {
    list: 'prompts',
    change: 'prompts',
    key: 'prompts',
    identity: 'name',
    isNamed: true,
    argumentNames: (spec) => spec.arguments.map(({ name }) => name),
    isCompleted: (spec) => spec.arguments.some(({ completion }) => completion !== undefined),
  },
} as const satisfies { readonly [K in PrimitiveKind]: Kind<SpecOf[K]> };

/** The same, by list. */
export const LISTS = {
  tools: KINDS.tool,
  resources: KINDS.resource,
  templates: KINDS.template,
  prompts: KINDS.prompt,
} as const satisfies { readonly [L in ListName]: { readonly list: L } };

/** The names of the lists, in their order. */
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** The line of the table that a spec belongs to. */
export function kindOf(spec: AnySpec): Kind {
  return KINDS[spec.kind];
}
