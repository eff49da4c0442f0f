import { listMethod } from './list-method.js';

/** The tools that a caller sees. */
export const toolsList = listMethod('tools/list', 'tools', 'tools');
