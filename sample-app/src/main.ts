import { fileURLToPath } from 'node:url';
import { readCommand, USAGE, type Command } from './command-line.js';

/** Bad usage, states that cannot be loaded, a port that is taken. */
const EXIT_REFUSED = 2;

async function run({ mode, host, port, estate }: Command, args: readonly string[]): Promise<void> {
  if (mode === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  if (mode === 'show') {
    const { show } = await import('./show.js');
    await show(fileURLToPath(import.meta.url), ['--stdio', ...args], (line) => process.stdout.write(`${line}\n`));
    return;
  }
  const { createEstateLayer } = await import('./layer.js');
  const layer = await createEstateLayer(estate);
  if (mode === 'stdio') {
    await layer.serve('stdio');
  } else {
    const server = await layer.serve('http', { host, port, path: '/mcp' });
    process.stdout.write(`estate is served at ${server.url}\n`);
  }
}

const args = process.argv.slice(2);
try {
  await run(readCommand(args), args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_REFUSED;
}
