import { TOOL, type ToolOptions } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/** Offers the method to agents as a tool. Wrong use is reported when a layer is built. */
export function Tool(options?: ToolOptions): MethodRecorder;
/** Offers the method to agents as a tool of this name. */
export function Tool(name: string, options?: ToolOptions): MethodRecorder;
export function Tool(first: string | ToolOptions = {}, rest: ToolOptions = {}): MethodRecorder {
  refuseBare('Tool()', [first, rest]);
  const options = typeof first === 'string' ? { ...rest, name: first } : first;
  return recordMethod('Tool', TOOL, { options });
}
