import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  SubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { sampleLayer } from '../../support/mount/layer.js';
import { MemoryWire, type Message, settled } from '../../support/mount/wire.js';

const INFO = { name: 'host', version: '1' };

async function connected(server: { connect(transport: never): Promise<void> }): Promise<MemoryWire> {
  const wire = new MemoryWire();
  await server.connect(wire.transport as never);
  await wire.initialize();
  return wire;
}

const names = (answer: Message, key = 'tools'): string[] =>
  answer['result'][key].map(({ name }: Message) => name as string);

describe('a host that pages its lists', () => {
  const PAGES: Record<string, Message> = {
    first: { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: 'p2' },
    p2: { tools: [{ name: 'shared', inputSchema: { type: 'object' } }] },
  };

  test('keeps its pages and cursors; ours follow on the last page, without the names of any page', async () => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', ({ params }) => PAGES[params?.cursor ?? 'first'] as never);
    server.setRequestHandler('tools/call', ({ params }) => ({
      content: [{ type: 'text', text: `host ${params.name}` }],
    }));
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    expect((await wire.request('tools/list'))['result']).toEqual(PAGES['first']);
    const last = names(await wire.request('tools/list', { cursor: 'p2' }));
    expect(last[0]).toBe('shared');
    expect(last.filter((name) => name === 'shared')).toHaveLength(1);
    expect(last).toContain('echo');
    const called = await wire.request('tools/call', { name: 'shared', arguments: {} });
    expect(called['result'].content[0].text).toBe('host shared');
  });

  test('without an end is asked a thousand times, and no more', async () => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    let asked = 0;
    server.setRequestHandler('tools/list', () => ({ tools: [], nextCursor: String(++asked) }));
    const { layer, logger } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    const called = await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect(called['result'].content[0].text).toBe('layer:x');
    expect(asked).toBe(1000);
    expect(logger.lines).toEqual([expect.stringMatching(/list of tools has no end/)]);
  });
});

describe('a host that fails', () => {
  test('in its list handler answers for its lists; our tools can be called, with one warning', async () => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => {
      throw new Error('the database is down');
    });
    const { layer, logger } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    expect((await wire.request('tools/list'))['error'].message).toBe('the database is down');
    for (let i = 0; i < 3; i++) {
      const called = await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
      expect(called['result'].content[0].text).toBe('layer:x');
    }
    expect(logger.lines).toEqual([expect.stringMatching(/the host failed to list its tools/)]);
  });

  test('by closing while a call runs aborts the call', async () => {
    const server = new ServerV1(INFO, { capabilities: {} });
    const { layer, probe } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    const aborted = new Promise<void>((resolve) => {
      probe.aborted = resolve;
    });
    const started = new Promise<void>((resolve) => {
      probe.started = resolve;
    });
    void wire.request('tools/call', { name: 'slow', arguments: {} });
    await started;
    await server.close();
    await aborted;
  });

  test('an exception in our tool never falls through to the host', async () => {
    const server = new McpServer(INFO);
    const called = jest.fn();
    server.server.registerCapabilities({ tools: {} });
    server.server.setRequestHandler('tools/call', called);
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    const boom = await wire.request('tools/call', { name: 'boom', arguments: {} });
    expect(boom['result'].isError).toBe(true);
    expect(called).not.toHaveBeenCalled();
  });
});

describe('a gateway with a fallback handler', () => {
  test.each([
    ['1.x', () => new ServerV1(INFO, { capabilities: { tools: {} } })],
    ['2.x', () => new Server(INFO, { capabilities: { tools: {} } })],
  ])('of SDK %s keeps its lists and calls', async (_sdk, make) => {
    const server = make();
    server.fallbackRequestHandler = ({ method, params }: Message) => {
      if (method === 'tools/list')
        return Promise.resolve({ tools: [{ name: 'far', inputSchema: { type: 'object' } }] });
      if (method === 'tools/call') return Promise.resolve({ content: [{ type: 'text', text: `far ${params.name}` }] });
      return Promise.reject(Object.assign(new Error('Method not found'), { code: -32601 }));
    };
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    expect(names(await wire.request('tools/list')).slice(0, 2)).toEqual(['far', 'odd']);
    const far = await wire.request('tools/call', { name: 'far', arguments: {} });
    expect(far['result'].content[0].text).toBe('far far');
    expect(names(await wire.request('prompts/list'), 'prompts')).toEqual(['greet']);
  });
});

describe('a tool that the host has disabled', () => {
  test.each([
    ['1.x', () => new McpServerV1(INFO)],
    ['2.x', () => new McpServer(INFO)],
  ])('in SDK %s stays the host’s: neither listed as ours nor answered by us', async (_sdk, make) => {
    const server = make() as McpServer;
    server.registerTool('shared', {}, () => ({ content: [] })).disable();
    server.registerTool('other', {}, () => ({ content: [] }));
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    expect(names(await wire.request('tools/list'))).not.toContain('shared');
    expect(JSON.stringify(await wire.request('tools/call', { name: 'shared', arguments: {} }))).toMatch(
      /Tool shared disabled/,
    );
  });
});

describe('a host’s resource template', () => {
  test('that fits our URIs keeps them, with a warning', async () => {
    const server = new Server(INFO, { capabilities: { resources: {} } });
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [{ name: 'all', uriTemplate: 'est://items/{any}' }],
    }));
    server.setRequestHandler('resources/read', ({ params }) => ({ contents: [{ uri: params.uri, text: 'host' }] }));
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    const read = async (uri: string): Promise<string> =>
      (await wire.request('resources/read', { uri }))['result'].contents[0].text;
    expect(await read('est://items/a')).toBe('host');
    expect(await read('est://one')).toBe('{"one":1}');
  });
});

describe('mounting after connect', () => {
  test('works, warns of what the client was not told, and tells it to look again', async () => {
    const server = new Server(INFO, { capabilities: {} });
    const wire = await connected(server);
    const { layer, logger } = sampleLayer();
    layer.registerInto(server);
    expect(logger.lines).toEqual([expect.stringMatching(/was not told of .*tools/)]);
    await settled();
    expect(wire.notifications.map(({ method }) => method as string)).toContain('notifications/tools/list_changed');
    expect(names(await wire.request('tools/list'))).toContain('echo');
    const called = await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect(called['result'].content[0].text).toBe('layer:x');
  });

  test('a tool of the layer that is added later is wrapped as the others are', async () => {
    const server = new McpServerV1(INFO);
    const { layer, probe } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    layer.registry.tool({ name: 'later', tags: ['locked'] }, () => {
      probe.started?.();
    });
    const denied = await wire.request('tools/call', { name: 'later', arguments: {} });
    expect(denied['result']._meta['cartouche/error_code']).toBe(-31001);
  });
});

describe('capabilities', () => {
  test('of the host keep its own choices', async () => {
    const server = new Server(INFO, {
      capabilities: { tools: { listChanged: false }, resources: { subscribe: false } },
    });
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    const { capabilities } = wire.initialized['result'];
    expect(capabilities).toMatchObject({
      tools: { listChanged: false },
      resources: { subscribe: false, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    });
    layer.notifyChange('tools');
    await settled();
    expect(wire.notifications).toEqual([]);
  });

  test('promise changes against the host’s choice only when asked, and never when told not to', () => {
    const refusing = new Server(INFO, { capabilities: { tools: { listChanged: false } } });
    sampleLayer().layer.registerInto(refusing, { listChanged: true });
    expect(refusing.getCapabilities().tools).toEqual({ listChanged: true });
    const open = new Server(INFO, { capabilities: {} });
    sampleLayer().layer.registerInto(open, { listChanged: false });
    expect(open.getCapabilities().tools).toEqual({});
  });

  test('are not claimed for what a layer does not have, unless it is named', () => {
    const empty = { registry: undefined as never };
    const silent = new Server(INFO, { capabilities: {} });
    sampleLayer(empty).layer.registerInto(silent);
    expect(Object.keys(silent.getCapabilities())).toEqual(['logging']);
    const named = new Server(INFO, { capabilities: {} });
    sampleLayer(empty).layer.registerInto(named, { include: ['tools', 'prompts'] });
    expect(Object.keys(named.getCapabilities()).sort()).toEqual(['prompts', 'tools']);
  });

  test('that were filled in go again with the layer', () => {
    const server = new Server(INFO, { capabilities: { tools: {}, prompts: { listChanged: true } } });
    const before = structuredClone(server.getCapabilities());
    const own = Object.getOwnPropertyNames(server).sort();
    sampleLayer().layer.registerInto(server).unmount();
    expect(server.getCapabilities()).toEqual(before);
    expect(Object.getOwnPropertyNames(server).sort()).toEqual(own);
    expect(Object.getOwnPropertySymbols(server)).toEqual([]);
  });
});

describe('a host that sets its handlers itself', () => {
  test('is told of a clash with its own handler, and of none with ours', () => {
    const server = new ServerV1(INFO, { capabilities: { tools: {} } });
    sampleLayer().layer.registerInto(server);
    expect(() => server.assertCanSetRequestHandler('tools/list')).not.toThrow();
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
    expect(() => server.assertCanSetRequestHandler('tools/list')).toThrow(/already exists/);
    server.removeRequestHandler('tools/list');
    expect(() => server.assertCanSetRequestHandler('tools/list')).not.toThrow();
  });

  test('over its high-level registry is asked for its list from then on', async () => {
    const server = new McpServerV1(INFO);
    server.registerTool('registered', {}, () => ({ content: [] }));
    const { layer } = sampleLayer();
    layer.registerInto(server);
    server.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'shared', inputSchema: { type: 'object' as const } }],
    }));
    server.server.setRequestHandler(CallToolRequestSchema, () => ({
      content: [{ type: 'text' as const, text: 'by hand' }],
    }));
    const wire = await connected(server);
    const called = await wire.request('tools/call', { name: 'shared', arguments: {} });
    expect(called['result'].content[0].text).toBe('by hand');
  });

  test('keeps a subscribe handler for its own resources', async () => {
    const server = new ServerV1(INFO, { capabilities: { resources: { subscribe: true } } });
    const subscribed: string[] = [];
    server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
      subscribed.push(params.uri);
      return {};
    });
    const { layer } = sampleLayer();
    layer.registerInto(server);
    const wire = await connected(server);
    await wire.request('resources/subscribe', { uri: 'host://x' });
    await wire.request('resources/subscribe', { uri: 'est://one' });
    expect(subscribed).toEqual(['host://x']);
  });
});

describe('a name that nobody has, in a host without handlers of its own', () => {
  test.each([
    ['1.x', () => new ServerV1(INFO, { capabilities: {} })],
    ['2.x', () => new Server(INFO, { capabilities: {} })],
  ])('of SDK %s is answered with the nearest that this caller sees', async (_sdk, make) => {
    const server = make();
    sampleLayer().layer.registerInto(server);
    const wire = await connected(server);
    const say = async (method: string, name: string): Promise<string> =>
      (await wire.request(method, { name, arguments: {} }))['error'].message.replace(
        /^MCP error -32602: /,
        '',
      ) as string;
    expect(await say('tools/call', 'ehco')).toBe("Unknown tool: ehco. Did you mean 'echo'?");
    expect(await say('prompts/get', 'gret')).toBe("Unknown prompt: gret. Did you mean 'greet'?");
    expect(await say('tools/call', 'secrets')).toBe('Unknown tool: secrets');
    expect(await say('tools/call', 'secret')).toBe('Unknown tool: secret');
  });
});
