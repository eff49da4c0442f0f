import type { AnyClass } from '../src/core/class.js';
import { define } from '../src/core/metadata.js';
import { SERVICE, type ServiceOptions } from '../src/core/records.js';
import { refuseStandardDecorators } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/**
 * Gives a class's primitives their defaults, says how long an instance lives, and makes the compiler emit the
 * constructor's types, which injection needs.
 */
export function McpService(options: ServiceOptions = {}): (target: AnyClass) => void {
  refuseBare('McpService()', [options], true);
  return (target: AnyClass, ...context: unknown[]) => {
    refuseStandardDecorators('McpService', context[0]);
    define(SERVICE, target, undefined, { ...options });
  };
}
