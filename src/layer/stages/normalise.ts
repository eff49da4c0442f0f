import { describeThrown } from '../../core/describe-thrown.js';
import { isLayerError, UnsendableError } from '../../core/errors.js';
import type { CallState, Stage } from '../call-state.js';

/** Makes an answer of whatever the handler returned. What an author's getters and `toJSON` throw on the way goes to the log. */
export const normalise: Stage = {
  name: 'normalise',
  summary: 'whatever was returned becomes an answer',
  applies: () => true,
  run(call) {
    try {
      call.result = call.rules.toAnswer(call);
    } catch (error) {
      if (!isLayerError(error)) throw unreadable(call, error);
      if (error.cause !== undefined) logged(call, error.cause);
      throw error;
    }
  },
};

/** Why a value is not sent that throws when it is looked at; what it threw goes to the log. */
export function unreadable(call: CallState, cause: unknown): UnsendableError {
  logged(call, cause);
  return new UnsendableError('the value: threw when it was read', { path: '', problem: 'threw when it was read' });
}

function logged({ errorId, kind, name, runtime }: CallState, cause: unknown): void {
  runtime.options.logger.error(`${kind} ${name}: its result cannot be read`, { errorId, ...describeThrown(cause) });
}
