// The server that the official suite is run against. Prints its URL as the first line.
import { createConformanceLayer } from './layer.js';

const serving = await createConformanceLayer().serve('http', {
  port: Number(process.env['PORT'] ?? 0),
  retryMs: 200,
  reconnectAfterMs: 400,
});
process.stdout.write(`${serving.url}\n`);
