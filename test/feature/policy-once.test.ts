import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import type { McpLayer, Policy, PolicyEvent, Primitive } from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { fetchTarget, handshake, META, modern, nodeTarget, type Target } from '../support/http-target.js';
import { layerOf } from '../support/layers.js';
import { MemoryWire } from '../support/mount/wire.js';

/** A request that a way of carrying sends, and gives the result of. */
type Send = (method: string, params: Record<string, unknown>) => Promise<any>;

interface Way {
  readonly send: Send;
  readonly close: () => void | Promise<void>;
}

function watched(more: Partial<Policy> = {}) {
  const asked: string[] = [];
  const events: PolicyEvent[] = [];
  const policy: Policy = {
    name: 'house',
    scopeOf: () => '',
    decide: ({ kind, id }: Primitive) => (asked.push(`decide ${kind} ${id}`), { allowed: true }),
    admit: ({ kind, id }) => void asked.push(`admit ${kind} ${id}`),
    pipeline: ({ kind, id }) => (asked.push(`pipeline ${kind} ${id}`), { input: (value) => value }),
    record: (event) => void events.push(event),
    ...more,
  };
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 'plain' }, () => 'ok');
      registry.tool({ name: 'headed', input: { type: 'object', properties: { region } } }, () => 'ok');
      registry.resource({ uri: 'r://listed' }, () => 'ok');
      registry.resourceTemplate({ uriTemplate: 'r://of/{id}', completions: { id: () => ['1'] } }, () => 'ok');
      registry.prompt({ name: 'hello', completions: { who: () => ['ada'] }, arguments: [{ name: 'who' }] }, () => 'ok');
    },
    { policy },
  );
  return { layer, asked, events };
}

function memory(era: 'handshake' | 'modern') {
  return (layer: McpLayer): Way => {
    const client = createTestClient(layer, { era });
    return { send: (method, params) => client.raw(method, params), close: () => client.close() };
  };
}

async function stdio(layer: McpLayer): Promise<Way> {
  const input = new PassThrough();
  const output = new PassThrough();
  const serving = await layer.serve('stdio', { input, output });
  const send: Send = async (method, params) => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } })}\n`);
    const [chunk] = (await once(output, 'data')) as [Buffer];
    return (JSON.parse(chunk.toString()) as { result: unknown }).result;
  };
  return { send, close: () => serving.close() };
}

function modernHttp(serve: (layer: McpLayer) => Promise<Target>) {
  return async (layer: McpLayer): Promise<Way> => {
    const target = await serve(layer);
    return {
      send: async (method, params) => {
        const sent = modern(method, params);
        const { region } = (params['arguments'] ?? {}) as { region?: string };
        const { json } = await target.send({ ...sent, headers: { ...sent.headers, 'mcp-param-region': region } });
        return json.result ?? json.error;
      },
      close: () => target.close(),
    };
  };
}

async function handshakeHttp(layer: McpLayer): Promise<Way> {
  const target = await fetchTarget(layer);
  const { headers } = await handshake(target);
  const send: Send = async (method, params) =>
    (await target.send({ headers, body: { jsonrpc: '2.0', id: 1, method, params } })).json.result;
  return { send, close: () => target.close() };
}

/** A host of either SDK major, with handlers of its own. */
function mounted(make: () => { connect(transport: never): Promise<void>; close(): Promise<void> }) {
  return async (layer: McpLayer): Promise<Way> => {
    const server = make();
    layer.registerInto(server);
    const wire = new MemoryWire();
    await server.connect(wire.transport as never);
    await wire.initialize();
    const send: Send = async (method, params) => (await wire.request(method, params))['result'];
    return { send, close: () => server.close() };
  };
}

/** What an answer that is none of an error has. */
const ANSWERS: Readonly<Record<string, string>> = {
  'tools/call': 'content',
  'resources/read': 'contents',
  'prompts/get': 'messages',
  'completion/complete': 'completion',
};

const WAYS: readonly [string, (layer: McpLayer) => Way | Promise<Way>][] = [
  ['memory, handshake', memory('handshake')],
  ['memory, modern', memory('modern')],
  ['stdio', stdio],
  ['HTTP, handshake', handshakeHttp],
  ['HTTP, modern, node', modernHttp(nodeTarget)],
  ['HTTP, modern, fetch', modernHttp(fetchTarget)],
  ['a mount in SDK 1.x', mounted(() => new McpServerV1({ name: 'host', version: '1' }))],
  ['a mount in SDK 2.x', mounted(() => new McpServer({ name: 'host', version: '1' }))],
];

describe.each(WAYS)('over %s', (_name, open) => {
  test('a policy decides, admits and makes its pipeline once per request', async () => {
    const { layer, asked } = watched();
    const { send, close } = await open(layer);
    const said = async (method: string, params: Record<string, unknown>): Promise<string[]> => {
      asked.length = 0;
      expect(await send(method, params)).toHaveProperty(ANSWERS[method] as string);
      return [...asked];
    };
    const each = (what: string): string[] => [`decide ${what}`, `admit ${what}`, `pipeline ${what}`];
    try {
      expect(await said('tools/call', { name: 'plain' })).toEqual(each('tool plain'));
      const headed = { name: 'headed', arguments: { region: 'eu' } };
      expect(await said('tools/call', headed)).toEqual(each('tool headed'));
      expect(await said('resources/read', { uri: 'r://listed' })).toEqual(each('resource r://listed'));
      expect(await said('resources/read', { uri: 'r://of/1' })).toEqual(each('template r://of/{id}'));
      expect(await said('prompts/get', { name: 'hello' })).toEqual(each('prompt hello'));
      const complete = (ref: object, name: string) =>
        said('completion/complete', { ref, argument: { name, value: '' } });
      expect(await complete({ type: 'ref/prompt', name: 'hello' }, 'who')).toEqual(each('prompt hello'));
      expect(await complete({ type: 'ref/resource', uri: 'r://of/{id}' }, 'id')).toEqual(each('template r://of/{id}'));
    } finally {
      await close();
    }
  });
});

describe('a decision that a carrier needed for the headers', () => {
  test.each([
    [{ allowed: false, hidden: true, reason: 'no' }, 'not_found', { code: -32602 }],
    [{ allowed: false, hidden: false, reason: 'no' }, 'denied', { isError: true }],
  ] as const)('of %j is the one that the call is refused by', async (decision, outcome, answer) => {
    let count = 0;
    const { layer, events } = watched({ decide: () => (count++, decision) });
    const { send, close } = await modernHttp(fetchTarget)(layer);
    expect(await send('tools/call', { name: 'headed', arguments: { region: 'eu' } })).toMatchObject(answer);
    expect(count).toBe(1);
    expect(events).toMatchObject([{ outcome, name: 'headed', reason: 'no' }]);
    await close();
  });

  test('is made anew when the tool changed before the call', async () => {
    const { layer, asked } = watched();
    const looked = layer.look('tool', 'plain', layer.context().principal);
    layer.registry.tool({ name: 'plain', replace: true }, () => 'new');
    const result = await layer.callTool('plain', {}, { looked });
    expect(result.content).toMatchObject([{ text: 'new' }]);
    expect(asked.filter((line) => line.startsWith('decide'))).toHaveLength(2);
    layer.registry.remove('tool', 'plain');
    await expect(layer.callTool('plain', {}, { looked })).rejects.toThrow('Unknown tool: plain');
  });

  test('counts for no other name, kind or caller', async () => {
    const { layer, asked } = watched();
    const { principal } = layer.context();
    const looked = layer.look('tool', 'plain', principal);
    asked.length = 0;
    await layer.callTool('headed', {}, { looked, principal });
    await layer.getPrompt('hello', {}, { looked, principal });
    await layer.callTool('plain', {}, { looked, context: layer.context({ principal: Object.create(principal) as typeof principal }) }); // prettier-ignore
    const decided = asked.filter((line) => line.startsWith('decide'));
    expect(decided).toEqual(['decide tool headed', 'decide prompt hello', 'decide tool plain']);
  });
});
