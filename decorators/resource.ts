import { RESOURCE, type ResourceOptions } from '../src/core/records.js';
import { type MethodRecorder, recordMethod } from './record-method.js';

/** Serves what the method returns under one URI. Wrong use is reported when a layer is built. */
export function Resource(uri: string, options: ResourceOptions = {}): MethodRecorder {
  return recordMethod('Resource', RESOURCE, { uri, options });
}
