// node bundle.mjs BUNDLER SOURCES TARGET: bundles every program in SOURCES as bundlers do without options, whole and
// minified, from and into both module formats, runs what came of it in TARGET, and prints what each said.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const [bundler, sources, target] = process.argv.slice(2);
const run = promisify(execFile);

// fastmcp imports packages of which its users need not have any (effect, sury), so no bundler takes it without a list;
// whatever loads it has to load the same copy.
const externals = (door) => (door === 'fastmcp' ? ['fastmcp'] : []);

const BUNDLERS = {
  async esbuild({ input, output, format, minify, external }) {
    const { build } = await import('esbuild');
    const options = { entryPoints: [input], outfile: output, bundle: true, platform: 'node', logLevel: 'silent' };
    await build({ ...options, format, minify, external });
  },
  async rolldown({ input, output, format, minify, external }) {
    const { build } = await import('rolldown');
    await build({
      input,
      external,
      platform: 'node',
      onLog: refuse,
      output: { file: output, format, minify, codeSplitting: false },
    });
  },
  async rollup({ input, output, format, minify, external }) {
    const { rollup } = await import('rollup');
    const { transform } = await import('esbuild');
    const plugin = async (name, options) => (await import(`@rollup/plugin-${name}`)).default(options);
    const plugins = [await plugin('node-resolve', { preferBuiltins: true }), await plugin('commonjs')];
    plugins.push(await plugin('json'));
    if (minify)
      plugins.push({ name: 'minify', renderChunk: (code) => transform(code, { minify: true, sourcefile: input }) });
    const bundle = await rollup({ input, external, plugins, onLog: refuse });
    await bundle.write({ file: output, format, inlineDynamicImports: true });
  },
  async webpack({ input, output, format, minify, external }) {
    const { default: webpack } = await import('webpack');
    const type = format === 'esm' ? 'module' : 'commonjs2';
    const compiler = webpack({
      mode: 'production',
      target: 'node20',
      entry: input,
      devtool: false,
      externals: Object.fromEntries(
        external.map((name) => [name, `${format === 'esm' ? 'module' : 'commonjs'} ${name}`]),
      ),
      output: { path: resolve(output, '..'), filename: basename(output), library: { type }, module: format === 'esm' },
      experiments: { outputModule: format === 'esm' },
      optimization: { minimize: minify, splitChunks: false },
      plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    });
    const stats = await new Promise((done, fail) => compiler.run((error, made) => (error ? fail(error) : done(made))));
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    const told = [...errors, ...warnings.filter(({ message }) => !/size limit|performance/i.test(message))];
    if (told.length > 0) throw new Error(told.map(({ message }) => message).join('\n'));
  },
};

/** What was not found is left out of the bundle, and that is a warning in these two. */
function refuse(level, log) {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
}

const reports = {};
for (const source of readdirSync(sources)) {
  const door = source.split('.')[0];
  const from = source.endsWith('.mjs') ? 'esm' : 'cjs';
  // Rollup runs every ES module before any CommonJS, and so tsyringe's before the reflect-metadata it asks for.
  if (bundler === 'rollup' && from === 'cjs') continue;
  for (const format of from === 'esm' && door === 'index' ? ['esm', 'cjs'] : [from]) {
    for (const minify of from === format ? [false, true] : [false]) {
      const name = `${door}: ${from}${from === format ? '' : ` into ${format}`}${minify ? ', minified' : ''}`;
      const file = `${name.replaceAll(/[ ,:]+/g, '-')}.${format === 'esm' ? 'mjs' : 'cjs'}`;
      const output = join(target, door, file);
      try {
        await BUNDLERS[bundler]({ input: join(sources, source), output, format, minify, external: externals(door) });
        reports[name] = JSON.parse((await run(process.execPath, [output])).stdout);
        if (door !== 'index') continue;
        const flags = ['--disallow-code-generation-from-strings'];
        reports[`${name}, without code generation`] = JSON.parse(
          (await run(process.execPath, [...flags, output])).stdout,
        );
      } catch (error) {
        reports[name] = String(error.stack ?? error);
      }
    }
  }
}
process.stdout.write(`${JSON.stringify(reports)}\n`, () => process.exit(0));
