// The tests that import the source, for mutation testing: one that runs the built package, starts a process or reads the
// source as text cannot see a mutant.
import base from '../../jest.config.js';

const only = (process.env.CARTOUCHE_MUTATION_TESTS ?? '').split(',').filter((path) => path !== '');

export default {
  ...base,
  ...(only.length > 0
    ? { testMatch: only.map((path) => `<rootDir>/${path.endsWith('.test.ts') ? path : `${path}/**/*.test.ts`}`) }
    : {}),
  rootDir: '../..',
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: [
    '/test/(package|conformance|clients|types)/',
    '/test/unit/(import-rules|dead-exports|core/bounds|one-caller|closed-surface|private-members|finding-codes|docs-declare)\\.test',
    '/test/unit/dto\\.test',
    '/test/unit/schema/no-codegen\\.test',
    '/test/feature/(docs|readme|memory|stdout|stray-errors|mount-.*|asking-processes|.*-stdio|http-fuzz|http-stalled)\\.test',
  ],
};
