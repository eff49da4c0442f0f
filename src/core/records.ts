import type { Capability, Sensitivity } from './capabilities.js';
import type { Class } from './class.js';
import type { ContentAnnotations, Icon } from './content.js';
import type { JsonSchema, StandardSchema } from './json-schema.js';
import { MetadataKey } from './metadata.js';

/** What can describe arguments or results: a DTO class, a raw JSON Schema, or a Standard Schema. */
export type SchemaSource = Class | JsonSchema | StandardSchema;

/** What every primitive takes. */
export interface CommonOptions {
  readonly title?: string;
  /** Default: the method's doc comment. */
  readonly description?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly sensitivity?: Sensitivity;
  /** What it touches; `[]` is nothing. Default: those of `@McpService`, else the layer's `defaultCapabilities`. */
  readonly capabilities?: readonly Capability[];
  readonly icons?: readonly Icon[];
  /** Merged into `_meta`, after the framework's own keys. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The forms that the handler asks with, so that one which no client could show is found when the layer is built. */
  readonly asks?: readonly SchemaSource[];
}

/**
 * What `@Tool` and `registry.tool` take. Hints that are left out are derived from `capabilities`; where nobody declared
 * any, they stay out, and the tool is taken for one that may do anything.
 */
export interface ToolOptions extends CommonOptions {
  /** Default: the method's name in snake_case. */
  readonly name?: string;
  readonly input?: SchemaSource;
  /** `[Class]` is a list of instances. */
  readonly output?: SchemaSource | readonly [Class];
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
  /** Options for a policy's transforms. */
  readonly transformHints?: Readonly<Record<string, unknown>>;
  /** Default: the layer's `defaultTimeoutMs`. A handler that never yields cannot be interrupted. */
  readonly timeoutMs?: number;
  /** Converts JSON text to the declared object or array where a host sends it so. Default: refuse. */
  readonly acceptJsonText?: boolean;
  /** Drops arguments that the schema does not know instead of refusing them. */
  readonly openArguments?: boolean;
  /**
   * What the person is asked before the handler runs: text in which `{argument}` stands for an argument's value, or a
   * function of the arguments. Anything but consent ends the call. Implies `destructive`, unless that is said.
   */
  readonly confirm?: string | ((args: never) => string);
}

/** What `@Resource` takes besides the URI. */
export interface ResourceOptions extends CommonOptions {
  /** Display name. Default: the method's name in snake_case. */
  readonly name?: string;
  /** Default: `application/json`. */
  readonly mimeType?: string;
  readonly annotations?: ContentAnnotations;
  /** Bytes, where they are known. */
  readonly size?: number;
}

/** What `@ResourceTemplate` takes besides the template. */
export type ResourceTemplateOptions = Omit<ResourceOptions, 'size'> & {
  /** Describes the variables. Default: the type of the method's parameter. */
  readonly input?: SchemaSource;
};

/** One argument of a prompt that is listed by hand. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** What `@Prompt` and `registry.prompt` take. */
export interface PromptOptions extends CommonOptions {
  readonly name?: string;
  /** A DTO class whose properties are strings on the wire, or a list. */
  readonly arguments?: Class | readonly PromptArgument[];
  readonly timeoutMs?: number;
}

/** What `@McpService` takes: defaults for the class's primitives, and how long an instance lives. */
export interface ServiceOptions {
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly sensitivity?: Sensitivity;
  readonly capabilities?: readonly Capability[];
  /** The same as `capabilities`, by the name that the layer's option has. */
  readonly defaultCapabilities?: readonly Capability[];
  /** `singleton` (default): one instance for a layer. `request`: one for each request. */
  readonly scope?: 'singleton' | 'request';
}

interface MemberRecord<O> {
  readonly options: O;
  /** Decorators cannot refuse; the builder of a layer reports it. */
  readonly isStatic: boolean;
}

/** What `@Tool`, and its sisters below, recorded of one method. */
export type ToolRecord = MemberRecord<ToolOptions>;
export type PromptRecord = MemberRecord<PromptOptions>;
export type ResourceRecord = MemberRecord<ResourceOptions> & { readonly uri: string };
export type ResourceTemplateRecord = MemberRecord<ResourceTemplateOptions> & { readonly uriTemplate: string };

/** Which argument or variable of which primitive a method completes. */
export type CompleteRecord = MemberRecord<object> & { readonly method: string; readonly argument: string };

/** How one parameter of a method is bound. */
export type ParameterRecord =
  | { readonly index: number; readonly bind: 'context' }
  | { readonly index: number; readonly bind: 'arguments'; readonly source?: SchemaSource }
  | {
      readonly index: number;
      readonly bind: 'argument';
      readonly name: string;
      readonly schema?: JsonSchema;
      readonly required?: boolean;
    };

/** Where each decorator keeps its records. */
export const TOOL = new MetadataKey<ToolRecord>('tool');
export const PROMPT = new MetadataKey<PromptRecord>('prompt');
export const RESOURCE = new MetadataKey<ResourceRecord>('resource');
export const RESOURCE_TEMPLATE = new MetadataKey<ResourceTemplateRecord>('resource-template');
export const COMPLETE = new MetadataKey<CompleteRecord>('complete');
export const PARAMETER = new MetadataKey<ParameterRecord>('parameter');
export const SERVICE = new MetadataKey<ServiceOptions>('service');
