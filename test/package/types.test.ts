import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedWithIt, PackedApp, root } from '../support/package/packed.js';

const PROGRAMS = ['doors.ts', 'consumer.ts'];

/** Everything is looked into by the compiler that is fast, and what only an old one can do is asked of that. */
const WAYS: readonly (readonly [string, string, object])[] = [
  ['node10', 'typescript-5.9', { module: 'commonjs', moduleResolution: 'node10', skipLibCheck: true }],
  ['node16', 'typescript-7', { module: 'nodenext', skipLibCheck: false }],
];

describe('the declarations in the packed package', () => {
  const app = new PackedApp();

  beforeAll(() => {
    app.install([...installedWithIt(), '@types', '@nestjs', 'rxjs', 'fastmcp']);
    // The user's tsyringe need not be the copy that ours are compiled against.
    app.install({ 'cartouche/node_modules/tsyringe': 'tsyringe-4.8' });
    for (const file of PROGRAMS) copyFileSync(join(root, 'test/types', file), join(app.folder, file));
  });

  afterAll(() => {
    app.remove();
  });

  test.each(WAYS)(
    'resolve every door as %s does, and need no library after ES2021',
    (_, compiler, options) => {
      const common = { noEmit: true, strict: true, target: 'es2021', lib: ['es2021'], types: ['node'] };
      const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
      const compilerOptions = { ...common, ...decorators, ...options };
      writeFileSync(join(app.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: PROGRAMS }));
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd: app.folder, encoding: 'utf8' });
      const errors = stdout.split('\n').filter((line) => line.includes(': error TS') || line.startsWith('error TS'));
      // Whatever the declarations of other packages need is theirs.
      expect(errors.filter((line) => !line.startsWith('../'))).toEqual([]);
    },
    300_000,
  );
});
