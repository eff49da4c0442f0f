import { fileURLToPath } from 'node:url';
import { readCommand, USAGE, type Command } from './command-line.js';
import { createEstateLayer } from './layer.js';
import { show } from './show.js';

/** Bad usage and states that cannot be loaded. */
const EXIT_USAGE = 2;

async function run({ mode, host, port, estate }: Command, args: readonly string[]): Promise<void> {
  switch (mode) {
    case 'help':
      process.stdout.write(USAGE);
      return;
    case 'stdio': {
      const layer = await createEstateLayer(estate);
      await layer.serve('stdio');
      return;
    }
    case 'http': {
      const layer = await createEstateLayer(estate);
      const server = await layer.serve('http', { host, port, path: '/mcp' });
      process.stdout.write(`estate is served at ${server.url}\n`);
      return;
    }
    case 'show':
      await show(fileURLToPath(import.meta.url), ['--stdio', ...args], (line) => process.stdout.write(`${line}\n`));
  }
}

const args = process.argv.slice(2);
try {
  await run(readCommand(args), args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_USAGE;
}
