import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `scripts/conformance.mjs --json` writes for one requirement set. */
interface Verdict {
  requirements: string;
  scored: number;
  passed: number;
  problems: string[];
}

describe('the official conformance suite', () => {
  let verdicts: Verdict[];
  let output: string;

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
    const file = join(folder, 'verdicts.json');
    const { stdout, stderr } = spawnSync(process.execPath, ['scripts/conformance.mjs', '--json', file], {
      encoding: 'utf8',
    });
    output = stdout + stderr;
    verdicts = JSON.parse(readFileSync(file, 'utf8')) as Verdict[];
    rmSync(folder, { recursive: true, force: true });
  }, 240_000);

  it('runs both requirement sets whole', () => {
    expect(verdicts.map(({ requirements, scored, passed }) => [requirements, scored, passed])).toEqual([
      ['2025-11-25', 30, 30],
      ['2026-07-28', 37, 37],
    ]);
  });

  it('passes every scored scenario', () => {
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('makes the server complain of nothing', () => {
    expect(output).not.toContain('The server complained');
  });
});
