import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');

// `npm test` builds it first; where it is missing these tests fail.
describe('the built package', () => {
  test.each(['cjs', 'mjs'])(
    'as .%s mounts in, and builds, hosts of its own module format',
    async (extension) => {
      const { stdout } = await run(process.execPath, [`test/support/mount/built.${extension}`], { cwd: root });
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
        flavors: {
          native: 'native -',
          sdk: 'lowlevel 2',
          'sdk-v1': 'lowlevel 1',
          'sdk-v2': 'lowlevel 2',
          mcpserver: 'mcpserver 2',
          fastmcp: 'fastmcp 1',
          auto: 'lowlevel 2',
        },
        fastmcp: 'fastmcp',
        sameCopy: true,
        nest: 'function',
        ...(extension === 'mjs' && { refused: expect.stringMatching(/of another copy of its package/) }),
      });
    },
    60_000,
  );
});
