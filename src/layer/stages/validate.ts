import type { Stage } from '../call-state.js';

/** Checks the arguments and converts them to what the handler declares. */
export const validate: Stage = {
  name: 'validate',
  summary: 'arguments become checked DTO instances',
  applies: (spec) => 'input' in spec && spec.input !== undefined,
  run(call) {
    if (call.completion !== undefined) return;
    const { spec } = call.found();
    if (!('input' in spec) || spec.input === undefined) return;
    const { validationLimits } = call.runtime.options;
    const input = validationLimits === undefined ? spec.input : spec.input.withLimits(validationLimits);
    const checked = input.validate(call.value);
    if (checked instanceof Promise) {
      return checked.then((value: unknown) => {
        call.value = value;
      });
    }
    call.value = checked;
  },
};
