// The sample of a mutation run, as a checker of Stryker: what is not in the sample is called invalid, so that no test runs
// for it. A mutant is chosen by its number in the source, so the choice is spread evenly and the same every time.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const every = Number(process.env.CARTOUCHE_MUTATION_EVERY ?? 1);

/** Whether a mutant is in a sample of one in `nth`. */
export const isSampled = ({ id }, nth) => Number(id) % nth === 0;

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Checker, 'sample', {
    init: () => Promise.resolve(),
    group: (mutants) => Promise.resolve([mutants.map(({ id }) => id)]),
    check: (mutants) =>
      Promise.resolve(
        Object.fromEntries(
          mutants.map((mutant) => [
            mutant.id,
            isSampled(mutant, every) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
          ]),
        ),
      ),
  }),
];
