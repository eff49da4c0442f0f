import { sharedCases } from './case-source.js';
import { problemsOf } from './check-case.js';
import { ownCases } from './own-cases.js';

const suites = { 'our own cases': ownCases, 'the shared cases': sharedCases() };

for (const [title, cases] of Object.entries(suites)) {
  describe(`${title}: schema, verdicts and values`, () => {
    test('are read', () => {
      expect(Array.isArray(cases)).toBe(true);
    });
    for (const testCase of cases) {
      test(testCase.name, async () => {
        expect({
          compiled: await problemsOf(testCase, true),
          slowPath: await problemsOf(testCase, false),
        }).toEqual({ compiled: [], slowPath: [] });
      });
    }
  });
}
