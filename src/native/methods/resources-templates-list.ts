import { listMethod } from './list-method.js';

/** The resource templates that a caller sees. */
export const resourcesTemplatesList = listMethod('resources/templates/list', 'templates', 'resources');
