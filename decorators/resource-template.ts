import { RESOURCE_TEMPLATE, type ResourceTemplateOptions } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/** Serves what the method returns under every URI that matches the template. Wrong use is reported when a layer is built. */
export function ResourceTemplate(uriTemplate: string, options: ResourceTemplateOptions = {}): MethodRecorder {
  refuseBare("ResourceTemplate('docs://{page}')", [uriTemplate, options]);
  return recordMethod('ResourceTemplate', RESOURCE_TEMPLATE, { uriTemplate, options });
}
