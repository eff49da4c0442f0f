import { listMethod } from './list-method.js';

/** The resources that a caller sees. */
export const resourcesList = listMethod('resources/list', 'resources', 'resources');
