import { RESOURCE, type ResourceOptions } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';
import { refuseBare } from './refuse-bare.js';

/** Serves what the method returns under one URI. Wrong use is reported when a layer is built. */
export function Resource(uri: string, options: ResourceOptions = {}): MethodRecorder {
  refuseBare("Resource('docs://guide')", [uri, options]);
  return recordMethod('Resource', RESOURCE, { uri, options });
}
