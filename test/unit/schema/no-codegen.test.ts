import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { dtoCases } from './dto-cases.js';
import { ownCases } from './own-cases.js';

test('where code must not be generated, every case holds all the same', () => {
  const flag = '--disallow-code-generation-from-strings';
  const child = join(__dirname, 'no-codegen-child.cjs');
  const output = execFileSync(process.execPath, [flag, child], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const cases = ownCases.length + dtoCases.length;
  expect(JSON.parse(output.slice(output.indexOf('{"canGenerateCode"')))).toEqual({
    canGenerateCode: false,
    cases,
    wrong: [],
  });
}, 60_000);
