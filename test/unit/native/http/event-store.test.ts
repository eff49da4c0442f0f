import { MemoryEventStore } from 'cartouche';

const fill = (store: MemoryEventStore, session: string, stream: number, count: number, data = 'x'): void => {
  for (let sequence = 1; sequence <= count; sequence++) store.append(session, stream, { sequence, data });
};

describe('events in memory', () => {
  it('come back in order, from behind any of them', () => {
    const store = new MemoryEventStore();
    fill(store, 'a', 1, 3);
    expect(store.after('a', 1, 0)?.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(store.after('a', 1, 2)?.map(({ sequence }) => sequence)).toEqual([3]);
    expect(store.after('a', 1, 3)).toEqual([]);
  });

  it('belong to their stream and session only', () => {
    const store = new MemoryEventStore();
    fill(store, 'a', 1, 1);
    expect(store.after('a', 2, 0)).toBeUndefined();
    expect(store.after('b', 1, 0)).toBeUndefined();
  });

  it('are said to be gone when one in between is', () => {
    const store = new MemoryEventStore({ maxEvents: 2 });
    fill(store, 'a', 1, 4);
    expect(store.after('a', 1, 1)).toBeUndefined();
    expect(store.after('a', 1, 2)?.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  it('take no more room than they may, the session written to longest ago losing first', () => {
    const store = new MemoryEventStore({ maxChars: 10 });
    fill(store, 'old', 1, 1, '12345');
    fill(store, 'new', 1, 1, '12345');
    fill(store, 'new', 2, 1, '1');
    expect(store.after('old', 1, 0)).toBeUndefined();
    expect(store.after('new', 1, 0)).toHaveLength(1);
    expect(store.size).toBe(2);
  });

  it('survive nothing that is too long by itself', () => {
    const store = new MemoryEventStore({ maxChars: 3 });
    fill(store, 'a', 1, 1, 'too long');
    expect(store.size).toBe(0);
    expect(store.after('a', 1, 0)).toBeUndefined();
  });

  it('go with their session', () => {
    const store = new MemoryEventStore();
    fill(store, 'a', 1, 2);
    fill(store, 'b', 1, 2);
    store.drop('a');
    expect(store.after('a', 1, 0)).toBeUndefined();
    expect(store.size).toBe(2);
  });
});
