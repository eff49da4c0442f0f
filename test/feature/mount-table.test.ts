import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CALLER_CHECKS } from '../support/mount/callers.js';
import { CHECKS } from '../support/mount/checks.js';

interface Cell {
  readonly host: string;
  readonly check: string;
  readonly outcome: string;
  readonly text: string;
}

const run = promisify(execFile);

/** In processes of their own, as ES modules: fastmcp is nothing that jest's CommonJS can load, and hosts patch classes. */
async function table(group: string): Promise<readonly Cell[]> {
  const { stdout } = await run(process.execPath, ['scripts/mount-table.mjs', '--json', group], {
    maxBuffer: 2 ** 26,
  }).catch((error: unknown) => error as { stdout: string });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Cell[];
}

describe('the table of the contract, measured against every host', () => {
  test.each([
    ['native', 4, CALLER_CHECKS],
    ['sdk', 24, CHECKS],
    ['fastmcp', 3, CHECKS],
    ['mcp-nest', 3, CHECKS],
  ])(
    'has no blank and no broken cell for %s, from ES modules to both copies of the host',
    async (group, hosts, checks) => {
      const cells = await table(group);
      expect(cells.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
      expect(cells).toHaveLength(hosts * checks.length);
      expect(cells.filter(({ outcome, text }) => outcome === 'note' && text === '')).toEqual([]);
    },
    120_000,
  );
});
