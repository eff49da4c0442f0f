// A server for tests to start: node ./test/support/register.cjs ./test/support/http-fixture.ts '{"sessions":false}'
// Prints its URL as the first line.
import 'reflect-metadata';
import { STDERR } from './stderr-logger.js';
import { protocolLayer } from './protocol-layer.js';
import { addStrays } from './strays.js';

const layer = protocolLayer({ logger: STDERR });
layer.registry.tool({ name: 'process_id' }, () => process.pid);
addStrays(layer.registry);
void layer.serve('http', { port: 0, ...JSON.parse(process.argv[2] ?? '{}') }).then(({ url }) => {
  process.stdout.write(`${url}\n`);
});
