import { type Change, type ChangeBus, MemoryChangeBus, McpLayer, type PublishedChange } from 'cartouche';
import { layerOf, MemoryLogger } from '../../support/layers.js';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function listening(layer: McpLayer): Change[] {
  const heard: Change[] = [];
  layer.onChange((change) => void heard.push(change));
  return heard;
}

const onBus = (changes: ChangeBus, name = 'estate'): McpLayer =>
  layerOf(() => undefined, { name, stores: { changes } });

/** What most people write first. */
function bridge(from: McpLayer, to: McpLayer): void {
  from.onChange(({ kind, uri }) => to.notifyChange(kind, uri));
}

describe('layers on one bus', () => {
  test('hear each change once, wherever it happened, and a layer of another name hears nothing', async () => {
    const bus = new MemoryChangeBus();
    const published: PublishedChange[] = [];
    bus.subscribe((change) => void published.push(change));
    const layers = [onBus(bus), onBus(bus), onBus(bus)];
    const stranger = listening(onBus(bus, 'other'));
    const heard = layers.map(listening);
    layers[0]?.notifyChange('tools');
    layers[1]?.notifyChange('resource', 'r://x');
    await settle();
    for (const changes of heard) {
      expect(changes).toHaveLength(2);
      expect(changes).toEqual(expect.arrayContaining([{ kind: 'tools' }, { kind: 'resource', uri: 'r://x' }]));
    }
    expect(stranger).toEqual([]);
    expect(published.map(({ kind, namespace }) => [kind, namespace])).toEqual([
      ['tools', 'estate'],
      ['resource', 'estate'],
    ]);
  });

  test('hear each change once when the bus is slow and gives everybody everything back', async () => {
    const memory = new MemoryChangeBus();
    const slow: ChangeBus = {
      publish: async (change) => {
        await settle();
        memory.publish(JSON.parse(JSON.stringify(change)) as PublishedChange);
      },
      subscribe: (listener) => memory.subscribe(listener),
    };
    const layers = [onBus(slow), onBus(slow)] as const;
    const heard = layers.map(listening);
    layers[0].notifyChange('prompts');
    for (let i = 0; i < 5; i++) await settle();
    expect(heard).toEqual([[{ kind: 'prompts' }], [{ kind: 'prompts' }]]);
  });

  test('a closed layer hears no more', async () => {
    const bus = new MemoryChangeBus();
    const [one, other] = [onBus(bus), onBus(bus)];
    const heard = listening(other);
    await other.close();
    one.notifyChange('tools');
    await settle();
    expect(heard).toEqual([]);
  });

  test('a bus that fails is logged, and what it carries is checked', async () => {
    const logger = new MemoryLogger();
    let tell: (change: PublishedChange) => void = () => undefined;
    const changes: ChangeBus = {
      publish: () => {
        throw new Error('bus down');
      },
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
    };
    const layer = layerOf(() => undefined, { name: 'estate', logger, stores: { changes } });
    const heard = listening(layer);
    layer.notifyChange('tools');
    tell({ kind: 'evil/x' as 'tools', namespace: 'estate', origin: 'elsewhere' });
    await settle();
    expect(heard).toEqual([{ kind: 'tools' }]);
    expect(logger.lines.map(({ message }) => message)).toEqual(['the change bus could not be told of a change']);
  });
});

describe('layers that are bridged both ways by their listeners', () => {
  const pair = (): readonly [McpLayer, McpLayer] => [layerOf(() => undefined), layerOf(() => undefined)];

  test('deliver each change once', async () => {
    const [a, b] = pair();
    bridge(a, b);
    bridge(b, a);
    const heard = [a, b].map(listening);
    a.notifyChange('tools');
    await settle();
    expect(heard).toEqual([[{ kind: 'tools' }], [{ kind: 'tools' }]]);
    b.notifyChange('tools');
    await settle();
    expect(heard.map(({ length }) => length)).toEqual([2, 2]);
  });

  test('deliver it once in a ring, with the bus besides, and when each gives it another name', async () => {
    const bus = new MemoryChangeBus();
    const ring = [onBus(bus), onBus(bus), onBus(bus)] as const;
    bridge(ring[0], ring[1]);
    bridge(ring[1], ring[2]);
    bridge(ring[2], ring[0]);
    const heard = ring.map(listening);
    ring[1].notifyChange('prompts');
    await settle();
    expect(heard).toEqual(ring.map(() => [{ kind: 'prompts' }]));

    const [a, b] = pair();
    a.onChange(({ uri }) => b.notifyChange('resource', uri?.replace('a:', 'b:')));
    b.onChange(({ uri }) => a.notifyChange('resource', uri?.replace('b:', 'a:')));
    const named = [a, b].map(listening);
    a.notifyChange('resource', 'a://x');
    await settle();
    expect(named).toEqual([[{ kind: 'resource', uri: 'a://x' }], [{ kind: 'resource', uri: 'b://x' }]]);
  });

  test('tell one another of a change that happened in both', async () => {
    const [a, b] = pair();
    bridge(a, b);
    bridge(b, a);
    const heard = [a, b].map(listening);
    a.notifyChange('tools');
    b.notifyChange('tools');
    await settle();
    for (const changes of heard) expect(changes.length).toBeLessThanOrEqual(2);
    for (const changes of heard) expect(changes.length).toBeGreaterThanOrEqual(1);
  });

  test('a listener may still tell of something else', async () => {
    const layer = layerOf(() => undefined);
    layer.onChange(({ kind }) => kind === 'tools' && layer.notifyChange('prompts'));
    const heard = listening(layer);
    layer.notifyChange('tools');
    await settle();
    expect(heard).toEqual([{ kind: 'tools' }, { kind: 'prompts' }]);
  });
});
