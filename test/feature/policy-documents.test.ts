import { join } from 'node:path';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { McpLayer, Principal, Registry } from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { MemoryLogger } from '../support/layers.js';
import { MemoryWire, type Message, settled } from '../support/mount/wire.js';

const HOUSE = join(__dirname, '../../docs/policy/house.yaml');
const ROLES = ['anonymous', 'analyst', 'lead', 'admin'] as const;
const URI = 'estate://assets/7';

function estate(): McpLayer {
  const registry = new Registry({ defaultCapabilities: ['read_state'] });
  registry.tool({ name: 'count_assets', sensitivity: 'public' }, () => 3);
  registry.tool({ name: 'asset_owner', sensitivity: 'internal' }, () => 'us');
  registry.tool({ name: 'retire_assets', sensitivity: 'internal', capabilities: ['write_state'] }, () => 'done');
  registry.tool({ name: 'retire_everything', sensitivity: 'public', capabilities: [] }, () => 'done');
  registry.resourceTemplate(
    {
      uriTemplate: 'estate://assets/{id}',
      name: 'asset',
      sensitivity: 'confidential',
      completions: { id: () => ['7'] },
    },
    () => 'an asset',
  );
  registry.prompt({ name: 'review', sensitivity: 'internal' }, () => 'Review.');
  return new McpLayer({ name: 'estate', version: '1.0.0', registry, policy: HOUSE, logger: new MemoryLogger() });
}

/** What one caller gets, operation by operation. */
interface Row {
  readonly tools: readonly string[];
  readonly templates: number;
  readonly prompts: number;
  readonly calls: Readonly<Record<string, boolean>>;
  readonly read: boolean;
  readonly prompt: boolean;
  readonly completed: number;
  readonly subscribed: boolean;
}

const none = { templates: 0, prompts: 0, read: false, prompt: false, completed: 0, subscribed: false };
const calls = (...allowed: string[]): Row['calls'] =>
  Object.fromEntries(
    ['count_assets', 'asset_owner', 'retire_assets', 'retire_everything'].map((name) => [name, allowed.includes(name)]),
  );

const MATRIX: Readonly<Record<(typeof ROLES)[number], Row>> = {
  anonymous: { ...none, tools: ['count_assets'], calls: calls('count_assets') },
  analyst: {
    ...none,
    tools: ['count_assets', 'asset_owner'],
    calls: calls('count_assets', 'asset_owner'),
    prompts: 1,
    prompt: true,
  },
  lead: {
    tools: ['count_assets', 'asset_owner'],
    calls: calls('count_assets', 'asset_owner'),
    templates: 1,
    prompts: 1,
    read: true,
    prompt: true,
    completed: 1,
    subscribed: true,
  },
  admin: {
    tools: ['count_assets', 'asset_owner', 'retire_assets'],
    calls: calls('count_assets', 'asset_owner', 'retire_assets'),
    templates: 1,
    prompts: 1,
    read: true,
    prompt: true,
    completed: 1,
    subscribed: true,
  },
};

/** Sends one request; what is refused is `undefined`. */
type Send = (method: string, params?: Message) => Promise<Message | undefined>;

async function rowOf(send: Send, subscribe: () => Promise<boolean>): Promise<Row> {
  const list = async (method: string, key: string): Promise<readonly Message[]> =>
    ((await send(method))?.[key] ?? []) as readonly Message[];
  const tools = (await list('tools/list', 'tools')).map(({ name }) => name as string);
  const called: [string, boolean][] = [];
  for (const name of Object.keys(calls())) {
    const result = await send('tools/call', { name, arguments: {} });
    called.push([name, result !== undefined && result['isError'] !== true]);
  }
  const ref = { type: 'ref/resource', uri: 'estate://assets/{id}' };
  const completion = await send('completion/complete', { ref, argument: { name: 'id', value: '' } });
  return {
    tools,
    templates: (await list('resources/templates/list', 'resourceTemplates')).length,
    prompts: (await list('prompts/list', 'prompts')).length,
    calls: Object.fromEntries(called),
    read: (await send('resources/read', { uri: URI })) !== undefined,
    prompt: (await send('prompts/get', { name: 'review' })) !== undefined,
    completed: ((completion?.['completion'] as Message | undefined)?.['values'] as unknown[] | undefined)?.length ?? 0,
    subscribed: await subscribe(),
  };
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

test.each(['handshake', 'modern'] as const)(
  'each role sees and does what one file says, in the %s era',
  async (era) => {
    const layer = estate();
    for (const role of ROLES) {
      const client = createTestClient(layer, { era, principal: new Principal({ id: role, roles: [role] }) });
      const send: Send = (method, params) => client.raw(method, params).catch(() => undefined);
      const subscribe = async (): Promise<boolean> => {
        await succeeds(client.subscribe(URI));
        layer.notifyChange('resource', URI);
        await settled();
        return client.changes.some(({ kind }) => kind === 'resource');
      };
      expect({ [role]: await rowOf(send, subscribe) }).toEqual({ [role]: MATRIX[role] });
      client.close();
    }
    await layer.close();
  },
);

const INFO = { name: 'host', version: '1.0.0' };

test.each<[string, () => McpServer | Server | McpServerV1]>([
  ['McpServer of 2.x', () => new McpServer(INFO)],
  ['Server of 2.x', () => new Server(INFO, { capabilities: {} })],
  ['McpServer of 1.x', () => new McpServerV1(INFO)],
])('and through the %s', async (_host, makeServer) => {
  const layer = estate();
  for (const role of ROLES) {
    const server = makeServer();
    layer.registerInto(server);
    const wire = new MemoryWire(undefined, { authInfo: { token: 't', clientId: role, scopes: [role] } });
    await (server as McpServer).connect(wire.transport);
    await wire.initialize();
    const send: Send = async (method, params) => (await wire.request(method, params))['result'] as Message | undefined;
    const subscribe = async (): Promise<boolean> => (await send('resources/subscribe', { uri: URI })) !== undefined;
    expect({ [role]: await rowOf(send, subscribe) }).toEqual({ [role]: MATRIX[role] });
    await server.close();
  }
  await layer.close();
});

test('what is denied and shown is refused with the reason, and nothing of it with hiding', async () => {
  const registry = new Registry();
  registry.tool({ name: 'secret', capabilities: [] }, () => 'the secret');
  const open = (hideDenied: boolean): McpLayer =>
    new McpLayer({ name: 'l', version: '1', registry, policy: { name: 'house', denyTools: ['secret'], hideDenied } });
  const shown = createTestClient(open(false));
  expect((await shown.listTools()).map(({ name }) => name)).toEqual(['secret']);
  await expect(shown.call('secret')).rejects.toMatchObject({
    code: -31001,
    data: { policy: 'house', reason: "tool 'secret' denied by the policy: denyTools 'secret'" },
  });
  const hidden = createTestClient(open(true));
  const unknown = await hidden.raw('tools/call', { name: 'nobody', arguments: {} }).catch((error: unknown) => error);
  const denied = await hidden.raw('tools/call', { name: 'secret', arguments: {} }).catch((error: unknown) => error);
  expect(JSON.stringify(denied).replaceAll('secret', 'nobody')).toBe(JSON.stringify(unknown));
});
