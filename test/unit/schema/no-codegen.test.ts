import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ownCases } from './own-cases.js';

test('where code must not be generated, every case holds all the same', () => {
  const flag = '--disallow-code-generation-from-strings';
  const child = join(__dirname, 'no-codegen-child.cjs');
  const output = execFileSync(process.execPath, [flag, child], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const result = JSON.parse(output.slice(output.indexOf('{"canGenerateCode"'))) as { cases: number };
  expect(result).toEqual({ canGenerateCode: false, cases: expect.any(Number), wrong: [] });
  expect(result.cases).toBeGreaterThanOrEqual(ownCases.length);
}, 60_000);
