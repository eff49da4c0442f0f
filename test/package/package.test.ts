import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

test('the packed package pleases publint, are-the-types-wrong and both module loaders', () => {
  const report = execFileSync(process.execPath, ['scripts/check-package.mjs'], { cwd: root, encoding: 'utf8' });
  expect(report).toContain('both loaders agree, and the types hold');
}, 120_000);
