import { McpServer } from '@modelcontextprotocol/server';
import { layerOf } from '../../support/layers.js';
import { MemoryWire } from '../../support/mount/wire.js';

describe('requests of one session that overtake one another', () => {
  test('keep their own user where a host makes the server once, and says at each request whose it is', async () => {
    const server = new McpServer({ name: 'host', version: '1' });
    const strategy = {
      bindRequestHandlers: (_server: unknown, _session: unknown, _request: unknown): void => undefined,
      createBoundServer: () => server,
      createServer: () => server,
    };
    const layer = layerOf((registry) => registry.tool({ name: 'who' }, (_args, { principal }) => principal.id));
    layer.registerInto(strategy);
    strategy.createServer();
    const wire = new MemoryWire();
    await server.connect(wire.transport);
    await wire.initialize();
    const post = async (user: string, turns: number): Promise<string> => {
      strategy.bindRequestHandlers(server, {}, { headers: {}, user: { sub: user } });
      // A host reads the body, and more, before it hands a message on.
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      const answer = await wire.request('tools/call', { name: 'who', arguments: {} });
      return answer['result'].content[0].text as string;
    };
    expect(await Promise.all([post('ana', 5), post('ben', 1), post('cyd', 3)])).toEqual(['ana', 'ben', 'cyd']);
  });
});
