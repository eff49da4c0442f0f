// A server whose modules print while they load: node ./test/support/register.cjs ./test/support/noisy-fixture.ts '{"guard":true}'
import 'reflect-metadata';
import { McpLayer } from '../../src/index.js';

const { guard } = JSON.parse(process.argv[2] ?? '{}') as { guard?: boolean };

async function main(): Promise<void> {
  if (guard === true) await import('../../src/stdio.js');
  console.log('"banner"');
  const layer = new McpLayer({ name: 'noisy', version: '1.0.0' });
  layer.registry.tool({ name: 'ends' }, () => {
    process.stdout.end('bye');
    return 'still here';
  });
  await layer.serve('stdio');
}

void main();
