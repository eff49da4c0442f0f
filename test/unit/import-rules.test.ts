import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(__dirname, '../..');
const run = promisify(execFile);

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[];
    readonly totalCruised: number;
  };
}

async function cruise(...folders: string[]): Promise<Report['summary']> {
  const bin = resolve(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [bin, '--config', 'test/unit/import-rules.cruiser.cjs', '--output-type', 'json', ...folders];
  // The exit code counts violations; the report is on stdout either way.
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 64 * 2 ** 20 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return (JSON.parse(stdout) as Report).summary;
}

test('imports run the way the table says, without cycles', async () => {
  const { violations, totalCruised } = await cruise('src', 'decorators', 'providers', 'sample-app/src');
  expect(violations.map(({ rule, from }) => `${from}: ${rule.name}`)).toEqual([]);
  expect(totalCruised).toBeGreaterThan(40);
}, 60_000);

test('a planted import from the floor into the layer breaks the rules', async () => {
  const planted = resolve(root, `src/core/planted-${process.pid}.ts`);
  writeFileSync(
    planted,
    "import { ConfigurationError } from '../layer/options.js';\nexport const planted = ConfigurationError;\n",
  );
  try {
    const { violations } = await cruise('src/core');
    expect(violations.map(({ rule }) => rule.name)).toContain('imports of src/core');
  } finally {
    rmSync(planted);
  }
}, 60_000);
