import { ToolError } from '../../core/errors.js';
import type { ToolStage } from '../call-state.js';

/** Consent is all that is asked for: the form has no fields. */
const CONSENT = Object.freeze({ type: 'object', properties: Object.freeze({}) });

/** Asks the person before a tool runs that wants it so. */
export const confirm: ToolStage = {
  name: 'confirm',
  summary: 'the person is asked, where the tool wants that',
  only: 'tool',
  applies: (spec) => spec.confirm !== undefined,
  async run(call) {
    const { confirm: questionFor, name } = call.found().spec;
    if (questionFor === undefined) return;
    const { asker, metaPrefix } = call;
    if (call.runtime.options.confirmWithoutClient === 'proceed' && !asker.can('form')) return;
    const key = `${metaPrefix}confirm`;
    const question = { form: CONSENT, message: questionFor(call.value), proof: true };
    const answer = (await asker.ask({ [key]: question }))[key];
    const action = answer?.action;
    if (action === 'accept') return;
    const how = action === 'decline' ? 'declined' : 'closed the question';
    throw new ToolError(`${name} was not run: the person who was asked to confirm it ${how}.`, { action });
  },
};
