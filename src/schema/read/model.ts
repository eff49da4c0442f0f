import type { AnyClass } from '../../core/class.js';
import type { JsonSchema } from '../../core/json-schema.js';
import type { TransformArguments } from './transformer-metadata.js';
import type { Validator } from './validator-metadata.js';

/**
 * What a DTO class says, read once. The JSON Schema, the reader, the checks and the compiled validator are all made
 * from this and from nothing else, so that they cannot disagree.
 */

/** What kind of value a shape holds. `raw` is a schema that the author wrote in full. */
export type Kind =
  | 'any'
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'object'
  | 'array'
  | 'set'
  | 'map'
  | 'class'
  | 'union'
  | 'raw';

/** The type of one value: a property's, or an element's. */
export interface Shape {
  readonly kind: Kind;
  /** JSON Schema keywords beside `type`. */
  readonly keywords: JsonSchema;
  /** The allowed values of an enum, a list or a constant. */
  readonly values?: readonly unknown[];
  /** Elements of `array` and `set`, values of `map`. */
  readonly items?: Shape;
  /** The class of `class`. */
  readonly model?: ClassModel;
  /** The alternatives of `union`. */
  readonly union?: UnionModel;
  /** Whether null is a value of its own. */
  readonly nullable: boolean;
}

/** Subclasses told apart by one property. */
export interface UnionModel {
  readonly property: string;
  readonly keep: boolean;
  readonly variants: readonly { readonly name: string; readonly model: ClassModel }[];
}

/** One validator of a property, run after the value has its shape. */
export interface Check {
  /** The validator's name, which is also the issue's `type`. */
  readonly name: string;
  readonly each: boolean;
  readonly async: boolean;
  readonly constraints: readonly unknown[];
  readonly message: unknown;
  readonly validateIf?: (object: unknown, value: unknown) => boolean;
  /** Whether this is class-validator's own validator of that name, and not another one that took the name. */
  readonly genuine: boolean;
  /** Replaces the validator where it is unsafe or wrong: quadratic work, a crash, enum member names. */
  readonly own?: (value: unknown) => boolean;
  /** The validator itself, resolved at its first use: it may come from a container that is filled late. */
  readonly validator: () => Validator;
}

/** One property of a DTO class. */
export interface PropertyModel {
  readonly name: string;
  readonly wire: string;
  readonly shape: Shape;
  readonly required: boolean;
  /**
   * What an absent property is. A `written` one stands in `@Field` and is read like any given value; the others are
   * what the initialiser leaves in every instance anyway.
   */
  readonly default?: { readonly json: unknown; readonly written: boolean };
  /** `@ValidateIf` conditions that look at other properties. */
  readonly conditions: readonly ((object: unknown, value: unknown) => boolean)[];
  readonly checks: readonly Check[];
  readonly transforms: readonly ((args: TransformArguments) => unknown)[];
  /** description, title, examples and other keywords that assert nothing. */
  readonly annotations: JsonSchema;
  /** Keywords of `@Field` that do assert, checked on their own. */
  readonly overlay?: JsonSchema;
}

/** One DTO class. Its lists are filled while it is read, because classes may refer to one another. */
export interface ClassModel {
  readonly cls: AnyClass;
  readonly name: string;
  readonly properties: PropertyModel[];
  readonly byWire: Map<string, PropertyModel>;
  readonly annotations: JsonSchema;
  /** What cannot work, each as "site: problem. remedy." */
  readonly findings: string[];
  readonly warnings: string[];
}
