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

  const fillFor = (store: MemoryEventStore, owner: string, session: string, count: number, data = 'x'): void => {
    for (let sequence = 1; sequence <= count; sequence++) store.append(session, 1, { sequence, data }, owner);
  };
  const counts = (store: MemoryEventStore, ...sessions: string[]) =>
    sessions.map((session) => store.after(session, 1, 0)?.length ?? 'some lost');

  it('of one caller push out none of another that holds less, however many come', () => {
    const store = new MemoryEventStore({ maxEvents: 10 });
    fillFor(store, 'bob', 'quiet', 4);
    fillFor(store, 'ana', 'loud', 1000);
    expect([counts(store, 'quiet', 'loud'), store.size]).toEqual([[4, 'some lost'], 10]);
    fillFor(store, 'ana', 'loud too', 1000);
    expect([counts(store, 'quiet'), store.size]).toEqual([[4], 10]);
  });

  it('of a newcomer take their room from whoever holds most', () => {
    const store = new MemoryEventStore({ maxEvents: 9 });
    fillFor(store, 'ana', 'most', 6);
    fillFor(store, 'bob', 'some', 3);
    fillFor(store, 'cy', 'new', 3);
    expect([counts(store, 'some', 'new'), store.after('most', 1, 3)?.length, store.size]).toEqual([[3, 3], 3, 9]);
  });

  it('are measured in characters too', () => {
    const store = new MemoryEventStore({ maxChars: 100 });
    fillFor(store, 'bob', 'quiet', 40);
    fillFor(store, 'ana', 'loud', 30, '1234567890');
    expect([counts(store, 'quiet'), store.size]).toEqual([[40], 46]);
  });

  it('of one caller are no more than one may have', () => {
    const store = new MemoryEventStore({ maxEventsPerCaller: 3 });
    fillFor(store, 'ana', 'one', 2);
    fillFor(store, 'ana', 'two', 3);
    fillFor(store, 'bob', 'other', 3);
    expect([counts(store, 'one', 'two', 'other'), store.size]).toEqual([['some lost', 3, 3], 6]);
  });

  it('leave nothing behind when their sessions go', () => {
    const store = new MemoryEventStore({ maxEvents: 4 });
    fillFor(store, 'ana', 'a', 2);
    fillFor(store, 'ana', 'b', 2);
    for (const session of ['a', 'b', 'c']) store.drop(session);
    fillFor(store, 'bob', 'a', 4);
    expect([counts(store, 'a'), store.size]).toEqual([[4], 4]);
  });
});
