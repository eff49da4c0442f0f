// Packs the package and looks at the tarball as its users' tools will: publint, are-the-types-wrong, and both loaders.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cartouche-pack-'));

function run(command, args, cwd = root) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}\n${stdout}${stderr}`);
  return stdout;
}

try {
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]),
  );
  const stray = files
    .map(({ path }) => path)
    .filter(
      (path) => !/^(dist|docs|src|decorators|providers)\/|^(bench\/README|[^/]+)\.(md|json)$|^LICENSE$/.test(path),
    );
  if (stray.length > 0) throw new Error(`files that do not belong in the package: ${stray.join(', ')}`);
  const tarball = join(folder, filename);
  run(process.execPath, ['node_modules/publint/src/cli.js', 'run', tarball, '--strict']);
  run(process.execPath, [
    'node_modules/@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--no-color',
    '--no-definitely-typed',
  ]);

  // What npm would install, with this checkout's dependencies beside it: no network is needed.
  const modules = join(folder, 'app', 'node_modules');
  mkdirSync(modules, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', folder]);
  symlinkSync(join(folder, 'package'), join(modules, 'cartouche'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'package', 'node_modules'));
  const program = 'new McpLayer({ name: "app", version: "1.0.0" }).toolsWire().length === 0 || process.exit(1)';
  writeFileSync(join(folder, 'app', 'a.mjs'), `import { McpLayer } from 'cartouche';\n${program};\n`);
  writeFileSync(join(folder, 'app', 'b.cjs'), `const { McpLayer } = require('cartouche');\n${program};\n`);
  for (const file of ['a.mjs', 'b.cjs']) run(process.execPath, [file], join(folder, 'app'));

  // The types under the oldest, our own and the newest compiler, as an ES module and as CommonJS.
  const consumer = readFileSync(join(root, 'test/types/consumer.ts'));
  for (const file of ['consumer.mts', 'consumer.cts']) writeFileSync(join(folder, 'app', file), consumer);
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--experimentalDecorators',
    '--emitDecoratorMetadata',
  ];
  symlinkSync(join(root, 'node_modules/@types'), join(modules, '@types'));
  for (const compiler of ['typescript-5.9', 'typescript', 'typescript-7']) {
    run(
      process.execPath,
      [join(root, 'node_modules', compiler, 'bin/tsc'), ...flags, '--skipLibCheck', 'consumer.mts', 'consumer.cts'],
      join(folder, 'app'),
    );
  }
  process.stdout.write(
    `${filename}: ${files.length} files, publint, are-the-types-wrong and both loaders agree, and the types hold under TypeScript 5.9, 6 and 7\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
