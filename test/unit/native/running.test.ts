import { RunningRequests } from '../../../src/native/running.js';
import type { ActiveRequest } from '../../../src/native/request.js';

/** A request that only remembers why it was cancelled. */
const request = (id: string | number) => {
  const reasons: unknown[] = [];
  const active = { message: { id }, cancel: (reason?: string) => void reasons.push(reason), reasons };
  return active as unknown as ActiveRequest & { readonly reasons: unknown[] };
};

describe('the requests that run', () => {
  const added = (running: RunningRequests, ...ids: (string | number)[]) =>
    ids.map((id) => {
      const active = request(id);
      running.add(active);
      return active;
    });

  it.each([
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [1, 2, 0],
  ])('of one id end in any order: %i, %i, %i', (...order) => {
    const running = new RunningRequests();
    const all = added(running, 1, 1, 1);
    for (const [done, index] of order.entries()) {
      running.remove(all[index] as ActiveRequest);
      expect([done, running.has(1)]).toEqual([done, done < 2]);
    }
    expect(running.size).toBe(0);
  });

  it('are all cancelled by their id, those that ended before are not, and numbers are no texts', () => {
    const running = new RunningRequests();
    const [first, second, third, other, text] = added(running, 1, 1, 1, 2, '1');
    running.remove(second as ActiveRequest);
    running.cancel(1, 'enough');
    expect([first, second, third, other, text].map((active) => active?.reasons)).toEqual([
      ['enough'],
      [],
      ['enough'],
      [],
      [],
    ]);
    running.cancelAll();
    expect([other, text].map((active) => active?.reasons)).toEqual([[undefined], [undefined]]);
  });

  it('answer to their id no more once it was cancelled, so that another request may have it', () => {
    const running = new RunningRequests();
    const [old] = added(running, 1);
    running.cancel(1);
    const [next] = added(running, 1);
    running.remove(old as ActiveRequest);
    expect(running.has(1)).toBe(true);
    running.cancel(1);
    expect([old?.reasons.length, next?.reasons.length]).toEqual([1, 1]);
  });

  // With a walk over the others of its id, each of these takes minutes.
  const MANY = 400_000;
  const manyOfOne = (running: RunningRequests) =>
    Array.from({ length: MANY }, () => {
      const active = request(1);
      running.add(active);
      return active;
    });

  it('of one id end one after the other, the oldest first, however many they are', () => {
    const running = new RunningRequests();
    const all = manyOfOne(running);
    for (const active of all) running.remove(active);
    expect(running.size).toBe(0);
  });

  it('of one id are cancelled once, however often that is asked', () => {
    const running = new RunningRequests();
    const all = manyOfOne(running);
    for (let i = 0; i < MANY; i++) running.cancel(1);
    expect(all.every(({ reasons }) => reasons.length === 1)).toBe(true);
  });
});
