// npm run nightly: the tests that make up their input, with as much of it as a night allows: 200,000 messages over HTTP and
// over stdio, 100,000 values for every schema. CARTOUCHE_SEED picks other values; half an hour on two cores.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FUZZERS = ['test/unit/schema/differential', 'test/feature/protocol-fuzz', 'test/feature/http-fuzz'];

const jest = createRequire(import.meta.url).resolve('jest/bin/jest.js');
const { status } = spawnSync(process.execPath, [jest, '--testTimeout', '3600000', ...FUZZERS], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, NIGHTLY: '1' },
  stdio: 'inherit',
});
process.exit(status ?? 1);
