import { PROMPT, type PromptOptions } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/** Offers the method as a prompt. Wrong use is reported when a layer is built. */
export function Prompt(options?: PromptOptions): MethodRecorder;
/** Offers the method as a prompt of this name. */
export function Prompt(name: string, options?: PromptOptions): MethodRecorder;
export function Prompt(first: string | PromptOptions = {}, rest: PromptOptions = {}): MethodRecorder {
  refuseBare('Prompt()', [first, rest]);
  const options = typeof first === 'string' ? { ...rest, name: first } : first;
  return recordMethod('Prompt', PROMPT, { options });
}
