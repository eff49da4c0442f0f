// A server for tests to start: node ./test/support/register.cjs ./test/support/stdio-fixture.ts '{"graceMs":100}'
import 'reflect-metadata';
import { createServer } from 'node:net';
import { McpService } from '../../decorators/service.js';
import { Tool } from '../../decorators/tool.js';
import { protocolLayer } from './protocol-layer.js';
import { STDERR } from './stderr-logger.js';
import { addStrays } from './strays.js';

/** Keeps the process alive with everything that can, and says when it is started and stopped. */
@McpService()
class Ticker {
  #timer: NodeJS.Timeout | undefined;

  onStart(): void {
    this.#timer = setInterval(() => {}, 1000);
    createServer().listen(0, '127.0.0.1');
    console.log('onStart');
  }

  onStop(): void {
    clearInterval(this.#timer);
    process.stderr.write('onStop\n');
  }

  @Tool({ name: 'process_id' })
  processId(): number {
    return process.pid;
  }
}

const layer = protocolLayer({ services: [Ticker], logger: STDERR, maxOutputChars: 2 ** 30 });
addStrays(layer.registry);
start(layer.serve('stdio', JSON.parse(process.argv[2] ?? '{}')));

/** The fixture is compiled to CommonJS, which has no await at the top. */
function start(serving: Promise<unknown>): void {
  serving.catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
}
