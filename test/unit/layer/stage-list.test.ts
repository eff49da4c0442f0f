import { STAGES } from '../../../src/layer/stage-list.js';
import { STAGES as RUN } from '../../../src/layer/stages.js';

test('what is shown of the stages is what runs, by name and summary only', () => {
  expect(STAGES).toEqual(RUN.map(({ name, summary }) => ({ name, summary })));
  expect(STAGES.every((stage) => Object.isFrozen(stage))).toBe(true);
});
