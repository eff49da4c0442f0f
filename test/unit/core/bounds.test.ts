import { MemoryEventStore } from 'cartouche';
import { type Bound, BOUNDS } from '../../../src/core/bounds.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { layerOf } from '../../support/layers.js';

const ROWS = Object.entries(BOUNDS) as [string, Bound][];

describe('the limits that hold unless an option says otherwise', () => {
  it.each(ROWS)('%s has a default, a unit and a reason', (_name, bound) => {
    expect(bound.default).toBeGreaterThan(0);
    expect([bound.unit, bound.protects]).toEqual([
      expect.stringMatching(/^\S.*[^.]$/),
      expect.stringMatching(/^\S.*[^.]$/),
    ]);
  });

  it.each(ROWS.filter(([, bound]) => bound.of !== 'MemoryEventStore'))(
    '%s is an option of HTTP, and of every transport where it is the server’s',
    (name, bound) => {
      const layer = layerOf(() => undefined);
      expect(() => layer.fetchHandler({ [name]: 5 })).not.toThrow();
      expect(() => layer.fetchHandler({ [name]: 0 })).toThrow(name);
      const server = (): unknown => new NativeMcpServer(layer, { [name]: 5 });
      if (bound.of === 'server') expect(server).not.toThrow();
      else expect(server).toThrow(name);
    },
  );

  it('those of events are options of their store, and the events one past them are lost', () => {
    const store = new MemoryEventStore();
    const { default: max } = BOUNDS.maxEvents;
    for (let sequence = 1; sequence <= max; sequence++) store.append('a', 1, { sequence, data: '' });
    expect([store.size, store.after('a', 1, 0)?.length]).toEqual([max, max]);
    store.append('a', 1, { sequence: max + 1, data: '' });
    expect([store.size, store.after('a', 1, 0)]).toEqual([max, undefined]);
  });
});
