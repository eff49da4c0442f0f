import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedWithIt, PackedApp, root } from '../support/package/packed.js';

const run = promisify(execFile);

/** What the program of each door prints, whoever bundled it. */
const SAID: Readonly<Record<string, unknown>> = {
  index: {
    order: '2 to Rome at 12',
    refused: 'Invalid arguments: count: must not be greater than 9',
    change: '{"count":1}',
    raw: 'raw',
    rawRefused: 'Invalid arguments: id: expected string',
    draft7: 'draft7',
    http: true,
    native: 'native',
    sdk: "buildServer 'sdk-v1': '@modelcontextprotocol/sdk' is not installed. Run npm install @modelcontextprotocol/sdk. [CT702]",
    fastmcp: "buildServer 'fastmcp': 'fastmcp' is not installed. Run npm install fastmcp. [CT702]",
    ai: "toAiSdkTools: 'ai' is not installed. Run npm install ai. [CT702]",
  },
  native: { lists: ['hi'], era: 'modern' },
  dto: {
    booked: { result: '2 for a@example.com' },
    refused: 'Invalid arguments: seats: must not be greater than 9; guest.guest-email: must be an email',
  },
  stdio: { guarded: true },
  testing: { double: { result: 4 }, refusal: 'ToolFailure' },
  fastmcp: { kind: 'fastmcp', built: 'fastmcp' },
  nest: { hi: 'hi' },
};

/** Each with in how many ways it bundles. */
const ALL: readonly (readonly [string, number])[] = [
  ['esbuild', 34],
  ['rolldown', 34],
  ['rollup', 18],
  ['webpack', 34],
];
// Its minifier alone takes two minutes and a half: longer than everything else that is tested.
const LEFT_OUT: readonly string[] = process.env['CI'] === undefined ? ['webpack'] : [];
const BUNDLERS = ALL.filter(([name]) => !LEFT_OUT.includes(name));
if (LEFT_OUT.length > 0)
  process.stderr.write(`left out: bundles by ${LEFT_OUT.join(', ')}. Set CI=true to make them.\n`);

describe('bundled without a word about the package', () => {
  const app = new PackedApp();
  // Away from every node_modules: what is not in a bundle is not there.
  const target = mkdtempSync(join(tmpdir(), 'cartouche-bundles-'));
  let sources: string;

  beforeAll(() => {
    app.install([...installedWithIt(), '@nestjs/common', '@nestjs/core']);
    sources = app.compile(join(root, 'test/support/package/doors'));
  });

  afterAll(() => {
    app.remove();
    rmSync(target, { recursive: true, force: true });
  });

  test.each(BUNDLERS)(
    'every door says by %s what it says without, in %d ways to bundle and run it',
    async (bundler, ways) => {
      const own = join(target, bundler);
      mkdirSync(join(own, 'fastmcp', 'node_modules'), { recursive: true });
      symlinkSync(join(root, 'node_modules', 'fastmcp'), join(own, 'fastmcp', 'node_modules', 'fastmcp'));
      const script = join(root, 'test/support/package/bundle.mjs');
      const { stdout } = await run(process.execPath, [script, bundler, sources, own], { maxBuffer: 64 * 2 ** 20 });
      const reports = JSON.parse(stdout) as Record<string, unknown>;
      const expected = Object.keys(reports).map((name) => [name, SAID[name.split(':')[0] as string]]);
      expect(reports).toEqual(Object.fromEntries(expected));
      expect(expected).toHaveLength(ways);
    },
    600_000,
  );
});
