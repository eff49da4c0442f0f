import assert from 'node:assert/strict';
import { type McpLayer, Principal, type PrincipalResolver } from 'cartouche';
import { CALLER_CHECKS } from './callers.js';
import type { Check } from './check.js';
import type { HostCase, HostSetup, OpenHost } from './host-case.js';
import { LEAKS, sampleLayer } from './layer.js';
import { type Message, settled, until } from './wire.js';

type Sample = ReturnType<typeof sampleLayer>;

async function using<T>(
  host: HostCase,
  setup: Omit<HostSetup, 'layer'>,
  work: (open: OpenHost, sample: Sample) => Promise<T>,
  sample = sampleLayer(),
): Promise<T> {
  const open = await host.open({ layer: sample.layer, ...setup });
  try {
    return await work(open, sample);
  } finally {
    await open.close();
    await sample.layer.close();
  }
}

function textOf(answer: Message): string {
  return String(answer['result']?.content?.[0]?.text);
}

function names(answer: Message, key: string, id = 'name'): string[] {
  return (answer['result'][key] as Message[]).map((entry) => String(entry[id]));
}

/** The layer's own list as this caller sees it, without what the host has. */
function expected(layer: McpLayer, caller: any): string[] {
  return layer
    .toolsWire(caller)
    .map((wire) => String(wire['name']))
    .filter((name) => name !== 'shared');
}

const LISTS = [
  ['tools/list', 'tools', 'name', (layer: McpLayer, caller: any) => layer.toolsWire(caller)],
  ['resources/list', 'resources', 'uri', (layer: McpLayer, caller: any) => layer.resourcesWire(caller)],
  [
    'resources/templates/list',
    'resourceTemplates',
    'uriTemplate',
    (layer: McpLayer, caller: any) => layer.resourceTemplatesWire(caller),
  ],
  ['prompts/list', 'prompts', 'name', (layer: McpLayer, caller: any) => layer.promptsWire(caller)],
] as const;

async function callerOf({ wire }: OpenHost, { probe }: Sample): Promise<any> {
  await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
  return probe.principal;
}

const wireIdentity: Check = {
  name: 'wire identity',
  summary: 'definitions and results as the layer built them',
  run: (host) =>
    using(host, {}, async (open, sample) => {
      const caller = await callerOf(open, sample);
      for (const [method, key, id, own] of LISTS) {
        const listed = (await open.wire.request(method))['result'][key] as Message[];
        const wires = own(sample.layer, caller).filter((wire) => wire[id] !== 'shared');
        assert.deepEqual(listed.slice(-wires.length), JSON.parse(JSON.stringify(wires)), method);
      }
      const called = (await open.wire.request('tools/call', { name: 'odd', arguments: { where: 'here' } }))['result'];
      const direct = (await sample.layer.callTool('odd', { where: 'here' })).toWire();
      assert.deepEqual(called.content, direct['content']);
      assert.deepEqual(called.structuredContent, direct['structuredContent']);
      assert.equal(called._meta['example.com/result'], 'kept');
      return undefined;
    }),
};

const ownership: Check = {
  name: 'ownership',
  summary: 'host first, then ours; what the host has stays its own; unknown names go to the host',
  run: (host) =>
    using(host, {}, async (open, sample) => {
      const { wire } = open;
      const caller = await callerOf(open, sample);
      const listed = names(await wire.request('tools/list'), 'tools');
      assert.deepEqual(listed, ['host_echo', 'shared', ...expected(sample.layer, caller)]);
      assert.deepEqual(sample.logger.lines.filter((line) => line.includes("'shared'")).length, 1);
      const call = async (name: string, args: Message): Promise<Message> =>
        wire.request('tools/call', { name, arguments: args });
      assert.equal(textOf(await call('host_echo', { text: 'a' })), 'host:a');
      assert.equal(textOf(await call('echo', { text: 'a' })), 'layer:a');
      assert.equal(textOf(await call('shared', {})), 'from the host');
      const unknown = await call('nobody', {});
      if (host.unknownTool === 'isError') assert.equal(unknown['result'].isError, true);
      else assert.equal(unknown['error'].code, host.unknownTool);
      const hidden = await call('secret', {});
      assert.deepEqual(
        JSON.stringify(hidden)
          .replaceAll('secret', 'nobody')
          .replace(/"id":\d+/, ''),
        JSON.stringify(unknown).replace(/"id":\d+/, ''),
      );
      const info = await wire.request('resources/read', { uri: 'host://info' });
      assert.equal(info['result'].contents[0].text, 'host');
      const one = await wire.request('resources/read', { uri: 'est://one' });
      assert.equal(one['result'].contents[0].text, '{"one":1}');
      const prompt = await wire.request('prompts/get', { name: 'host_prompt' });
      assert.equal(prompt['result'].messages[0].content.text, 'hi');
      const greet = await wire.request('prompts/get', { name: 'greet', arguments: { who: 'ada' } });
      assert.equal(greet['result'].messages[0].content.text, 'Greet ada');
      return host.unknownTool === 'isError' ? 'yes; an unknown tool is an error result of the host' : undefined;
    }),
};

const order: Check = {
  name: 'order',
  summary: 'mounting before the host registers gives the same as after',
  run: async (host) => {
    const lists = async (order: 'before' | 'late'): Promise<unknown> =>
      using(host, { order }, async ({ wire }) => {
        const all: Message = {};
        for (const [method, key, id] of LISTS) all[key] = names(await wire.request(method), key, id);
        all['host'] = textOf(await wire.request('tools/call', { name: 'shared', arguments: {} }));
        all['ours'] = textOf(await wire.request('tools/call', { name: 'echo', arguments: { text: 'b' } }));
        return all;
      });
    assert.deepEqual(await lists('late'), await lists('before'));
    return undefined;
  },
};

const errors: Check = {
  name: 'errors',
  summary: 'failures of tools are results; others are protocol errors; nothing leaks',
  run: (host) =>
    using(host, {}, async ({ wire }) => {
      const call = async (name: string, args: unknown = {}): Promise<Message> =>
        wire.request('tools/call', { name, arguments: args });
      const boom = await call('boom');
      assert.equal(boom['result'].isError, true);
      assert.match(textOf(boom), /^Tool boom failed\. Error id: /);
      assert.doesNotMatch(JSON.stringify(boom), /postgres/);
      for (const way of Object.keys(LEAKS)) {
        assert.doesNotMatch(JSON.stringify(await call('leaky', { way })), /postgres|password/, way);
      }
      await settled();
      assert.doesNotMatch(JSON.stringify(wire.notifications), /postgres|password/);
      assert.equal(textOf(await call('refuse')), 'not today');
      assert.equal((await call('gone'))['result']._meta['cartouche/error_code'], -32602);
      assert.match(textOf(await call('odd', {})), /^Invalid arguments: /);
      assert.equal((await call('locked'))['result']._meta['cartouche/error_code'], -31001);
      assert.equal((await call('echo', [1]))['error']?.code, -32602);
      const read = async (uri: string): Promise<Message> => wire.request('resources/read', { uri });
      assert.equal((await read('est://locked'))['error'].code, -31001);
      const [ours, nobodys] = host.missingResource;
      const missing = (await read('est://items/none'))['error'];
      assert.deepEqual([missing.code, missing.data?.uri], [ours, 'est://items/none']);
      assert.equal((await read('est://nowhere'))['error'].code, nobodys);
      assert.equal((await read('est://secret'))['error'].code, nobodys);
      const greet = (await wire.request('prompts/get', { name: 'greet', arguments: {} }))['error'];
      assert.equal(greet.code, -32602);
      return ours === -32002 ? undefined : 'yes; a missing resource is -32602 on every revision';
    }),
};

const progress: Check = {
  name: 'progress',
  summary: 'progress reaches the client with its request, where it asked',
  run: (host) =>
    using(host, {}, async ({ wire }) => {
      await wire.request('tools/call', { name: 'working', arguments: {}, _meta: { progressToken: 'p1' } });
      await settled();
      const sent = wire.notifications.filter(({ method }) => method === 'notifications/progress');
      assert.deepEqual(
        sent.map(({ params }) => params),
        [{ progressToken: 'p1', progress: 1, total: 2, message: 'half' }],
      );
      await wire.request('tools/call', { name: 'working', arguments: {} });
      assert.equal(wire.notifications.filter(({ method }) => method === 'notifications/progress').length, 1);
      return undefined;
    }),
};

function logs({ notifications }: OpenHost['wire']): unknown[] {
  return notifications.filter(({ method }) => method === 'notifications/message').map(({ params }) => params.data);
}

const logging: Check = {
  name: 'logs',
  summary: 'log messages reach the client with their request, from the level that it chose',
  run: (host) =>
    using(host, {}, async ({ wire }) => {
      if (host.era === 'handshake') {
        const set = await wire.request('logging/setLevel', { level: 'info' });
        assert.deepEqual(set['result'], {});
      }
      await wire.request('tools/call', { name: 'working', arguments: {} });
      await settled();
      const got = logs(wire);
      assert.deepEqual(got[0], { step: 1 });
      if (!host.stateful) return 'yes; a server per request forgets the level';
      assert.equal(got.length, 1, 'debug is below the level');
      return host.era === 'modern' ? 'yes; the level is the request’s' : undefined;
    }),
};

const changes: Check = {
  name: 'changes',
  summary: 'changes of lists reach every client that is there to hear',
  run: (host) =>
    using(host, {}, async ({ addTool, wire }, { layer }) => {
      if (!host.stateful) return 'none: a server per request has no session';
      await wire.listen([]);
      await settled();
      wire.notifications.length = 0;
      layer.registry.tool({ name: 'newcomer' }, () => 'new');
      const arrived = (method: string): boolean => wire.notifications.some((message) => message['method'] === method);
      await until(() => arrived('notifications/tools/list_changed'), 'tools/list_changed');
      assert.ok(names(await wire.request('tools/list'), 'tools').includes('newcomer'));
      layer.notifyChange('prompts');
      await until(() => arrived('notifications/prompts/list_changed'), 'prompts/list_changed');
      layer.notifyChange('resources');
      await until(() => arrived('notifications/resources/list_changed'), 'resources/list_changed');
      if (host.era === 'modern') {
        const ids = wire.notifications.map(({ params }) => params?._meta?.['io.modelcontextprotocol/subscriptionId']);
        assert.ok(
          ids.every((id) => id !== undefined),
          'every event names its stream',
        );
      }
      if (addTool === undefined) return undefined;
      wire.notifications.length = 0;
      addTool('host_late');
      await until(() => arrived('notifications/tools/list_changed'), "the host's own tools/list_changed");
      const listed = names(await wire.request('tools/list'), 'tools');
      assert.ok(listed.indexOf('host_late') < listed.indexOf('echo'), 'host first');
      return undefined;
    }),
};

const cancellation: Check = {
  name: 'cancellation',
  summary: 'a cancelled request aborts ctx.signal',
  run: (host) =>
    using(host, {}, async ({ wire }, { probe }) => {
      let aborted = false;
      const started = new Promise<void>((resolve) => {
        probe.started = resolve;
      });
      probe.aborted = () => {
        aborted = true;
      };
      await wire.cancelled('tools/call', { name: 'slow', arguments: {} }, started);
      await until(() => aborted, 'the abort');
      return host.name.includes('createMcpHandler') ? 'yes; by closing the request' : undefined;
    }),
};

const completions: Check = {
  name: 'completions',
  summary: 'arguments of our prompts and templates complete; others are the host’s',
  run: (host) =>
    using(host, {}, async ({ wire }) => {
      const complete = async (ref: Message, name: string, value: string): Promise<Message> =>
        wire.request('completion/complete', { ref, argument: { name, value } });
      const who = await complete({ type: 'ref/prompt', name: 'greet' }, 'who', 'al');
      assert.deepEqual(who['result'].completion.values, ['alan']);
      const id = await complete({ type: 'ref/resource', uri: 'est://items/{id}' }, 'id', 'a');
      assert.deepEqual(id['result'].completion.values, ['a1', 'a2']);
      const hosts = await complete({ type: 'ref/prompt', name: 'host_prompt' }, 'x', '');
      assert.deepEqual(hosts['result']?.completion?.values ?? [], []);
      return undefined;
    }),
};

const subscriptions: Check = {
  name: 'subscriptions',
  summary: 'updates of resources go to clients that subscribed to them, and to no others',
  run: (host) =>
    using(host, {}, async ({ wire }, { layer }) => {
      if (!host.stateful) return 'none: a server per request has no session';
      if (host.era === 'handshake') {
        assert.deepEqual((await wire.request('resources/subscribe', { uri: 'est://one' }))['result'], {});
        const subscribed = async (uri: string): Promise<unknown> => {
          const { error } = await wire.request('resources/subscribe', { uri });
          return error?.code;
        };
        assert.equal(await subscribed('est://secret'), await subscribed('est://nowhere'), 'hidden and missing alike');
        layer.notifyChange('resource', 'est://secret');
        await wire.listen([]);
      } else await wire.listen(['est://one']);
      await settled();
      const updates = (): Message[] =>
        wire.notifications.filter(({ method }) => method === 'notifications/resources/updated');
      layer.notifyChange('resource', 'est://items/a1');
      layer.notifyChange('resource', 'est://one');
      await until(() => updates().length > 0, 'resources/updated');
      await settled();
      assert.deepEqual(
        updates().map(({ params }) => params.uri),
        ['est://one'],
      );
      if (host.era === 'modern') return 'yes; by the listen stream';
      await wire.request('resources/unsubscribe', { uri: 'est://one' });
      layer.notifyChange('resource', 'est://one');
      await settled();
      assert.equal(updates().length, 1);
      return undefined;
    }),
};

const asking: Check = {
  name: 'asking',
  summary: 'a handler can ask the client, in the way of its era',
  run: (host) =>
    using(host, {}, async ({ wire }) => {
      const params = { name: 'asking', arguments: {} };
      const first = (await wire.request('tools/call', params))['result'];
      if (!host.stateful && host.era === 'handshake') {
        assert.equal(first.isError, true);
        return 'no: a server per request knows nothing of what its client can be asked';
      }
      if (host.era === 'handshake') {
        assert.equal(first.content[0].text, 'asked {"name":"wire"}');
        return undefined;
      }
      assert.equal(first.resultType, 'input_required');
      const inputResponses = { who: { action: 'accept', content: { name: 'wire' } } };
      const second = await wire.request('tools/call', { ...params, inputResponses, requestState: first.requestState });
      assert.equal(textOf(second), 'asked {"name":"wire"}');
      return undefined;
    }),
};

const capabilities: Check = {
  name: 'capabilities',
  summary: 'what the layer offers is advertised, and the host’s own choices stay',
  run: (host) =>
    using(host, {}, async (open) => {
      const offered = await open.capabilities();
      assert.equal(offered['tools'].listChanged, true);
      assert.equal(offered['prompts'].listChanged, true);
      assert.deepEqual([offered['resources'].listChanged, offered['resources'].subscribe], [true, true]);
      assert.ok(offered['completions'] !== undefined && offered['logging'] !== undefined);
      return undefined;
    }),
};

const unmount: Check = {
  name: 'unmount',
  summary: 'binding.unmount() restores the host',
  run: (host) =>
    using(host, {}, async (open) => {
      if (host.name.includes('createMcpHandler')) return 'yes; by leaving the mount out of the factory';
      open.binding.unmount();
      const listed = names(await open.wire.request('tools/list'), 'tools');
      assert.deepEqual(listed, ['host_echo', 'shared']);
      assert.equal(
        textOf(await open.wire.request('tools/call', { name: 'host_echo', arguments: { text: 'c' } })),
        'host:c',
      );
      return undefined;
    }),
};

const severalLayers: Check = {
  name: 'several layers',
  summary: 'two layers in one host serve side by side; the first keeps a shared name',
  run: async (host) => {
    const second = sampleLayer({ prefix: 'two_' });
    const third = sampleLayer();
    return using(host, { more: [second.layer, third.layer] }, async ({ wire }) => {
      const listed = names(await wire.request('tools/list'), 'tools');
      assert.equal(new Set(listed).size, listed.length, 'each name once');
      assert.ok(listed.includes('echo') && listed.includes('two_echo'));
      assert.equal(textOf(await wire.request('tools/call', { name: 'two_echo', arguments: { text: 'd' } })), 'layer:d');
      assert.ok(third.probe.principal === undefined && second.probe.principal !== undefined);
      return undefined;
    });
  },
};

const prefix: Check = {
  name: 'prefix and include',
  summary: 'only prefixed names are ours, URIs never; what is not included is not there',
  run: (host) =>
    using(host, { options: { prefix: 'app_', include: ['tools', 'resources'] } }, async ({ wire }) => {
      const listed = names(await wire.request('tools/list'), 'tools');
      assert.ok(listed.includes('app_echo') && listed.includes('app_shared') && !listed.includes('echo'));
      assert.equal(textOf(await wire.request('tools/call', { name: 'app_shared', arguments: {} })), 'from the layer');
      assert.ok(names(await wire.request('resources/list'), 'resources', 'uri').includes('est://one'));
      assert.deepEqual(names(await wire.request('prompts/list'), 'prompts'), ['host_prompt']);
      return undefined;
    }),
};

const identity: Check = {
  name: 'identity',
  summary:
    'who is calling, by a resolver, by the host, or by the transport; never the local user where it is not known',
  run: async (host) => {
    const headers = { 'x-user': 'ada' };
    const caller = (setup: Omit<HostSetup, 'layer'>): Promise<any> => using(host, setup, callerOf);
    const principalResolver: PrincipalResolver = (info) => {
      const id = info.header('X-User');
      return id === undefined ? undefined : new Principal({ id: `resolved-${id}`, roles: ['tested'] });
    };
    const resolved = await caller({ headers, options: { principalResolver } });
    const plain = await caller({ headers });
    if (host.identity === 'local') {
      assert.deepEqual([resolved.id, plain.id], ['local', 'local']);
      return 'yes; one local user';
    }
    assert.equal(resolved.id, 'resolved-ada');
    if (host.identity === 'headers') assert.equal(plain.id, 'anonymous', 'a header alone is no proof');
    else {
      assert.equal(plain.id, 'ada');
      assert.ok(plain.roles.has('member'));
    }
    if (host.identity === 'headers' && host.name.includes('Server') && !host.name.includes('createMcpHandler')) {
      assert.equal((await caller({})).id, 'local');
      assert.equal((await caller({ unknownTransport: true })).id, 'anonymous');
      assert.equal((await caller({ unknownTransport: true, options: { transport: 'memory' } })).id, 'local');
    }
    const throwing = await caller({
      headers,
      options: {
        principalResolver: () => {
          throw new Error('no');
        },
      },
    });
    assert.equal(throwing.id, plain.id);
    return undefined;
  },
};

/** The contract of section 10, row by row. */
export const CHECKS: readonly Check[] = [
  wireIdentity,
  ownership,
  order,
  errors,
  progress,
  logging,
  changes,
  cancellation,
  completions,
  subscriptions,
  asking,
  capabilities,
  unmount,
  severalLayers,
  prefix,
  identity,
  ...CALLER_CHECKS,
];
