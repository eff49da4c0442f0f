import type { AnyClass } from '../core/class.js';
import type { ToolContext } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import type { SchemaSource } from '../core/records.js';
import { bindParameters } from './bind-parameters.js';
import type { Parameters } from './compile-parameters.js';
import type { ServiceReader } from './service-reader.js';
import type { Handler } from './spec.js';

/** A method that can be called with checked arguments and a context. */
export interface BoundMethod {
  readonly handler: Handler;
  /** Whether any parameter takes arguments. */
  readonly takesArguments: boolean;
  /** What the method's parameters say of its arguments. */
  readonly parameters: Parameters;
}

/**
 * Binds a method's parameters.
 *
 * @param declared The schema that the decorator names; it wins over the parameters' types.
 * @throws {ConfigurationError} When a parameter says nothing of what it takes.
 */
export function bindMethod(
  reader: ServiceReader,
  method: string,
  declaredBy: AnyClass,
  declared?: SchemaSource,
): BoundMethod {
  const { cls } = reader;
  const { bind, findings, single, source, takesArguments } = bindParameters(
    cls,
    method,
    reader.parameters(method, declaredBy),
    declared,
  );
  if (findings.length > 0) throw new ConfigurationError(findings);

  function call(instance: unknown, args: unknown, context: ToolContext): unknown {
    const methods = instance as Record<string, (...values: unknown[]) => unknown>;
    return methods[method]?.(...bind(args, context));
  }
  return {
    handler: (args, context, scope) => {
      const instance = scope.resolve(cls);
      if (!(instance instanceof Promise)) return call(instance, args, context);
      return instance.then((resolved) => call(resolved, args, context));
    },
    takesArguments: takesArguments || single.length > 0,
    parameters: source ?? single,
  };
}
