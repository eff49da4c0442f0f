import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedWithIt, PackedApp, root } from '../support/package/packed.js';

const run = promisify(execFile);

const isThere = process.env['CI'] !== undefined || existsSync(join(root, 'node_modules/workerd'));
if (!isThere) process.stderr.write('left out: the worker, because miniflare is not installed. Run npm ci.\n');

// workerd is a binary for each system, which an install may leave out (--omit, an unknown system); where CI is set it must be there.
(isThere ? describe : describe.skip)('in a Cloudflare worker', () => {
  const app = new PackedApp();

  afterAll(() => {
    app.remove();
  });

  test('a layer starts, lists its tools, runs them, and refuses what does not fit', async () => {
    app.install(installedWithIt());
    const program = join(app.compile(join(root, 'test/support/package/worker')), 'worker.mjs');
    const { stdout } = await run(process.execPath, [join(root, 'test/support/package/worker.mjs'), program]);
    expect(JSON.parse(stdout)).toEqual({
      tools: ['order', 'raw'],
      order: '2 at 12',
      refused: 'Invalid arguments: count: must not be greater than 9',
      raw: 'raw',
      rawRefused: expect.stringContaining('Invalid arguments: id: ') as string,
    });
  }, 120_000);
});
