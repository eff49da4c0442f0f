import { Shares } from '../../../src/native/shares.js';

interface Item {
  readonly name: string;
  readonly owner: string;
  readonly busy: boolean;
  readonly usedAt: number;
}

/** What several callers hold, written as `owner:usedAt`, with `!` for what is in use. */
function sharesOf(max: number, held: string, maxPerCaller = Infinity): Shares<Item> {
  const shares = new Shares<Item>({ max, maxPerCaller }, { idle: ({ busy }) => !busy, usedAt: ({ usedAt }) => usedAt });
  for (const name of held.split(' ').filter((text) => text !== '')) {
    const [owner = '', at] = name.replace('!', '').split(':');
    shares.add({ name, owner, busy: name.endsWith('!'), usedAt: Number(at) });
  }
  return shares;
}

describe('a share of what there is only so much of', () => {
  it.each([
    ['is free while there is enough', 3, 'ana:1 ana:2', 'ana', true],
    ['costs whoever holds most what was used longest ago', 4, 'ana:3 ana:2 ana:4 bob:1', 'cy', 'ana:2'],
    ['costs what is idle before what is in use', 3, 'ana:1! ana:2! ana:3', 'bob', 'ana:3'],
    ['costs what is in use where one holds much more', 3, 'ana:2! ana:1! ana:3!', 'bob', 'ana:1!'],
    ['costs a caller its own when it holds most', 4, 'ana:3 ana:4 ana:5 bob:1', 'ana', 'ana:3'],
    ['is not there for a caller that holds most and uses all', 4, 'ana:3! ana:4! ana:5! bob:1', 'ana', false],
    ['costs the idlest where everybody holds the same', 3, 'ana:2 bob:1 cy:3', 'dan', 'bob:1'],
    ['is not there where everybody holds the same and uses it', 2, 'ana:2! bob:1!', 'cy', false],
    ['costs nobody who holds less than who asks', 3, 'ana:2! ana:3! bob:1', 'ana', false],
    ['costs nothing in use to level what is nearly level', 3, 'ana:1! ana:2! bob:3!', 'bob', false],
  ])('%s', (_what, max, held, owner, expected) => {
    const room = sharesOf(max, held).roomFor(owner);
    expect(typeof room === 'boolean' ? room : room.name).toBe(expected);
  });

  it.each([
    ['ana:1', 'ana', true],
    ['ana:1 ana:2', 'ana', 'ana:1'],
    ['ana:1! ana:2!', 'ana', false],
    ['ana:1! ana:2!', 'bob', true],
  ])('has a limit for each caller: %s, one more for %s', (held, owner, expected) => {
    const room = sharesOf(10, held, 2).roomFor(owner);
    expect(typeof room === 'boolean' ? room : room.name).toBe(expected);
  });

  it('counts each thing once, and none that went', () => {
    const shares = sharesOf(2, '');
    const item: Item = { name: 'a', owner: 'ana', busy: true, usedAt: 0 };
    shares.add(item);
    shares.add(item);
    expect([shares.size, [...shares]]).toEqual([1, [item]]);
    shares.delete(item);
    shares.delete(item);
    expect([shares.size, [...shares], shares.roomFor('bob')]).toEqual([0, [], true]);
  });
});
