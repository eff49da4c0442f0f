import type { AnyClass } from '../src/core/class.js';
import type { JsonSchema } from '../src/core/json-schema.js';
import { define } from '../src/core/metadata.js';
import { refuseBare } from './refuse-bare.js';
import { PARAMETER, type ParameterRecord, type SchemaSource } from '../src/core/records.js';

/** A decorator of a method's parameter. */
export type ParameterRecorder = (target: object, method: string | symbol | undefined, index: number) => void;

type WithoutIndex<R> = R extends unknown ? Omit<R, 'index'> : never;

function recordParameter(body: WithoutIndex<ParameterRecord>): ParameterRecorder {
  return (target, method, index) => {
    const cls = (typeof target === 'function' ? target : target.constructor) as AnyClass;
    define(PARAMETER, cls, method, { ...body, index });
  };
}

/** Binds the parameter to all arguments, as an instance of `source` where that is a class. */
export function Args(source?: SchemaSource): ParameterRecorder;
export function Args(...given: readonly unknown[]): ParameterRecorder {
  refuseBare('Args()', given);
  const source = given[0] as SchemaSource | undefined;
  return recordParameter({ bind: 'arguments', ...(source === undefined ? {} : { source }) });
}

/** Binds the parameter to the request's `ToolContext`. */
export function Ctx(): ParameterRecorder;
export function Ctx(...given: readonly unknown[]): ParameterRecorder {
  refuseBare('Ctx()', given);
  return recordParameter({ bind: 'context' });
}

/**
 * Binds the parameter to one argument.
 *
 * @param schema Its JSON Schema. Default: what the parameter's type says. With `optional: true` it may be left out.
 */
export function Arg(name: string, schema?: JsonSchema & { readonly optional?: boolean }): ParameterRecorder {
  refuseBare("Arg('name')", [name, schema]);
  if (schema === undefined) return recordParameter({ bind: 'argument', name });
  const { optional, ...rest } = schema;
  return recordParameter({
    bind: 'argument',
    name,
    required: optional !== true && !('default' in rest),
    ...(Object.keys(rest).length === 0 ? {} : { schema: rest }),
  });
}
