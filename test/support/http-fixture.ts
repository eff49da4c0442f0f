// A server for tests to start: node ./test/support/register.cjs ./test/support/http-fixture.ts '{"sessions":false}'
// Prints its URL as the first line.
import 'reflect-metadata';
import { protocolLayer } from './protocol-layer.js';

const layer = protocolLayer();
layer.registry.tool({ name: 'process_id' }, () => process.pid);
void layer.serve('http', { port: 0, ...JSON.parse(process.argv[2] ?? '{}') }).then(({ url }) => {
  process.stdout.write(`${url}\n`);
});
