import { COMPLETE } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/**
 * Completes one argument of a prompt, or one variable of a resource template, of the same class. The method returns
 * the values to offer. Its parameters are bound as everywhere, in any order: a `string` is the text so far, a `ToolContext`
 * the request, an object the arguments that the client already has, `@Arg('name')` one of those. Where no types are
 * emitted they are the text, the context and the arguments.
 *
 * @param method The name of the method that is completed for.
 * @param argument The argument's or variable's name.
 */
export function Complete(method: string, argument: string): MethodRecorder {
  refuseBare("Complete('method', 'argument')", [method, argument]);
  return recordMethod('Complete', COMPLETE, { options: {}, method, argument });
}
