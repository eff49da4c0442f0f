// npm run mutation -- PATH…: changes the source of a file or folder in small ways, one at a time, and tells which changes no
// test notices. --every N tries each nth change only, --static also those of code that runs when a module is loaded,
// --workers N runs that many at once, --tests PATH (several) takes the tests of a file or folder instead of all that fit.
// Writes into .mutation/ alone.
import { Stryker } from '@stryker-mutator/core';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isSampled } from './mutation/sample-checker.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = '.mutation';
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError']);
const MISSED = new Set(['Survived', 'NoCoverage']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    static: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
  },
});
const every = Number(values.every);
const paths = positionals.map((path) => relative(ROOT, join(ROOT, path)).split('\\').join('/'));
if (paths.length === 0 || !Number.isSafeInteger(every) || every < 1) {
  console.error('usage: npm run mutation -- PATH… [--every N] [--static] [--workers 1|2]');
  process.exit(2);
}
process.env.CARTOUCHE_MUTATION_EVERY = String(every);
process.env.CARTOUCHE_MUTATION_TESTS = values.tests.join(',');
// The fuzzing tests run for each mutant: fewer inputs.
process.env.CARTOUCHE_FUZZ ??= '1000';
process.chdir(ROOT);
mkdirSync(FOLDER, { recursive: true });

const mutants = await new Stryker({
  mutate: paths.flatMap((path) => (statSync(path).isDirectory() ? [`${path}/**/*.ts`] : [path])),
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner', join(ROOT, 'scripts/mutation/sample-checker.mjs')],
  // Which tests are related is found by coverage: jest's own search does not follow all of our imports.
  jest: { configFile: 'scripts/mutation/jest.config.js', enableFindRelatedTests: false },
  checkers: every > 1 ? ['sample'] : [],
  coverageAnalysis: 'perTest',
  ignoreStatic: !values.static,
  concurrency: Number(values.workers),
  ignorePatterns: ['dist', 'sample-app', 'bench', 'docs', '.build-*', '.readme-*', FOLDER],
  reporters: ['progress-append-only'],
  tempDirName: `${FOLDER}/sandbox`,
  allowConsoleColors: false,
  // On a busy machine tests may take long to load: that is no change that was noticed.
  timeoutMS: 40_000,
}).runMutationTest();

report(mutants.filter((mutant) => isSampled(mutant, every)));

function report(tried) {
  const missed = tried.filter(({ status }) => MISSED.has(status));
  const noticed = tried.filter(({ status }) => NOTICED.has(status));
  const lines = missed.map(describe).sort();
  const share = (100 * noticed.length) / Math.max(1, noticed.length + missed.length);
  const skipped = tried.length - noticed.length - missed.length;
  lines.push(
    `${paths.join(' ')}: ${noticed.length} of ${noticed.length + missed.length} noticed (${share.toFixed(1)} %)` +
      (skipped > 0 ? `, ${skipped} of code that runs at load left out` : ''),
  );
  writeFileSync(join(FOLDER, 'missed.txt'), `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
}

/** Lines and columns of a report begin at 1. */
function describe({ fileName, location: { start, end }, replacement, status }) {
  const file = relative(ROOT, fileName);
  const line = readFileSync(file, 'utf8').split('\n')[start.line - 1] ?? '';
  const was =
    start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} …`;
  const now = replacement.replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${start.line}: ${was} → ${now}${status === 'NoCoverage' ? ' (never run)' : ''}`;
}
