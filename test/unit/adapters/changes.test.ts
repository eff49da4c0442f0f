import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InMemoryServerEventBus, Server } from '@modelcontextprotocol/server';
import { followerCount } from '../../../src/adapters/changes.js';
import { sampleLayer } from '../../support/mount/layer.js';
import { settled } from '../../support/mount/wire.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const INFO = { name: 'host', version: '1' };

describe('a layer that is mounted in a server per request', () => {
  test('has one listener, and keeps none of the servers alive', async () => {
    const { layer } = sampleLayer();
    const onChange = jest.spyOn(layer, 'onChange');
    const factory = layer.factory(() => new Server(INFO, { capabilities: {} }));
    for (let i = 0; i < 1_000; i++) {
      factory();
      if (i % 100 === 0) {
        await settled(1);
        collect();
      }
    }
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(followerCount(layer)).toBeLessThan(500);
    await settled();
    collect();
    layer.notifyChange('tools');
    await settled();
    expect(followerCount(layer)).toBeLessThan(20);
    // Each collection of a large heap takes as long as the machine is busy.
  }, 60_000);

  test('publishes each change once on a bus, however often it is attached, until it is detached', async () => {
    const { layer } = sampleLayer();
    const events: unknown[] = [];
    const bus = { publish: (event: unknown) => events.push(event) };
    const detach = layer.attachBus(bus);
    layer.registerInto(new Server(INFO, { capabilities: {} }), { bus });
    layer.notifyChange('tools');
    layer.notifyChange('prompts');
    layer.notifyChange('resources');
    layer.notifyChange('resource', 'est://one');
    await settled();
    expect(events).toEqual([
      { kind: 'tools_list_changed' },
      { kind: 'prompts_list_changed' },
      { kind: 'resources_list_changed' },
      { kind: 'resource_updated', uri: 'est://one' },
    ]);
    detach();
    layer.notifyChange('tools');
    await settled();
    expect(events).toHaveLength(4);
  });

  test('speaks to the SDK’s own bus, and refuses what is none', () => {
    const { layer } = sampleLayer();
    expect(() => layer.attachBus(new InMemoryServerEventBus())).not.toThrow();
    expect(() => layer.attachBus({} as never)).toThrow(/it has no publish/);
  });

  test('wraps factories that are asynchronous, and gives back the very server they made', async () => {
    const { layer } = sampleLayer();
    const server = new Server(INFO, { capabilities: {} });
    await expect(layer.factory(async () => server)()).resolves.toBe(server);
    expect(layer.factory(() => server)()).toBe(server);
  });
});
