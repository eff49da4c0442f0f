import { InvalidArgumentsError } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import type { Params } from '../messages.js';

/** @throws {InvalidArgumentsError} When the parameter is not text. */
export function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new InvalidArgumentsError(`Invalid params: "${name}" must be text.`);
}

/** @throws {InvalidArgumentsError} When the parameter is not an object. */
export function record(params: Params, name: string): Params {
  const value = params[name];
  if (isRecord(value)) return value;
  throw new InvalidArgumentsError(`Invalid params: "${name}" must be an object.`);
}
