import type { AnySpec } from '../registry/registry.js';
import type { CallState, Stage } from './call-state.js';
import type { ResolvedOptions } from './options.js';
import { admit } from './stages/admit.js';
import { appendLinks } from './stages/append-links.js';
import { capAnswer } from './stages/cap-answer.js';
import { capText } from './stages/cap-text.js';
import { checkOutput } from './stages/check-output.js';
import { confirm } from './stages/confirm.js';
import { invoke } from './stages/invoke.js';
import { normalise } from './stages/normalise.js';
import { stamp } from './stages/stamp.js';
import { transformInput } from './stages/transform-input.js';
import { transformOutput } from './stages/transform-output.js';
import { validate } from './stages/validate.js';

/** The life of a call, after its name was looked up and the middleware let it pass. */
export const STAGES: readonly Stage[] = Object.freeze([
  admit,
  transformInput,
  validate,
  confirm,
  invoke,
  normalise,
  checkOutput,
  transformOutput,
  capText,
  appendLinks,
  capAnswer,
  stamp,
]);

/** The stages that calls of one primitive go through. */
export function stagesFor(spec: AnySpec, options: ResolvedOptions): readonly Stage[] {
  return STAGES.filter((stage) => (stage.only ?? spec.kind) === spec.kind && stage.applies(spec, options));
}

/** Runs stages in order, and as long as none has to wait, without a promise. */
export function runStages(call: CallState, stages: readonly Stage[], from = 0): void | Promise<void> {
  for (let i = from; i < stages.length; i++) {
    const waiting = stages[i]?.run(call);
    if (waiting !== undefined) return waiting.then(() => runStages(call, stages, i + 1));
  }
}
