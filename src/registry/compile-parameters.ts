import type { SchemaSource } from '../core/records.js';
import { type ArgumentEntry, compileArgs } from '../schema/arguments.js';
import { type CompiledInput, compileInput, NO_ARGUMENTS, type SchemaOptions } from '../schema/input.js';

/** What describes the arguments of a handler: one class or schema, or each by its name. An empty list takes none. */
export type Parameters = SchemaSource | readonly ArgumentEntry[];

/** What takes no arguments. */
export const NO_PARAMETERS: readonly ArgumentEntry[] = Object.freeze([]);

/**
 * The one place where the arguments of a primitive are compiled, whichever way it came in.
 *
 * @throws {ConfigurationError} When they cannot be used, with every finding.
 */
export function compileParameters(parameters: Parameters, options: SchemaOptions): CompiledInput {
  if (!isList(parameters)) return compileInput(parameters, options);
  return parameters.length === 0 ? NO_ARGUMENTS : compileArgs(parameters, options);
}

function isList(parameters: Parameters): parameters is readonly ArgumentEntry[] {
  return Array.isArray(parameters);
}
