import { hasMethods, isObject, type OptionCheck } from '../core/check-options.js';
import { ALLOW_ALL, type Policy } from '../core/ports.js';
import type { PolicyDocument } from '../policy/document.js';
import { DocumentPolicy } from '../policy/document-policy.js';

/** What may be given for a policy: one, a document, or the path of one in YAML or JSON. */
export type PolicyOption = Policy | PolicyDocument | string;

const isPort = hasMethods('decide', 'scopeOf');

/** What has a method is meant to be a policy; what is wrong with a document is said when it is read. */
export const policyProblem: OptionCheck = (value) => {
  if (typeof value === 'string') return undefined;
  return isObject(value) ?? (isDocument(value as object) ? undefined : isPort(value));
};

/** @throws {ConfigurationError} With everything that is wrong with a document. */
export function policyOf(option: PolicyOption | undefined): Policy {
  if (option === undefined) return ALLOW_ALL;
  return typeof option === 'string' || isDocument(option) ? DocumentPolicy.load(option) : option;
}

/** A document is data: no method in it, nor in its class. */
function isDocument(value: object): value is PolicyDocument {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  return isPlain && !Object.values(value).some((each) => typeof each === 'function');
}
