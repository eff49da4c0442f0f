import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { McpLayer, type Policy, Registry } from 'cartouche';
import { MemoryLogger } from '../../support/mount/layer.js';
import { HttpWire, MemoryWire, type Message, settled } from '../../support/mount/wire.js';

const INFO = { name: 'host', version: '1' };
const tool = (name: string): Message => ({ name, inputSchema: { type: 'object' } });
const names = (answer: Message): string[] => answer['result'].tools.map(({ name }: Message) => name as string);

function layerWith(tools: readonly string[], policy?: Policy): McpLayer {
  const registry = new Registry();
  for (const name of tools) registry.tool({ name }, () => `layer ${name}`);
  return new McpLayer({ name: 'x', version: '1', registry, logger: new MemoryLogger(), ...(policy && { policy }) });
}

async function connected(server: Server): Promise<MemoryWire> {
  const wire = new MemoryWire();
  await server.connect(wire.transport);
  await wire.initialize();
  return wire;
}

const called = async (wire: MemoryWire, name: string): Promise<unknown> =>
  (await wire.request('tools/call', { name, arguments: {} }))['result'].content[0].text;

/** A low-level host whose list of tools is what `pages` says now. */
function host(pages: () => Record<string, Message>): Server {
  const server = new Server(INFO, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', ({ params }) => pages()[params?.cursor ?? 'first'] as never);
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `host ${params.name}` }],
  }));
  return server;
}

describe('a hint by which a host lets anybody keep its list', () => {
  const hinted = { ttlMs: 60_000, cacheScope: 'public' };
  const closed: Policy = { name: 'closed', scopeOf: () => '', decide: () => ({ allowed: true }) };

  test.each<[what: string, tools: readonly string[], policy: Policy | undefined, hint: object]>([
    ['is kept where ours is everybody’s', ['own'], undefined, hinted],
    ['is not kept where ours depends on who asks', ['own'], closed, { ttlMs: 0, cacheScope: 'private' }],
  ])('%s', async (_what, tools, policy, hint) => {
    const layer = layerWith(tools, policy);
    const make = (): Server => {
      const server = new Server(INFO, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [tool('theirs')], ...hinted }) as never);
      return server;
    };
    const handler = createMcpHandler(layer.factory(make));
    const wire = new HttpWire('modern', (request) => handler.fetch(request));
    const answer = await wire.request('tools/list');
    expect(names(answer)).toEqual(['theirs', 'own']);
    expect(answer['result']).toMatchObject(hint);
  });
});

describe('what a host has', () => {
  test('is all of its pages: the last one alone is not taken for the whole', async () => {
    const server = host(() => ({ first: { tools: [tool('early')], nextCursor: 'p2' }, p2: { tools: [tool('late')] } }));
    layerWith(['early', 'late', 'own']).registerInto(server);
    const wire = await connected(server);
    expect(names(await wire.request('tools/list', { cursor: 'p2' }))).toEqual(['late', 'own']);
    expect([await called(wire, 'early'), await called(wire, 'late'), await called(wire, 'own')]).toEqual([
      'host early',
      'host late',
      'layer own',
    ]);
  });

  test('is what its newest whole list says: what it gave up is ours to serve', async () => {
    let tools = [tool('a'), tool('b')];
    const server = host(() => ({ first: { tools } }));
    layerWith(['a', 'b', 'c']).registerInto(server);
    const wire = await connected(server);
    expect(names(await wire.request('tools/list'))).toEqual(['a', 'b', 'c']);
    expect(await called(wire, 'a')).toBe('host a');
    tools = [tool('b')];
    expect(names(await wire.request('tools/list'))).toEqual(['b', 'a', 'c']);
    expect([await called(wire, 'a'), await called(wire, 'b')]).toEqual(['layer a', 'host b']);
    tools = [tool('a'), tool('b')];
    await server.sendToolListChanged();
    expect(await called(wire, 'a')).toBe('host a');
  });
});

describe('changes of a mounted layer', () => {
  const told = (wire: MemoryWire): string[] => wire.notifications.map(({ method }) => method as string);
  const change = async (layer: McpLayer, wire: MemoryWire): Promise<string[]> => {
    wire.notifications.length = 0;
    layer.notifyChange('tools');
    await settled();
    return told(wire);
  };

  test('are told until it is taken out', async () => {
    const server = host(() => ({ first: { tools: [] } }));
    const [layer, other] = [layerWith(['a']), layerWith(['b'])];
    const binding = layer.registerInto(server);
    other.registerInto(server);
    const wire = await connected(server);
    expect(await change(layer, wire)).toEqual(['notifications/tools/list_changed']);
    binding.unmount();
    expect(await change(layer, wire)).toEqual([]);
    expect(await change(other, wire)).toEqual(['notifications/tools/list_changed']);
  });

  test('are not told where the mount says so, though the host has the capability', async () => {
    const server = host(() => ({ first: { tools: [] } }));
    const [silent, loud] = [layerWith(['a']), layerWith(['b'])];
    silent.registerInto(server, { listChanged: false });
    loud.registerInto(server);
    const wire = await connected(server);
    expect(await change(silent, wire)).toEqual([]);
    expect(await change(loud, wire)).toEqual(['notifications/tools/list_changed']);
  });
});
