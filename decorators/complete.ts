import { COMPLETE } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/**
 * Completes one argument of a prompt, or one variable of a resource template, of the same class. The method receives
 * the text so far and returns the values to offer.
 *
 * @param method The name of the method that is completed for.
 * @param argument The argument's or variable's name.
 */
export function Complete(method: string, argument: string): MethodRecorder {
  refuseBare("Complete('method', 'argument')", [method, argument]);
  return recordMethod('Complete', COMPLETE, { options: {}, method, argument });
}
