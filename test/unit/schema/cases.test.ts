import { sharedData, testWith } from '../../support/shared-data.js';
import { casesIn, dtoOf, type Case } from './case-source.js';
import { problemsOf } from './check-case.js';
import { dtoCases } from './dto-cases.js';
import { ownCases } from './own-cases.js';

const suites = { 'our own cases': ownCases, 'a case for every way to write a field': dtoCases };

for (const [title, cases] of Object.entries(suites)) {
  describe(`${title}: schema, verdicts and values`, () => {
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

const outside = sharedData('schema-cases.ts');

testWith(outside)('the outside copy of the cases says the same', () => {
  expect(casesIn(outside!)).toEqual(dtoCases);
});

describe('a case that is wrong is told', () => {
  const good: Case = {
    name: 'a',
    source: 'class Dto { @IsInt() v: number }',
    expected: { type: 'object', properties: { v: { type: 'integer' } }, required: ['v'], additionalProperties: false },
    accepts: [{ v: 1 }],
    rejects: [{ v: 'x' }],
    coerces: [[{ v: '5' }, { v: 5 }]],
  };

  test.each<[what: string, change: Partial<Case>, problem: RegExp]>([
    ['another schema', { expected: {} }, /^schema /],
    ['accepts what is refused', { accepts: [{ v: 'x' }] }, /^refuses /],
    ['rejects what is accepted', { rejects: [{ v: 1 }] }, /^accepts /],
    ['another value', { coerces: [[{ v: '5' }, { v: 6 }]] }, /^makes /],
    ['a class that builds', { build: 'error' }, /^builds what cannot work/],
  ])('%s', async (_what, change, problem) => {
    expect(await problemsOf(good, true)).toEqual([]);
    expect(await problemsOf({ ...good, ...change }, true)).toEqual([expect.stringMatching(problem)]);
  });

  test('the class of a source is its Dto', () => {
    expect(dtoOf(good.source).name).toBe('Dto');
  });
});
