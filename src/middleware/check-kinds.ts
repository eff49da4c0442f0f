import { isNames, type OptionCheck } from '../core/check-options.js';
import { CALL_KINDS, type CallKind } from '../core/middleware.js';

/** A list of kinds of requests. */
export const isKinds: OptionCheck = (value) => {
  const problem = isNames(value);
  if (problem !== undefined) return problem;
  const unknown = (value as CallKind[]).find((kind) => !CALL_KINDS.includes(kind));
  return unknown === undefined ? undefined : `knows no '${unknown}'. Use ${CALL_KINDS.join(', ')}`;
};
