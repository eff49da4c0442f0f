import { fileURLToPath } from 'node:url';
import { readCommand, USAGE, type Command } from './command-line.js';

/** Bad usage, states that cannot be loaded, a port that is taken. */
const EXIT_REFUSED = 2;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run({ mode, host, port, estate }: Command): Promise<void> {
  if (mode === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const { createEstateLayer } = await import('./layer.js');
  const layer = await createEstateLayer(estate);
  if (mode === 'stdio') {
    await layer.serve('stdio');
    return;
  }
  const stays = mode === 'http' || process.stdin.isTTY;
  const server = await layer.serve('http', { host, port: port ?? (stays ? 3000 : 0), path: '/mcp' });
  if (mode === 'http') {
    print(`estate is served at ${server.url}`);
    return;
  }
  const { show, showConfigurations } = await import('./show.js');
  await show(server.url, print);
  showConfigurations(server.url, fileURLToPath(new URL('../..', import.meta.url)), print);
  if (stays) print('\nCtrl+C ends it.');
  // Nobody is there to end it: a script, a pipe.
  else await server.close();
}

try {
  await run(readCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_REFUSED;
}
