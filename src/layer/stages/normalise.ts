import type { Stage } from '../call-state.js';

/** Makes an answer of whatever the handler returned. */
export const normalise: Stage = {
  name: 'normalise',
  summary: 'whatever was returned becomes an answer',
  applies: () => true,
  run(call) {
    call.result = call.rules.toAnswer(call);
  },
};
