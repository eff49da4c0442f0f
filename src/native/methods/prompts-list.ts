import { listMethod } from './list-method.js';

/** The prompts that a caller sees. */
export const promptsList = listMethod('prompts/list', 'prompts', 'prompts');
