// npm run conformance: runs the official suite against test/conformance/server.ts, for both requirement sets, and fails on
// any scored scenario that fails. `--json FILE` also writes what was found.
import { writeFileSync } from 'node:fs';
import { runRequirements } from './conformance/run-suite.mjs';
import { startFixtureServer } from './conformance/fixture-server.mjs';
import { judge } from './conformance/judge.mjs';
import { table } from './conformance/report.mjs';

const SETS = ['2025-11-25', '2026-07-28'];

const server = await startFixtureServer();
const verdicts = [];
try {
  for (const requirements of SETS) {
    verdicts.push(judge(await runRequirements(requirements, server.url)));
  }
} finally {
  await server.stop();
}
process.stdout.write(verdicts.map(table).join('\n'));
const jsonAt = process.argv.indexOf('--json');
if (jsonAt > 0) writeFileSync(process.argv[jsonAt + 1], JSON.stringify(verdicts, null, 1));
process.exitCode = verdicts.every(({ ok }) => ok) && server.complaints() === '' ? 0 : 1;
if (server.complaints() !== '') process.stdout.write(`\nThe server complained:\n${server.complaints()}`);
